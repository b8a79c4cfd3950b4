import type { Socket } from 'node:net'

/** So long the server goes on with a connection whose client went away unheard: as keepalive packets would find out. */
const UNHEARD_MS = 20_000

/** How a connection is broken without being closed. `replies`: statements still reach the server. `all`: nothing reaches anybody. */
export type Silence = 'replies' | 'all'

/** A connection of a client with the database, and all that can go wrong with it on the way. */
export class ProxiedConnection {
  readonly #client: Socket
  readonly #server: Socket
  readonly #timers = new Set<NodeJS.Timeout>()
  #silence: Silence | undefined
  #isLosingReply = false
  #delayMs = 0
  #lastUsed = 0
  #onClosed: () => void = () => {}

  constructor(client: Socket, server: Socket) {
    this.#client = client
    this.#server = server
    client.setNoDelay(true)
    this.#carry(client, server, () => this.#passesStatement())
    this.#carry(server, client, () => this.#passesReply())
    client.once('close', () => this.#closed(server))
    server.once('close', () => this.#closed(client))
  }

  /** Called when both ends are gone. */
  onClosed(work: () => void): void {
    this.#onClosed = work
  }

  /** Rises with every statement: the connection that was used last has the highest. */
  get lastUsed(): number {
    return this.#lastUsed
  }

  get isSilent(): boolean {
    return this.#silence !== undefined
  }

  /** Ends it for both at once. */
  cut(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#client.resetAndDestroy()
    this.#server.destroy()
  }

  /** From now on nothing is passed, and neither end learns what becomes of the other. */
  silence(silence: Silence): void {
    this.#silence = silence
  }

  /** The next statement reaches the server; when it answers, the connection is cut in place of the answer. */
  loseReply(): void {
    this.#isLosingReply = true
  }

  /** Everything takes so much longer, in both directions. */
  delay(ms: number): void {
    this.#delayMs = ms
  }

  #passesStatement(): boolean {
    this.#lastUsed = performance.now()
    return this.#silence !== 'all'
  }

  #passesReply(): boolean {
    if (this.#isLosingReply && !this.isSilent) this.cut()
    return !this.isSilent && !this.#isLosingReply
  }

  #carry(from: Socket, to: Socket, passes: () => boolean): void {
    let due = 0
    from.on('error', () => {})
    from.on('data', (chunk: Buffer) => {
      if (!passes()) return
      const now = performance.now()
      due = Math.max(due, now + this.#delayMs)
      if (due <= now) this.#write(from, to, chunk)
      else this.#later(due - now, () => this.#write(from, to, chunk))
    })
  }

  #write(from: Socket, to: Socket, chunk: Buffer): void {
    if (to.destroyed || to.write(chunk)) return
    from.pause()
    to.once('drain', () => from.resume())
  }

  #closed(other: Socket): void {
    if (other.closed) this.#onClosed()
    else if (this.isSilent) this.#later(UNHEARD_MS, () => other.destroy())
    else this.#later(this.#delayMs, () => other.end())
  }

  #later(ms: number, work: () => void): void {
    if (ms === 0) return work()
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      work()
    }, ms)
    this.#timers.add(timer)
  }
}
