/** The output of a program within a bound: its beginning and its end. */
export interface KeptText {
  readonly text: string
  /** Bytes in the middle that were dropped. */
  readonly dropped: number
  /** Whether bytes that are not UTF-8 were replaced. */
  readonly isMended: boolean
}

/** Keeps the first and the last bytes of a stream of any length, and counts the rest. */
export class KeptOutput {
  readonly #head: number
  readonly #tail: number
  readonly #first: Buffer[] = []
  #firstBytes = 0
  #last: Buffer[] = []
  #lastBytes = 0
  /** All bytes that came. */
  total = 0

  constructor(most: number) {
    this.#head = Math.ceil(most / 2)
    this.#tail = most - this.#head
  }

  add(chunk: Buffer): void {
    this.total += chunk.length
    const room = this.#head - this.#firstBytes
    if (room > 0) {
      const part = Buffer.from(chunk.subarray(0, room))
      this.#first.push(part)
      this.#firstBytes += part.length
    }
    if (chunk.length > room) this.#keepLast(chunk.subarray(Math.max(0, room)))
  }

  /** Old chunks go when they are wholly out of reach, so that memory stays within twice the bound. */
  #keepLast(chunk: Buffer): void {
    const part = Buffer.from(chunk.subarray(Math.max(0, chunk.length - this.#tail)))
    this.#last.push(part)
    this.#lastBytes += part.length
    while (this.#last.length > 1 && this.#lastBytes - (this.#last[0]?.length ?? 0) >= this.#tail)
      this.#lastBytes -= this.#last.shift()?.length ?? 0
    if (this.#last.length > MOST_CHUNKS) this.#last = [Buffer.concat(this.#last)]
  }

  /** Whether nothing was dropped. */
  get isWhole(): boolean {
    return this.total <= this.#head + this.#tail
  }

  /** The bytes, where nothing was dropped. */
  whole(): Buffer {
    return Buffer.concat([...this.#first, this.#end()])
  }

  /** As text, with a mark where something is missing. No character is cut in two by the bound. */
  text(): KeptText {
    if (this.isWhole) return { ...decoded(this.whole()), dropped: 0 }
    const first = withoutCutEnd(Buffer.concat(this.#first))
    const last = withoutCutStart(this.#end())
    const dropped = this.total - first.length - last.length
    const [head, tail] = [decoded(first), decoded(last)]
    return { text: `${head.text}\n[... ${dropped} bytes left out ...]\n${tail.text}`, dropped, isMended: head.isMended || tail.isMended }
  }

  #end(): Buffer {
    const all = Buffer.concat(this.#last)
    return all.subarray(Math.max(0, all.length - this.#tail))
  }
}

const MOST_CHUNKS = 1024
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decoded(bytes: Uint8Array): { readonly text: string; readonly isMended: boolean } {
  try {
    return { text: strict.decode(bytes), isMended: false }
  } catch {
    return { text: lenient.decode(bytes), isMended: true }
  }
}

/** Without the beginning of a character whose end was dropped. */
function withoutCutEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) break
    if (byte >= 0xc0) return lengthOf(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}

/** Without the end of a character whose beginning was dropped. */
function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0
  while (start < 3 && start < bytes.length && ((bytes[start] as number) & 0xc0) === 0x80) start++
  return bytes.subarray(start)
}

function lengthOf(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
}
