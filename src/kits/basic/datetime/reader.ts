import { excerpt } from '../../../schema/quote.ts'
import { NotUnderstood, type ZoneName } from './request.ts'

const LONGEST_FOUND = 40

/** Reads a text from left to right; white space before what is asked for is passed over. */
export class Reader {
  readonly text: string
  #at = 0

  constructor(text: string) {
    this.text = text
    this.#skip()
  }

  /** Where the next thing begins, from 0. */
  get at(): number {
    return this.#at
  }

  get ended(): boolean {
    return this.#at === this.text.length
  }

  get rest(): string {
    return this.text.slice(this.#at)
  }

  /** The next thing, for a message. */
  get found(): string {
    return this.ended ? 'the end' : `'${excerpt(/^\S+/.exec(this.rest)?.[0] ?? '', LONGEST_FOUND)}'`
  }

  /** The match of the pattern here, without taking it. */
  peek(pattern: RegExp): RegExpExecArray | undefined {
    const here = new RegExp(pattern, 'iy')
    here.lastIndex = this.#at
    return here.exec(this.text) ?? undefined
  }

  /** Takes what the pattern finds here. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const match = this.peek(pattern)
    if (match === undefined) return undefined
    this.#at += match[0].length
    this.#skip()
    return match
  }

  /** Takes a whole word. */
  word(word: string): boolean {
    return this.take(new RegExp(`${word}(?![\\w/])`)) !== undefined
  }

  #skip(): void {
    while (/\s/.test(this.text[this.#at] ?? '')) this.#at++
  }
}

/**
 * Signs belong to a name only behind a slash, as in `Etc/GMT+5`, so that `UTC+2 hours` is a sum. `New York` is no zone, but is read as a
 * whole, so that the right one can be named.
 */
const NAME = /[a-z]\w*(?:\/\w+(?:[+-]\w+)*)*(?:\s+(?!(?:to|and|in|from)\b)[a-z]\w*)*/
const OFFSET = /[+-]\d{2}:?\d{2}(?![\d:])/
/** An offset where a sum would have a unit. */
const SHIFTED = /(?:utc|gmt)[+-]\d[\d:]*(?![\d:]|\s*[a-z])/
const NO_ZONE = /(?:to|and|in|from)(?![\w/])/

/** Takes the name of a zone, if one is here. */
export function readZone(reader: Reader): ZoneName | undefined {
  const { at } = reader
  if (reader.peek(NO_ZONE) !== undefined) return undefined
  const shifted = reader.peek(SHIFTED)?.[0]
  if (shifted !== undefined) throw new NotUnderstood(`'${shifted}' is no zone`, at, 'Write the offset alone, such as +05:00.')
  const name = reader.take(NAME)?.[0]
  return name === undefined ? undefined : { name, at }
}

/** The same, or an offset such as `+05:30`. */
export function readZoneOrOffset(reader: Reader): ZoneName | undefined {
  const { at } = reader
  const offset = reader.take(OFFSET)?.[0]
  return offset === undefined ? readZone(reader) : { name: offset, at }
}
