import { excerpt } from '../../../schema/quote.ts'

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

  /** What the pattern finds here, without taking it. */
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
