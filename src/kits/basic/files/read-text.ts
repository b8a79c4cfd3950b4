import { cryptoModule } from '../../../tool/crypto-module.ts'
import type { Interruptible } from './file-bytes.ts'
import { LineRange } from './line-range.ts'
import { beginningOf, encodedLength, type TextForm } from './text-encoding.ts'
import { textPieces } from './text-pieces.ts'

export interface TextRead {
  readonly content: string
  readonly lines?: { readonly from: number; readonly to: number; readonly total?: number } | undefined
  /** Where to read on, where there is more than was asked for or may be given at once. */
  readonly next?: { readonly fromLine: number } | { readonly fromByte: number } | undefined
  /** Of the whole content, where all of it was read. */
  readonly hash?: string | undefined
}

export interface TextRequest {
  readonly form: TextForm
  readonly mostBytes: number
  readonly signal: Interruptible
  readonly notText: (why: string) => Error
}

/** Lines of an open file. Reads no further than it must, and keeps no more than it gives. */
export async function readLines(
  descriptor: number,
  { fromLine, toLine }: { readonly fromLine: number; readonly toLine: number },
  request: TextRequest,
): Promise<TextRead> {
  const range = new LineRange({ from: fromLine, to: toLine, mostBytes: request.mostBytes, form: request.form })
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
  const { form, mostBytes } = request
  let text = ''
  for await (const piece of textPieces(descriptor, { ...request, from: Math.max(fromByte, form.mark) })) {
    text += piece
    if (Buffer.byteLength(text) > mostBytes) break
  }
  const content = beginningOf(text, mostBytes)
  if (content === text) return { content }
  return { content, next: { fromByte: Math.max(fromByte, form.mark) + encodedLength(content, form.encoding) } }
}
