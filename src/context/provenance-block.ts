import type { Provenance } from '../tool/result/result.ts'
import { randomDigits } from './random-digits.ts'
import { UNPRINTABLE } from '../tool/printable.ts'
import { isMoment } from './sound-provenance.ts'

/** What the block around an output says of it. */
export interface BlockFacts extends Provenance {
  /** How old the data are, in words. */
  readonly freshness?: string | undefined
  /** 0 to 1. */
  readonly confidence?: number | undefined
  /** How it was shortened, and where the whole is. */
  readonly level?: string | undefined
  readonly pointer?: string | undefined
  /** Where tokens are few: no version, the time to the minute, and nothing of how it was shortened. */
  readonly isShort?: boolean | undefined
}

/** A block that was read back from a text. */
export interface ReadBlock {
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
  /** Where it begins and ends in the text. */
  readonly from: number
  readonly to: number
}

const NAME = 'tool_output'
const MARK_DIGITS = 12
/** Characters that a reader may take for `<`. */
const ANGLES = /[<\u02C2\u1438\u2039\u2329\u276C\u276E\u27E8\u29FC\u3008\u300A\uFE64\uFF1C]/gu
const LOOKED_AT = 80

/** The random part of the delimiters of a conversation. */
export function newMark(): string {
  return randomDigits(MARK_DIGITS)
}

export function isMark(given: unknown): given is string {
  return typeof given === 'string' && MARK.test(given)
}

const MARK = new RegExp(`^\\d{${MARK_DIGITS}}$`)

/**
 * The block around an output in a model's context. Its delimiters have a random part that only one conversation knows; the output has neither
 * this part nor anything that looks like a delimiter, and no character that is not seen.
 */
export class ProvenanceFrame {
  readonly #name: string
  readonly #mark: string

  constructor(mark: string = newMark()) {
    this.#mark = mark
    this.#name = `${NAME}-${mark}`
  }

  /** The random part of the delimiters. */
  get mark(): string {
    return this.#mark
  }

  /** An output with its block. The text must be one that `safe` gave. */
  around(text: string, facts: BlockFacts): string {
    return this.enclosed(text, this.opening(facts))
  }

  /** The same with an opening of this frame. */
  enclosed(text: string, opening: string): string {
    return `${opening}\n${text}\n</${this.#name}>`
  }

  opening(facts: BlockFacts): string {
    const { isShort = false } = facts
    const time = isMoment(facts.timestamp) ? new Date(facts.timestamp).toISOString() : undefined
    const attributes: readonly (readonly [string, string | undefined])[] = [
      ['tool', isShort ? facts.tool.replace(/@[^@]*$/, '') : facts.tool],
      ['call', facts.invocationId],
      ['at', isShort ? time?.replace(/:\d\d\.\d+Z$/, 'Z').replaceAll(/(?<=\d)[-:](?=\d)/g, '') : time?.replace(/\.\d+Z$/, 'Z')],
      ['source', facts.source],
      ['freshness', facts.freshness],
      ['confidence', facts.confidence === undefined ? undefined : String(facts.confidence)],
      ['level', isShort ? undefined : facts.level],
      ['pointer', facts.pointer],
    ]
    const written = attributes.flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${this.#attribute(value)}"`]))
    return `<${this.#name}${written.join('')}>`
  }

  /** A text that can stand in a block: what is not seen is written out, and what looks like a delimiter is no longer one. */
  safe(text: string): string {
    const shown = visible(text)
    const unmarked = shown.toLowerCase().includes(this.#mark) ? shown.replaceAll(new RegExp(this.#mark, 'gi'), '[mark]') : shown
    return unmarked.replace(ANGLES, (angle, at: number) =>
      folded(unmarked.slice(at + 1, at + LOOKED_AT)).startsWith(FOLDED_NAME) ? '&lt;' : angle,
    )
  }

  /** The blocks of this conversation in a text. */
  read(text: string): ReadBlock[] {
    const blocks: ReadBlock[] = []
    const opening = `<${this.#name}`
    const closing = `\n</${this.#name}>`
    for (let from = text.indexOf(opening); from >= 0; from = text.indexOf(opening, from + 1)) {
      const head = text.indexOf('>\n', from)
      const end = head < 0 ? -1 : text.indexOf(closing, head)
      if (end < 0) break
      const attributes = [...text.slice(from, head).matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])
      blocks.push({
        attributes: Object.fromEntries(attributes),
        text: text.slice(head + 2, Math.max(head + 2, end)),
        from,
        to: end + closing.length,
      })
      from = end
    }
    return blocks
  }

  #attribute(value: string): string {
    return this.safe(value)
      .replace(/[\n\t]/g, ' ')
      .replaceAll('"', '&quot;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
  }
}

/** Line breaks and tabs stay; a sequence of emoji keeps the joiners inside it. */
function visible(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(UNPRINTABLE, (character, at: number) => {
    if (character === '\n' || character === '\t') return character
    if ((character === '\u200D' || character === '\uFE0F') && EMOJI_BEFORE.test(text.slice(Math.max(0, at - 4), at))) return character
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
  })
}

const EMOJI_BEFORE = /\p{Extended_Pictographic}\uFE0F?$/u

/** Letters of other alphabets that look like those of the name. */
const LIKE: Readonly<Record<string, string>> = {
  '\u0442': 't',
  '\u03C4': 't',
  '\u043E': 'o',
  '\u03BF': 'o',
  '\u0585': 'o',
  '0': 'o',
  '\u04CF': 'l',
  '\u0406': 'l',
  '1': 'l',
  '|': 'l',
  '\u0456': 'l',
  '\u03C5': 'u',
  '\u057D': 'u',
  '\u0440': 'p',
  '\u03C1': 'p',
}

/** A text as a quick reader sees it: letters alone, whatever alphabet, width or accent they have. */
function folded(text: string): string {
  let letters = ''
  for (const character of text.normalize('NFKD').toLowerCase()) {
    const letter = LIKE[character] ?? character
    if (/[a-z]/.test(letter)) letters += letter
  }
  return letters
}

const FOLDED_NAME = folded(NAME)
