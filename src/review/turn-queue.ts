/** Runs one work at a time, in the order of the calls. An aborted call leaves the queue. */
export class TurnQueue {
  #taken = false
  readonly #waiting = new Set<() => void>()

  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(signal)
    try {
      signal.throwIfAborted()
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (!this.#taken) {
      this.#taken = true
      return
    }
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = (): void => {
        this.#waiting.delete(enter)
        reject(signal.reason as Error)
      }
      this.#waiting.add(enter)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  /** The turn passes to the next call at once, so that no new call can come in between. */
  #leave(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#taken = false
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
