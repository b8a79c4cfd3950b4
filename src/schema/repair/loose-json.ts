import { isSameJson } from '../json-schema.ts'

/** A JSON text that was read, strictly or with the slips that models make. */
export interface LooseJson {
  readonly value: unknown
  /** Quotes, commas, comments or literals were not those of JSON. */
  readonly isLoose: boolean
}

const DEEPEST = 100
const LONGEST = 1_000_000
const LONGEST_INTRODUCTION = 200
const FENCE = /^```[a-z0-9]*[ \t]*\r?\n([\s\S]*?)\r?\n?```$/i

/** Whether a text begins as an object or a list of JSON does. It must then be read as JSON or not at all. */
export function looksLikeJson(text: string): boolean {
  return /^(?:\s*\/\/[^\n]*\n\s*|\s*\/\*[^*]*\*\/\s*)?[[{]/.test(unfenced(text))
}

/** JSON in a fence of one line, in another fence, between tags, or behind the name of its language. */
const WRAPPED: readonly RegExp[] = [
  /^(`{1,3}|~~~)(?:json)?\s*([[{][\s\S]*[\]}])\s*\1$/i,
  /^<([a-z][\w-]{0,40})>\s*([[{][\s\S]*[\]}])\s*<\/\1>$/i,
  /^([a-z][\w.]{0,63}|)\(\s*([[{][\s\S]*[\]}])\s*\);?$/i,
  /^(json)\s*\n\s*([[{][\s\S]*)$/i,
]

/** Marks that models write around a call. They are no words about it. */
function withoutTokens(text: string): string {
  if (text.length > LONGEST) return text
  return text
    .replace(/^(?:<\|[\w-]{1,40}\|>|\[TOOL_CALLS?\]|<tool_call>)\s*(?=[[{])/i, '')
    .replace(/(?<=[\]}])\s*(?:<\|[\w-]{1,40}\|>|<\/tool_call>)$/i, '')
    .replace(/^action:\s*[\w.-]{1,64}\s*\n\s*action input:\s*(?=[[{])/i, '')
}

/** Templates write each brace around an object twice. */
function withoutBraces(text: string): string {
  return text.startsWith('{{') && text.endsWith('}}') && text.length <= LONGEST ? text.slice(1, -1) : text
}

/** `Here are the arguments:` on a line of its own and an object to the end. Words that take it back are no introduction. */
function introduced(text: string): string | undefined {
  if (text.length > LONGEST || !/^\p{L}/u.test(text)) return undefined
  const [, words = '', object] = /^([^[\]{}:"]{6,120}):[ \t]*\r?\n\s*(\{[\s\S]*\})$/.exec(text) ?? []
  return INTRODUCES.test(words) && !TAKES_BACK.test(words) && words.trim().includes(' ') ? object : undefined
}

const INTRODUCES = /\b(?:arguments?|args|parameters?|params|inputs?|json|payload|object|call(?:ing)?|request|tool)\b/i
const FORBIDS = /\b(?:do not|don['’]t|never|not (?:call|run|send|use)|instead of)\b/i
/** An example, an order not to do it, what was before or what may be. */
const TAKES_BACK =
  /\b(?:not?|never|without|instead|example|sample|e\.?g|such|like|would|could|might|maybe|if|unless|wrong|invalid|bad|broken|fail(?:ed|s)?|errors?|old|former(?:ly)?|previous(?:ly)?|earlier|last|before|was|were|schema|output|result|response|answer|other|another|either|or)\b|n['’]t\b/i

/** The text inside a fence of Markdown, which may have a few words before and after it. */
export function unfenced(text: string): string {
  const whole = withoutBraces(withoutTokens(text.trim()))
  const trimmed = introduced(whole) ?? whole
  for (const pattern of trimmed.length > LONGEST || !/^[`~<(a-z]/i.test(trimmed) ? [] : WRAPPED) {
    const inside = pattern.exec(trimmed)?.[2]
    if (inside !== undefined) return inside
  }
  const [begin, end] = [trimmed.indexOf('```'), trimmed.lastIndexOf('```')]
  if (begin === -1 || end === begin || trimmed.length > LONGEST) return trimmed
  const around = trimmed.slice(0, begin) + trimmed.slice(end + 3)
  if (around.length > LONGEST_INTRODUCTION || /[[\]{}]/.test(around) || FORBIDS.test(around)) return trimmed
  return (FENCE.exec(trimmed.slice(begin, end + 3))?.[1] ?? trimmed).trim()
}

/**
 * Reads the whole of a text as one value. Undefined where it is cut off, is followed by more, has a key twice with different values or a number
 * with more digits than a double keeps: `JSON.parse` hides the last two.
 */
export function looseJson(text: string): LooseJson | undefined {
  const inside = unfenced(text)
  if (inside.length > LONGEST) return undefined
  try {
    const reader = new Reader(inside)
    const value = reader.whole()
    return { value, isLoose: reader.isLoose }
  } catch (error) {
    if (error === BROKEN) return undefined
    throw error
  }
}

const BROKEN = new Error('not one JSON value')

const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”', '‘': '’', '”': '”', '’': '’' }
const LITERALS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
])
const STRICT: ReadonlySet<string> = new Set(['true', 'false', 'null'])
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' },
  ...{ '"': '"', "'": "'", '`': '`', '/': '/', '\\': '\\' },
}

const UNDEFINED = Symbol('undefined')

class Reader {
  readonly #text: string
  #at = 0
  isLoose = false

  constructor(text: string) {
    this.#text = text
  }

  whole(): unknown {
    const value = this.#value(0)
    if (value === UNDEFINED) throw BROKEN
    this.#skip()
    if (this.#text[this.#at] === ';') this.#at++
    if (this.#at < this.#text.length) throw BROKEN
    return value
  }

  #value(depth: number): unknown {
    if (depth > DEEPEST) throw BROKEN
    this.#skip()
    const first = this.#text[this.#at]
    if (first === '{') return this.#object(depth)
    if (first === '[') return this.#list(depth)
    if (first !== undefined && first in CLOSING) return this.#string(first)
    return this.#word()
  }

  #object(depth: number): Record<string, unknown> {
    const entries = new Map<string, unknown>()
    this.#items('}', () => {
      const first = this.#text[this.#at] ?? ''
      const key = first in CLOSING ? this.#string(first) : this.#bareKey()
      this.#skip()
      const isArrow = this.#text.startsWith('=>', this.#at)
      const isEqual = this.#text[this.#at] === '='
      if (this.#text[this.#at] !== ':' && !isEqual) throw BROKEN
      this.isLoose ||= isEqual
      this.#at += isArrow ? 2 : 1
      const value = this.#value(depth + 1)
      // A program leaves such a field out.
      if (value === UNDEFINED) return
      if (entries.has(key) && !isSameJson(entries.get(key), value)) throw BROKEN
      entries.set(key, value)
    })
    return Object.fromEntries(entries)
  }

  #list(depth: number): readonly unknown[] {
    const items: unknown[] = []
    this.#items(']', () => {
      const item = this.#value(depth + 1)
      if (item === UNDEFINED) throw BROKEN
      items.push(item)
    })
    return items
  }

  #items(end: string, read: () => void): void {
    this.#at++
    for (let count = 0; ; count++) {
      this.#skip()
      if (this.#text[this.#at] === end) {
        if (count > 0) this.isLoose = true
        break
      }
      read()
      this.#skip()
      const next = this.#text[this.#at]
      if (next === end) break
      // Between a value and the name of the next field, only a comma can be missing. Two texts in a list may be one.
      if (next === '"' && end === '}') this.isLoose = true
      else if (next === ',') this.#at++
      else throw BROKEN
    }
    this.#at++
  }

  #string(quote: string): string {
    const end = CLOSING[quote]
    if (quote !== '"') this.isLoose = true
    let text = ''
    for (this.#at++; ; this.#at++) {
      const character = this.#text[this.#at]
      if (character === undefined) throw BROKEN
      if (character === end) break
      if (character === '\\') text += this.#escape()
      else {
        if (character < ' ') this.isLoose = true
        text += character
      }
    }
    this.#at++
    return text
  }

  #escape(): string {
    const character = this.#text[++this.#at]
    if (character === undefined) throw BROKEN
    const length = character === 'u' ? 4 : character === 'x' ? 2 : 0
    // `\\d` may be a backslash and a letter, or a letter alone.
    if (length === 0) {
      const plain = ESCAPES[character]
      if (plain === undefined) throw BROKEN
      this.isLoose ||= character === "'" || character === '`'
      return plain
    }
    const code = this.#text.slice(this.#at + 1, this.#at + 1 + length)
    if (code.length < length || !/^[0-9a-f]+$/i.test(code)) throw BROKEN
    this.isLoose ||= length === 2
    this.#at += length
    return String.fromCharCode(Number.parseInt(code, 16))
  }

  #bareKey(): string {
    const key = this.#match(/[\p{L}_$][\p{L}\p{N}_$-]*/uy)
    this.isLoose = true
    return key
  }

  #word(): unknown {
    const word = this.#match(/[-+.\w]+/y)
    if (word === 'undefined') {
      this.isLoose = true
      return UNDEFINED
    }
    if (LITERALS.has(word)) {
      this.isLoose ||= !STRICT.has(word)
      return LITERALS.get(word)
    }
    if (!/^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(word) || losesDigits(word.replace(/^\+/, ''))) throw BROKEN
    if (/^\+|^-?\.|\.(?!\d)/.test(word)) this.isLoose = true
    return Number(word)
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found === undefined) throw BROKEN
    this.#at += found.length
    return found
  }

  #skip(): void {
    for (;;) {
      while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++
      const rest = this.#text.slice(this.#at, this.#at + 2)
      if (rest === '//') this.#at = endOf(this.#text, '\n', this.#at)
      else if (rest === '# ') this.#at = endOf(this.#text, '\n', this.#at)
      else if (rest === '/*') this.#at = endOf(this.#text, '*/', this.#at)
      else break
      this.isLoose = true
    }
  }
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from)
  return end === -1 ? text.length : end + mark.length
}

const MOST_DIGITS = 15

/** Whether a number in decimal notation has more digits than a double keeps. */
export function losesDigits(text: string): boolean {
  const digits = text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '')
  if (digits.length <= MOST_DIGITS) return !Number.isFinite(Number(text))
  return !/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(Number(text))
}
