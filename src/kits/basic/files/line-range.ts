import { beginningOf, encodedLength, type TextForm } from './text-encoding.ts'

export interface LineLimits {
  /** Counted from 1. */
  readonly from: number
  /** Inclusive. */
  readonly to: number
  /** Of UTF-8. */
  readonly mostBytes: number
  readonly form: TextForm
}

/** The lines of a text within limits, taken from its pieces. A line ends with its line feed; what follows the last one is a line unless it is empty. */
export class LineRange {
  readonly #limits: LineLimits
  readonly #kept: string[] = []
  #keptBytes = 0
  #keptLines = 0
  /** The line that is being read; the end of it may be in the next piece. */
  #line = 1
  #open = ''
  #lineHasText = false
  #position: number
  /** The position of the byte to read on from, where a line by itself is longer than the limit. */
  nextByte: number | undefined
  /** The line to read on from, where the limit was reached. */
  nextLine: number | undefined
  /** All lines of the file, once its end was reached. */
  total: number | undefined

  constructor(limits: LineLimits) {
    this.#limits = limits
    this.#position = limits.form.mark
  }

  get content(): string {
    return this.#kept.join('')
  }

  get lines(): { readonly from: number; readonly to: number } {
    const { from } = this.#limits
    return { from, to: from + this.#keptLines - 1 }
  }

  get isDone(): boolean {
    return this.nextByte !== undefined || this.nextLine !== undefined || this.total !== undefined || this.#line > this.#limits.to
  }

  /** Takes the next piece of the text, as far as it is wanted. */
  take(piece: string): void {
    for (let start = 0; start < piece.length && !this.isDone;) {
      const feed = piece.indexOf('\n', start)
      const end = feed === -1 ? piece.length : feed + 1
      this.#lineHasText = true
      if (this.#line >= this.#limits.from) this.#extend(piece.slice(start, end))
      else this.#position += encodedLength(piece.slice(start, end), this.#limits.form.encoding)
      if (feed !== -1) this.#endLine()
      start = end
    }
  }

  /** The text is over. */
  finish(): void {
    if (this.isDone) return
    if (this.#lineHasText) this.#endLine()
    if (this.nextLine === undefined && this.nextByte === undefined) this.total = this.#line - 1
  }

  #extend(text: string): void {
    const { mostBytes, form } = this.#limits
    this.#open += text
    if (this.#keptBytes + Buffer.byteLength(this.#open) <= mostBytes) return
    if (this.#keptLines > 0) {
      this.nextLine = this.#line
      return
    }
    const cut = beginningOf(this.#open, mostBytes)
    this.#kept.push(cut)
    this.#keptLines = 1
    this.nextByte = this.#position + encodedLength(cut, form.encoding)
  }

  #endLine(): void {
    if (this.nextByte !== undefined || this.nextLine !== undefined) return
    if (this.#open !== '') {
      this.#kept.push(this.#open)
      this.#keptBytes += Buffer.byteLength(this.#open)
      this.#keptLines++
      this.#position += encodedLength(this.#open, this.#limits.form.encoding)
      this.#open = ''
    }
    this.#line++
    this.#lineHasText = false
  }
}
