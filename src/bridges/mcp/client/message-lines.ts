const LINE_END = 0x0a

/** Cuts a stream of bytes into lines of a bounded length. */
export class MessageLines {
  readonly #most: number
  readonly #onLine: (line: string) => void
  #parts: Buffer[] = []
  #length = 0
  #isSkipping = false

  constructor(most: number, onLine: (line: string) => void) {
    this.#most = most
    this.#onLine = onLine
  }

  /** False if a line is too long; what was read of it is gone. */
  push(chunk: Buffer): boolean {
    let from = 0
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      if (!this.#add(chunk.subarray(from, end))) return false
      this.#take()
      from = end + 1
    }
    return this.#add(chunk.subarray(from))
  }

  /** Drops what comes until the next line begins. */
  skipLine(): void {
    this.#isSkipping = true
  }

  #add(part: Buffer): boolean {
    if (part.length === 0 || this.#isSkipping) return true
    this.#length += part.length
    if (this.#length > this.#most) {
      this.#parts = []
      this.#length = 0
      return false
    }
    this.#parts.push(part)
    return true
  }

  #take(): void {
    const line = this.#isSkipping ? undefined : Buffer.concat(this.#parts, this.#length).toString('utf8')
    this.#parts = []
    this.#length = 0
    this.#isSkipping = false
    if (line !== undefined) this.#onLine(line.replace(/\r$/, ''))
  }
}
