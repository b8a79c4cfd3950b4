import { type BigIntStats, fstatSync, read as readWithCallback } from 'node:fs'
import { promisify } from 'node:util'
import { cryptoModule } from '../../../tool/crypto-module.ts'

const read = promisify(readWithCallback)

const CHUNK = 64 * 1024

/** Long work calls it between its steps; it throws when the work is aborted. */
export type Interruptible = Pick<AbortSignal, 'throwIfAborted'>

/** The bytes of an open file from a position on, a piece at a time. A piece is overwritten by the next one. */
export async function* fileBytes(descriptor: number, from: number, signal: Interruptible): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK)
  for (let position = from; ;) {
    signal.throwIfAborted()
    const { bytesRead } = await read(descriptor, buffer, 0, CHUNK, position)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}

/** The first bytes of an open file. */
export async function headOf(descriptor: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await read(descriptor, buffer, 0, length, 0)
  return buffer.subarray(0, bytesRead)
}

/** SHA-256 of the whole content, in hexadecimal. */
export async function hashOfFile(descriptor: number, signal: Interruptible): Promise<string> {
  const hash = cryptoModule().createHash('sha256')
  for await (const piece of fileBytes(descriptor, 0, signal)) hash.update(piece)
  return hash.digest('hex')
}

export function hashOfBytes(bytes: Uint8Array): string {
  return cryptoModule().createHash('sha256').update(bytes).digest('hex')
}

const LOOKS = 4

/**
 * Whether the file has another name, which may lie outside the root. A file that is just being created has two names for a moment:
 * that is given some turns to pass.
 */
export async function hasOtherNames(descriptor: number): Promise<boolean> {
  let stats: BigIntStats = fstatSync(descriptor, { bigint: true })
  for (let look = 1; look < LOOKS && stats.nlink > 1n; look++) {
    await new Promise((resolve) => setImmediate(resolve))
    stats = fstatSync(descriptor, { bigint: true })
  }
  return stats.nlink > 1n
}
