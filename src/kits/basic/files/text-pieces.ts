import { bytesOf, type Interruptible } from './file-bytes.ts'
import { strictDecoder, type TextForm } from './text-encoding.ts'

export interface PiecesOptions {
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
export async function* textPieces(descriptor: number, { form, from, signal, onBytes, notText }: PiecesOptions): AsyncGenerator<string> {
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
  for await (const bytes of bytesOf(descriptor, start, signal)) {
    onBytes?.(bytes)
    yield checked(decode(bytes.subarray(skip)))
    skip = 0
  }
  yield checked(decode())
}
