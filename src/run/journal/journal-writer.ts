import { nextTurn } from '../../tool/ports/clock.ts'
import { growingPause } from '../host.ts'
import type { JournalRow, WrittenClaims } from '../store/journal-store.ts'
import type { RunStore } from '../store/run-store.ts'
import type { OnStopPoint } from '../stop-point.ts'

/** The run was claimed by somebody else: nothing that this claim still does counts. */
export class Fenced extends Error {
  override readonly name = 'Fenced'
}

interface Pending {
  readonly row: JournalRow
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

export interface WriterOptions {
  readonly store: Pick<RunStore, 'write' | 'clock' | 'isPassing'>
  readonly reach: OnStopPoint
  /** Told when the database does not answer, and again when it does. */
  readonly onTrouble: (trouble: Error | undefined) => void
}

/**
 * Writes the journals of all runs of this process, in the order in which entries come. Entries that come while a write is under way go with
 * the next one, in one statement and one commit. A database that is away for a while is waited for: nothing is given up.
 */
export class JournalWriter {
  readonly #options: WriterOptions
  #pending: Pending[] = []
  #isWriting = false
  #isDue = false
  #isClosed = false
  /** When the write that is under way began. */
  #since: number | undefined
  #onIdle: (() => void) | undefined

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /**
   * Resolves when the row is in the database for good; rejects with `Fenced` when it does not count. A row that nobody waits for goes with
   * the first after it that somebody does, or else when the burst of work is over.
   */
  write(row: JournalRow, isWaitedFor = true): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ row, resolve, reject })
      if (this.#isWriting || (this.#isDue && !isWaitedFor)) return
      if (isWaitedFor) {
        this.#isWriting = true
        // What is written in the same burst of work goes together.
        queueMicrotask(() => void this.#drain())
      } else {
        this.#isDue = true
        nextTurn(() => this.#drainDue())
      }
    })
  }

  /** Takes back a row that nobody waits for. False where it is under way or written: then it stays. */
  takeBack(row: JournalRow): boolean {
    const at = this.#pending.findIndex((each) => each.row === row)
    const [taken] = at === -1 ? [] : this.#pending.splice(at, 1)
    taken?.resolve()
    return taken !== undefined
  }

  /** How long the write that is under way has taken so far; 0 where nothing waits to be written. */
  get stuckMs(): number {
    return this.#since === undefined ? 0 : this.#options.store.clock.tick() - this.#since
  }

  /** Resolves when all that came so far is written. */
  idle(): Promise<void> {
    if (!this.#isWriting && this.#pending.length === 0) return Promise.resolve()
    return new Promise((resolve) => (this.#onIdle = resolve))
  }

  close(): void {
    this.#isClosed = true
  }

  #drainDue(): void {
    this.#isDue = false
    if (this.#isWriting || this.#pending.length === 0) return
    this.#isWriting = true
    void this.#drain()
  }

  async #drain(): Promise<void> {
    while (this.#pending.length > 0 && !this.#isClosed) {
      const batch = this.#pending
      this.#pending = []
      await this.#writeBatch(batch)
    }
    this.#isWriting = false
    this.#onIdle?.()
  }

  /** What the database refuses in a batch is found one by one, so that nobody else suffers from it. */
  async #writeBatch(batch: readonly Pending[]): Promise<void> {
    this.#since = this.#options.store.clock.tick()
    const refused = await this.#tryToWrite(batch)
    if (refused !== undefined && batch.length === 1) for (const { reject } of batch) reject(refused)
    else if (refused !== undefined) await this.#writeOneByOne(batch)
    this.#since = undefined
  }

  /** Nothing of a run is written after what was refused of it: its rows lead to one another. */
  async #writeOneByOne(batch: readonly Pending[]): Promise<void> {
    const refused = new Map<string, Error>()
    for (const each of batch) {
      const { run, epoch } = each.row
      const claim = `${run} ${epoch}`
      this.#since = this.#options.store.clock.tick()
      const error = refused.get(claim) ?? (await this.#tryToWrite([each]))
      if (error === undefined) continue
      refused.set(claim, error)
      each.reject(error)
    }
  }

  /** Gives the error with which the database refuses the rows, and would do so again; waits while it is away. */
  async #tryToWrite(batch: readonly Pending[]): Promise<Error | undefined> {
    const { store } = this.#options
    const pause = growingPause(store.clock)
    let isTroubled = false
    while (!this.#isClosed) {
      try {
        const mine = await this.#write(batch.map(({ row }) => row))
        if (isTroubled) this.#options.onTrouble(undefined)
        for (const { row, resolve, reject } of batch)
          if (mine.get(row.run) === row.epoch) resolve()
          else reject(new Fenced(`The run '${row.run}' was taken up elsewhere.`))
        return undefined
      } catch (error) {
        if (!store.isPassing(error)) return error as Error
        isTroubled = true
        this.#options.onTrouble(error as Error)
        await pause()
      }
    }
    return undefined
  }

  async #write(rows: readonly JournalRow[]): Promise<WrittenClaims> {
    const { store, reach } = this.#options
    reach('entries.writing')
    const mine = await store.write(rows)
    reach('entries.written')
    return mine
  }
}
