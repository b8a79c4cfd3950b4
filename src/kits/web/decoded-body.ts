import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { ToolError } from '../../tool/errors/tool-error.ts'

/** The encodings that an answer may have, for the header `accept-encoding`. */
export const ENCODINGS = 'gzip, deflate, br'

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
}

interface BodyLimits {
  readonly encoding: string | null
  readonly maxBytes: number
  readonly whenTooLarge: 'fail' | 'truncate'
  readonly shown: string
}

/** Reads a body and undoes its compression. It never holds more than `maxBytes`, however far a small body would expand. */
export async function decodedBody(
  body: Readable,
  { encoding, maxBytes, whenTooLarge, shown }: BodyLimits,
): Promise<{ readonly bytes: Buffer; readonly truncated: boolean }> {
  let source = body
  const pieces: Buffer[] = []
  let length = 0
  let received = 0
  body.on('data', (piece: Buffer) => (received += piece.length)).pause()
  try {
    source = decoding(body, encoding, shown)
    for await (const piece of source as AsyncIterable<Buffer>) {
      pieces.push(piece)
      length += piece.length
      if (length > maxBytes) break
    }
  } catch (error) {
    // An answer without content has none in every encoding.
    if (received > 0 || !body.readableEnded) throw error
  } finally {
    // Ending a loop early destroys the last stream only.
    source.destroy()
    body.on('error', () => undefined).destroy()
  }
  if (length > maxBytes && whenTooLarge === 'fail') throw tooLarge(shown, maxBytes)
  const bytes = Buffer.concat(pieces)
  return { bytes: bytes.subarray(0, maxBytes), truncated: bytes.length > maxBytes }
}

function decoding(body: Readable, encoding: string | null, shown: string): Readable {
  const name = (encoding ?? '').trim().toLowerCase()
  if (name === '' || name === 'identity') return body
  const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name]?.() : undefined
  if (decoder === undefined)
    throw new ToolError(`The answer of ${shown} has an encoding that was not asked for.`, {
      code: 'upstream_error',
      retryable: false,
      outcome: 'unknown',
    })
  body.on('error', (error) => decoder.destroy(error))
  body.pipe(decoder)
  return decoder
}

/** An answer that was cut, and of which a part is of no use. */
export function tooLarge(shown: string, maxBytes: number): ToolError {
  return new ToolError(`The answer of ${shown} is larger than ${maxBytes} bytes.`, { code: 'response_too_large', outcome: 'unknown' })
}
