import { ToolError } from '../../tool/errors/tool-error.ts'
import type { Listener } from '../../tool/event.ts'
import type { Clock } from '../../tool/ports/clock.ts'
import type { Waits } from '../../tool/retry-rules.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import type { Journal, JournalEntry, ReviewEntry } from '../../tool/journal/journal.ts'
import { inRow } from './in-row.ts'
import type { Artifact, JournalRow } from '../store/journal-store.ts'
import { never } from '../never.ts'
import type { Claim } from '../store/run-queue.ts'
import { Fenced, type JournalWriter } from './journal-writer.ts'
import { inApproval, inEntry, inEvent, type Place } from './place.ts'
import type { Values } from './values.ts'

/** A text beyond this would be more than PostgreSQL can hold in a field, sealed or not. */
const MOST_CHARACTERS = 256 * 1024 * 1024

/** Replaces the key of an entry that a replay need not reach again. */
export const LATE = '-'

export interface RunJournalOptions {
  readonly run: Claim
  /** The time of the segment. */
  readonly clock: Clock
  readonly entries: readonly JournalEntry[]
  readonly writer: JournalWriter
  readonly values: Values
  /** Of steps that only read. */
  readonly retries: Waits | undefined
  /** A person is asked about unknown outcomes. */
  readonly asksOutcome: boolean
  /** Called whenever less is under way. */
  readonly onQuieter: () => void
  /** A request was decided: by a person, who has recorded it, or by the time that it had. */
  readonly onDecision: (entry: ReviewEntry) => undefined | Promise<void>
  /**
   * Whether nobody else can have been given the run by now, as far as the time since the last confirmed sign of life tells. Where that is too
   * long ago, it is asked for anew.
   */
  readonly holdsLease: () => true | Promise<boolean>
  /** The run is somebody else's now. */
  readonly onFenced: () => void
  /** The database refuses what is written, and would do so again. */
  readonly onRefused: (error: Error) => void
  /** The program differs from the record. */
  readonly onDiverged: (refusal: Error) => void
}

/** The journal of one segment of a run. Once it is closed nothing is recorded, and so nothing goes on. */
export class RunJournal implements Journal {
  readonly durable = true
  readonly retries: Waits | undefined
  readonly asksOutcome: boolean
  readonly #options: RunJournalOptions
  readonly #entries: Map<string, JournalEntry>
  readonly #begun = new Map<string, number>()
  #isClosed = false
  readonly #leavers = new Set<() => void>()
  /** A decision that comes while the run is being parked waits for the outcome. */
  #held: Promise<void> | undefined
  #writing = 0
  /** What was recorded last, if nobody waits for it. */
  #latest: JournalRow | undefined
  #rows = 0
  #onFlushed: (() => void) | undefined
  #busy = 0
  /** How many sleeps end at each moment. */
  readonly #sleeps = new Map<number, number>()

  constructor(options: RunJournalOptions) {
    this.#options = options
    this.retries = options.retries
    this.asksOutcome = options.asksOutcome
    this.#entries = new Map(options.entries.map((entry) => [entry.path, entry]))
  }

  /** Something moves without a person and without the time that a sleep waits for. */
  get isBusy(): boolean {
    return this.#busy > 0 || this.#writing > 0
  }

  /** When the next sleep is over, in milliseconds since the epoch. */
  get nextWake(): number {
    let next = Infinity
    for (const until of this.#sleeps.keys()) next = Math.min(next, until)
    return next
  }

  /** The latest at each path. */
  get entries(): Iterable<JournalEntry> {
    return this.#entries.values()
  }

  readonly read = (path: string): JournalEntry | undefined => this.#entries.get(path)

  readonly past = (): Iterable<JournalEntry> => this.#options.entries

  readonly write = (entry: JournalEntry): undefined | Promise<void> => {
    if (this.#isClosed) return never()
    if (this.#held !== undefined) return this.#held.then(() => this.write(entry))
    this.#entries.set(entry.path, entry)
    if (entry.kind === 'review' && entry.decision !== undefined) return this.#options.onDecision(entry)
    const isWaitedFor = !isFollowed(entry)
    const written = this.#send(this.#rowOf(entry), isWaitedFor)
    if (!isWaitedFor) return undefined
    return entry.kind === 'call' && entry.result === undefined ? written.then(() => this.#leased()) : written
  }

  readonly inFlight = (change: 1 | -1, until?: number): void => {
    if (until === undefined) this.#busy += change
    else this.#countSleep(until, change)
    if (change === -1) this.#options.onQuieter()
  }

  #countSleep(until: number, change: 1 | -1): void {
    const count = (this.#sleeps.get(until) ?? 0) + change
    if (count === 0) this.#sleeps.delete(until)
    else this.#sleeps.set(until, count)
  }

  readonly diverged = (refusal: Error): void => this.#options.onDiverged(refusal)

  readonly accept = (result: JsonData): void => {
    const length = JSON.stringify(result).length
    if (length <= MOST_CHARACTERS) return
    throw new ToolError(
      `The result is too large for a durable run: ${length} characters of JSON, and ${MOST_CHARACTERS} are the most that can be kept.`,
      { code: 'result_too_large', outcome: 'unknown' },
    )
  }

  /** Records an event for those who follow the run. */
  tell(type: string, data: JsonData): void {
    if (this.#isClosed) return
    const sealed = this.#options.values.seal(data, inEvent(this.#options.run.id, type))
    void this.#send({ ...this.#blank, event: { type, data: sealed } }, false)
  }

  /** A run that is being parked still waits for its requests: a withdrawal waits for the outcome. */
  withdraw(id: string): void {
    if (this.#held !== undefined) void this.#held.then(() => this.withdraw(id))
    else if (!this.#isClosed) void this.#send({ ...this.#blank, review: { change: 'withdrawn', id } }, false)
  }

  /** Keeps what is recorded from now on waiting, until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#held = promise
    return () => {
      this.#held = undefined
      resolve()
    }
  }

  /** Resolves when all that was recorded so far is in the database. */
  flushed(): Promise<void> {
    if (this.#writing === 0) return Promise.resolve()
    return new Promise((resolve) => (this.#onFlushed = resolve))
  }

  /** Takes back the only entry that is not in the database yet, if it has not been sent: it can be recorded with the end of the run. */
  takeLast(): JournalRow | undefined {
    const latest = this.#latest
    if (this.#writing !== 1 || latest === undefined || !isBare(latest)) return undefined
    return this.#options.writer.takeBack(latest) ? latest : undefined
  }

  close(): void {
    this.#isClosed = true
    for (const callback of this.#leavers) callback()
    this.#leavers.clear()
  }

  onLeave(callback: () => void): () => void {
    if (this.#isClosed) callback()
    else this.#leavers.add(callback)
    return () => this.#leavers.delete(callback)
  }

  get #blank(): JournalRow {
    const { id: run, epoch } = this.#options.run
    const nothing = { tool: null, key: null, inputHash: null, input: null, data: null }
    return {
      run,
      epoch,
      path: '',
      version: epoch * 2 ** 32 + ++this.#rows,
      kind: '',
      ...nothing,
      begunAt: this.#options.clock.now(),
      endedAt: null,
    }
  }

  #rowOf(entry: JournalEntry): JournalRow {
    const artifacts: Artifact[] = []
    const { path, kind, late } = entry
    const kept = (data: JsonData, column: 'input' | 'data'): string => {
      return inRow(this.#options.values.seal(data, this.#placeOf(path, column)), (artifact) => artifacts.push(artifact))
    }
    const now = this.#options.clock.now()
    const begunAt = this.#begun.get(path) ?? now
    const columns = this.#columnsOf(entry, kept)
    const endedAt = isEnded(entry) ? now : null
    const row: JournalRow = { ...this.#blank, path, kind, begunAt, endedAt, ...columns, ...(late === true ? { key: LATE } : {}) }
    if (endedAt === null) this.#begun.set(path, begunAt)
    else this.#begun.delete(path)
    return artifacts.length === 0 ? row : { ...row, artifacts }
  }

  #placeOf(path: string, column: 'input_hash' | 'input' | 'data'): Place {
    return inEntry(this.#options.run.id, path, column)
  }

  #columnsOf(entry: JournalEntry, kept: (data: JsonData, column: 'input' | 'data') => string): Partial<JournalRow> {
    const { values, run } = this.#options
    switch (entry.kind) {
      case 'call': {
        const { path, tool, key, input, result } = entry
        const inputHash = values.sealWord(entry.inputHash, this.#placeOf(path, 'input_hash'))
        const columns = { tool, key, inputHash, input: input === undefined ? null : kept(input, 'input') }
        return result === undefined ? columns : { ...columns, data: kept(result, 'data') }
      }
      case 'decision':
        return { data: kept(entry.value, 'data') }
      case 'sleep':
        return { data: kept(entry.until, 'data') }
      case 'review': {
        const { request, at, isShielded = false } = entry
        const sealed = values.seal(request as unknown as JsonData, inApproval(run.id, request.id, 'request'))
        return {
          tool: request.tool,
          data: kept({ request, at } as unknown as JsonData, 'data'),
          review: { change: 'asked', request, sealed, isShielded },
        }
      }
    }
  }

  /** No effect begins after a pause that was long enough for another worker to take the run. */
  #leased(): undefined | Promise<void> {
    const held = this.#options.holdsLease()
    if (held === true) return undefined
    return held.then((isHeld) => {
      if (isHeld && !this.#isClosed) return undefined
      this.close()
      this.#options.onFenced()
      return never()
    })
  }

  async #send(row: JournalRow, isWaitedFor: boolean): Promise<void> {
    this.#writing++
    this.#latest = isWaitedFor ? undefined : row
    try {
      await this.#options.writer.write(row, isWaitedFor)
      // What was written before it was refused: nothing follows from this either.
      if (this.#isClosed && isWaitedFor) return never()
    } catch (error) {
      this.close()
      if (error instanceof Fenced) this.#options.onFenced()
      else this.#options.onRefused(error as Error)
      return never()
    } finally {
      this.#writing--
      if (this.#writing === 0) this.#onFlushed?.()
      this.#options.onQuieter()
    }
  }
}

/**
 * Entries that need not be waited for: the order in which rows are written is enough. What follows from a result is the beginning of another
 * step, a decision, a question or the end of the run, and each of these is waited for; a step that only reads may begin before. The result of
 * a step that must not run again is waited for all the same.
 */
function isFollowed(entry: JournalEntry): boolean {
  if (entry.kind === 'call') return entry.repeatable === true
  return entry.kind === 'decision' && /:(deadline|(now|id|random)(#\d+)?)$/.test(entry.path)
}

/** It is an entry, with nothing that goes along. */
function isBare({ path, review, event, artifacts }: JournalRow): boolean {
  return path !== '' && review === undefined && event === undefined && artifacts === undefined
}

/** Nothing more comes at its path from here. A request ends with a decision, which goes another way. */
function isEnded(entry: JournalEntry): boolean {
  return entry.kind === 'call' ? entry.result !== undefined : entry.kind !== 'review'
}

/** Records the progress that steps report, for those who follow the run. */
export function progressEvents(journal: RunJournal): Listener {
  return (event) => {
    if (event.type !== 'call.progressed') return
    const { message, progress, total } = event
    journal.tell('progress', {
      path: event.call.path,
      tool: event.call.tool,
      ...(message === undefined ? {} : { message }),
      ...(progress === undefined ? {} : { progress }),
      ...(total === undefined ? {} : { total }),
    })
  }
}
