import { cryptoModule } from '../../../tool/crypto-module.ts'
import { fileBytes, type Interruptible } from './file-bytes.ts'
import { beginningOf, encodedLength, strictDecoder, type TextForm } from './text-form.ts'

export interface TextRead {
  readonly content: string
  readonly lines?: { readonly from: number; readonly to: number; readonly total?: number } | undefined
  /** Where to read on, where there is more than was asked for or may be given at once. */
  readonly next?: { readonly fromLine: number } | { readonly fromByte: number } | undefined
  /** Of the whole content, where all of it was read. */
  readonly hash?: string | undefined
}

interface TextRequest {
  readonly form: TextForm
  readonly maxBytes: number
  readonly signal: Interruptible
  readonly notText: (why: string) => Error
}

/** Lines of an open file. Reads no further than it must, and keeps no more than it gives. */
export async function readLines(
  descriptor: number,
  { fromLine, toLine }: { readonly fromLine: number; readonly toLine: number },
  request: TextRequest,
): Promise<TextRead> {
  const range = new LineRange({ from: fromLine, to: toLine, maxBytes: request.maxBytes, form: request.form })
  const hash = cryptoModule().createHash('sha256')
  for await (const piece of textPieces(descriptor, { ...request, onBytes: (bytes) => hash.update(bytes) })) {
    range.take(piece)
    if (range.isDone) break
  }
  const isBroken = range.isDone
  range.finish()
  const { content, lines, total, nextByte, nextLine } = range
  return {
    content,
    lines: { ...lines, ...(total === undefined ? {} : { total }) },
    ...(nextByte !== undefined ? { next: { fromByte: nextByte } } : nextLine !== undefined ? { next: { fromLine: nextLine } } : {}),
    ...(fromLine === 1 && !isBroken && nextLine === undefined ? { hash: hash.digest('hex') } : {}),
  }
}

/** Text of an open file from a position on. */
export async function readTextFrom(descriptor: number, fromByte: number, request: TextRequest): Promise<TextRead> {
  const { form, maxBytes } = request
  let text = ''
  for await (const piece of textPieces(descriptor, { ...request, from: Math.max(fromByte, form.mark) })) {
    text += piece
    if (Buffer.byteLength(text) > maxBytes) break
  }
  const content = beginningOf(text, maxBytes)
  if (content === text) return { content }
  return { content, next: { fromByte: Math.max(fromByte, form.mark) + encodedLength(content, form.encoding) } }
}

interface LineLimits {
  /** Counted from 1. */
  readonly from: number
  /** Inclusive. */
  readonly to: number
  /** Of UTF-8. */
  readonly maxBytes: number
  readonly form: TextForm
}

/** The lines of a text within limits, taken from its pieces. A line ends with its line feed; what follows the last one is a line unless it is empty. */
class LineRange {
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
    const { maxBytes, form } = this.#limits
    this.#open += text
    if (this.#keptBytes + Buffer.byteLength(this.#open) <= maxBytes) return
    if (this.#keptLines > 0) {
      this.nextLine = this.#line
      return
    }
    const cut = beginningOf(this.#open, maxBytes)
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

interface PiecesOptions {
  readonly form: TextForm
  /** The position of the first byte; that of the text, by default. */
  readonly from?: number | undefined
  readonly signal: Interruptible
  /** Hears the bytes as they come. */
  readonly onBytes?: ((bytes: Uint8Array) => void) | undefined
  /** The failure for bytes that are no text. */
  readonly notText: (why: string) => Error
}

/** The text of an open file, a piece at a time. Ends with the failure at bytes that are none. */
async function* textPieces(descriptor: number, { form, from, signal, onBytes, notText }: PiecesOptions): AsyncGenerator<string> {
  const decoder = strictDecoder(form.encoding)
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined })
    } catch {
      throw notText(`it holds bytes that are not valid ${form.encoding}`)
    }
  }
  const checked = (text: string): string => {
    if (text.includes('\0')) throw notText('it holds NUL characters')
    return text
  }
  const start = from ?? 0
  let skip = Math.max(0, form.mark - start)
  for await (const bytes of fileBytes(descriptor, start, signal)) {
    onBytes?.(bytes)
    yield checked(decode(bytes.subarray(skip)))
    skip = 0
  }
  yield checked(decode())
}
