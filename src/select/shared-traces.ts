import { cryptoModule } from '../tool/crypto-module.ts'
import { isTrace } from './trace-file.ts'
import type { ForgottenTraces, StoredTrace, TraceStore } from './trace-store.ts'
import type { Trace } from './traces.ts'

/** Traces that wait while the store cannot be reached; then the oldest are dropped. */
const MOST_WAITING = 10_000
/** If something is forgotten so often while everything is read, the next `sync` begins anew. */
const MOST_RESTARTS = 5

/** What a catalog does with the news of its store. */
export interface TraceReader {
  readonly add: (trace: Trace) => void
  /** All that was learned is to be read anew. */
  readonly clear: () => void
}

/**
 * What one catalog shares with others through a store. A trace that could not be written waits, and is written with the next; its id makes sure
 * that it counts once, also where nobody knows whether the first attempt had succeeded.
 */
export class SharedTraces {
  readonly #store: TraceStore
  readonly #reader: TraceReader
  #waiting: StoredTrace[] = []
  #mark: string | undefined
  /** One after another. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(store: TraceStore, reader: TraceReader) {
    this.#store = store
    this.#reader = reader
  }

  /** Writes them, and those that wait. */
  async write(traces: readonly Trace[]): Promise<void> {
    const { randomUUID } = cryptoModule()
    for (const trace of traces) this.#waiting.push({ ...trace, id: randomUUID() })
    if (this.#waiting.length > MOST_WAITING) this.#waiting = this.#waiting.slice(-MOST_WAITING)
    await this.#inTurn(() => this.#flush())
  }

  /** Writes what waits, and reads what others have written and forgotten. */
  async sync(): Promise<void> {
    await this.#inTurn(async () => {
      await this.#flush()
      let restarts = 0
      for (let more = true; more;) {
        const before = this.#mark
        const news = await this.#store.since(before)
        // From the beginning there is nothing to read anew.
        if (news.forgotten && before !== undefined) {
          this.#reader.clear()
          this.#mark = undefined
          if (++restarts === MOST_RESTARTS) return
          continue
        }
        // Another program may have written what is no trace.
        for (const trace of news.traces) if (isTrace(trace)) this.#reader.add(trace)
        this.#mark = news.mark
        more = news.more && news.mark !== before
      }
    })
  }

  /** Forgets here and in the store. */
  async forget(which: ForgottenTraces): Promise<number> {
    const forgotten = await this.#inTurn(async () => {
      await this.#flush()
      return this.#store.forget(which)
    })
    await this.sync()
    return forgotten
  }

  async #flush(): Promise<void> {
    const written = [...this.#waiting]
    if (written.length === 0) return
    await this.#store.add(written)
    const ids = new Set(written.map(({ id }) => id))
    this.#waiting = this.#waiting.filter(({ id }) => !ids.has(id))
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => {})
    return done
  }
}
