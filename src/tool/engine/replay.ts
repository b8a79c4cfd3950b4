import { type CancelTimer, type Clock, nextTurn } from '../ports/clock.ts'
import { hiddenField } from '../hidden-field.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import type { Journal, JournalEntry } from '../journal/journal.ts'
import { isNotStarted } from '../result/result-codec.ts'

/** How long a program may take from one recorded entry to the next before it counts as another program. */
const PATIENCE_MS = 3000
const MAX_NAMED = 5

/** One place of a path, and what is recorded there. */
class Place {
  readonly below = new Map<string, Place>()
  readonly above: Place | undefined
  entry: JournalEntry | undefined
  isDue = false
  /** How many entries at and below this place are not visited yet. */
  due = 0

  constructor(above: Place | undefined) {
    this.above = above
  }
}

interface ReplayParts {
  readonly clock: Clock
  /** The public id of the run. */
  readonly run: string | undefined
  readonly isRehearsal?: boolean | undefined
  /** Hears at once why nothing new may begin. */
  readonly onRefusal?: ((refusal: ConfigurationError) => void) | undefined
}

/**
 * The records of a resumed run, and which of them the program has reached. Reading a record visits it. Until all are visited the run
 * catches up: it may enter any call, even in a closed scope, and nothing new begins. Records were written in the order of events, so an
 * unchanged program reaches all of them without doing anything new.
 */
export class Replay {
  readonly #root = new Place(undefined)
  readonly #clock: Clock
  readonly #run: string
  /** Nothing new ever begins. */
  readonly isRehearsal: boolean
  /** The number of waits for a recorded sleep, the journal or a store. The patience timer stops meanwhile. */
  #waits = 0
  #stopTimer: CancelTimer | undefined
  #held = 0
  #end = Promise.withResolvers<void>()
  #hasGivenUp = false
  /** The waits for the records of one place. */
  #settling: { readonly place: Place; readonly resolve: () => void }[] = []
  readonly #left: JournalEntry[] = []
  /** Why nothing new begins: the program differs from its records. */
  #refusal: ConfigurationError | undefined
  readonly #onRefusal: ReplayParts['onRefusal']
  /** The first new thing that the program would do. */
  #next: string | undefined
  /** The number of recorded stops that end the run. Nothing new begins except undoing, unless a stop came too late. */
  #stops = 0
  #isStopped = false
  #goOn = Promise.withResolvers<void>()
  readonly #reading: string[] = []

  constructor(past: Iterable<JournalEntry>, { clock, run, isRehearsal = false, onRefusal }: ReplayParts) {
    this.#clock = clock
    this.#onRefusal = onRefusal
    this.#run = run === undefined ? 'This run' : `The run '${run}'`
    this.isRehearsal = isRehearsal
    for (const entry of past) this.#add(entry)
    if (!this.isCatchingUp) this.#end.resolve()
    this.#end.promise.catch(() => {})
  }

  get isCatchingUp(): boolean {
    return this.#root.due > 0
  }

  /** Something that is recorded inside this path is not visited yet. */
  isCatchingUpIn(path: string): boolean {
    return this.isCatchingUp && (this.#find(path)?.due ?? 0) > 0
  }

  /** Whether anything is recorded at or inside this path. */
  holds(path: string): boolean {
    return this.#find(path) !== undefined
  }

  /** The same without the deadline of the call itself, which is recorded before the call is admitted. */
  hasBegun(path: string): boolean {
    const place = this.#find(path)
    return place !== undefined && (place.entry !== undefined || [...place.below.keys()].some((label) => label !== DEADLINE))
  }

  /** Something inside this path was done. Notes do not count, and calls that were not started: a run that is over records both where it only walks. */
  hasDone(path: string): boolean {
    const place = this.#find(path)
    return place !== undefined && entriesBelow(place).some(isDone)
  }

  /** Why nothing new may begin, not even undoing: the program has changed. */
  get refusal(): ConfigurationError | undefined {
    return this.#refusal
  }

  /** The entry at this path does not fit the program. The run makes no progress, and the entry counts as not visited. */
  refuse(path: string, refusal: ConfigurationError): void {
    const entry = this.#find(path)?.entry
    if (entry !== undefined) this.#left.push(entry)
    this.#refuseBy(() => refusal)
  }

  #refuseBy(refusal: () => ConfigurationError): void {
    if (this.#refusal !== undefined) return
    this.#refusal = refusal()
    this.#onRefusal?.(this.#refusal)
  }

  /** A stop that is recorded ends the run (1), or has come too late (-1). */
  stops(change: 1 | -1): void {
    this.#stops += change
    if (this.#stops === 0) this.#release()
  }

  /** A recorded stop is known to have come in time: what it holds never begins. */
  stopped(): void {
    this.#isStopped = true
    this.#release()
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  #release(): void {
    this.#goOn.resolve()
    this.#goOn = Promise.withResolvers()
  }

  visit(path: string): void {
    if (!this.isCatchingUp) return
    const place = this.#find(path)
    if (place === undefined) return
    // The result of a step is given back whole, with the approval that it had.
    if (place.entry?.kind === 'call') this.#forget(place)
    else this.#settle(place)
    this.#progressed()
  }

  /** The remaining records inside this path need not be visited. */
  passOver(path: string): void {
    const place = this.isCatchingUp ? this.#find(path) : undefined
    if (place === undefined || place.due === 0) return
    this.#forget(place)
    this.#progressed()
  }

  /** The call at this path is refused now: its records are not visited, and its effects remain. */
  leave(path: string): void {
    const place = this.#find(path)
    if (place !== undefined) this.#left.push(...dueBelow(place))
    this.passOver(path)
  }

  /** Recorded entries of refused calls: they need not be reached, and were not undone. */
  get left(): readonly JournalEntry[] {
    return [...this.#left, ...this.unvisited]
  }

  /** The entries that were not visited, in the order of the record. */
  get unvisited(): readonly JournalEntry[] {
    return this.isCatchingUp ? [...dueBelow(this.#root)] : []
  }

  /** The same inside this path. */
  unvisitedIn(path: string): readonly JournalEntry[] {
    const place = this.isCatchingUp ? this.#find(path) : undefined
    return place === undefined ? [] : [...dueBelow(place)]
  }

  /** All entries at and inside this path. */
  recordedIn(path: string): readonly JournalEntry[] {
    const place = this.#find(path)
    return place === undefined ? [] : [...entriesBelow(place)]
  }

  /** A wait begins (1) or ends (-1) that is not the program's own: for a recorded sleep, the journal, a store. */
  waits(change: 1 | -1): void {
    this.#waits += change
    if (this.#stopTimer !== undefined) this.#wait()
  }

  /** In a rehearsal, the paths of new reads before all records are reached: the run would depend on their results. */
  get reading(): readonly string[] {
    return this.#reading
  }

  wouldRead(path: string): void {
    if (this.isCatchingUp) this.#reading.push(path)
  }

  /** Nothing new may begin yet: the run catches up, or earlier waiters have not continued. */
  get isHolding(): boolean {
    return this.isRehearsal || this.isCatchingUp || this.#refusal !== undefined || this.#stops > 0 || this.#held > 0
  }

  /** The undoing may not begin yet. */
  get isHoldingUndoing(): boolean {
    return this.isRehearsal || this.isCatchingUp || this.#refusal !== undefined
  }

  /**
   * Resolves when all records are visited. Rejects if the program does not reach them in time: then it has changed. Waiters continue in the
   * order of their arrival.
   */
  async caughtUp(next: string, isEffect = true): Promise<void> {
    this.#held++
    this.#next ??= next
    try {
      if (this.isCatchingUp && this.#stopTimer === undefined && !this.#hasGivenUp) this.#wait()
      await this.#end.promise
      if (this.isRehearsal) await new Promise(() => {})
      // A stop that may end the run holds new effects, but not undoing or notes of combinators.
      while (this.#stops > 0 && !this.#isStopped && isEffect) await this.#goOn.promise
    } catch {
      this.#refuseBy(() => this.divergence(`begins '${next}'`))
    } finally {
      this.#held--
    }
    if (this.#refusal !== undefined) throw this.#refusal
  }

  /** Resolves when all records inside this path are visited, or when the patience ends. */
  settledIn(path: string): Promise<void> {
    const place = this.isCatchingUp && !this.#hasGivenUp ? this.#find(path) : undefined
    if (place === undefined || place.due === 0) return Promise.resolve()
    if (this.#stopTimer === undefined) this.#wait()
    return new Promise((resolve) => this.#settling.push({ place, resolve }))
  }

  /** The same for the whole run. */
  settled(): Promise<void> {
    return this.settledIn('')
  }

  /** The same for a program that was only rehearsed. */
  rehearsedDivergence(): ConfigurationError {
    return this.divergence(this.#next === undefined ? 'goes another way' : `begins '${this.#next}'`)
  }

  /** The error for a program that differs from its records. */
  divergence(now: string): ConfigurationError {
    const { unvisited } = this
    const named = unvisited.slice(0, MAX_NAMED).map(({ kind, path }) => `the ${kind === 'review' ? 'question' : kind} '${path}'`)
    const more = unvisited.length > MAX_NAMED ? ` and ${unvisited.length - MAX_NAMED} more` : ''
    return new ConfigurationError(
      'replay_diverged',
      `${this.#run} recorded ${named.join(', ')}${more}, which the program no longer reaches; now it ${now}. ` +
        'Nothing new was begun. Continue the run with the version that began it, or keep the old code for such runs: if (await context.patched(label)) { new } else { old }.',
    )
  }

  #add(entry: JournalEntry): void {
    let place = this.#root
    for (const label of labelsOf(entry.path)) {
      let next = place.below.get(label)
      if (next === undefined) place.below.set(label, (next = new Place(place)))
      place = next
    }
    const wasDue = place.isDue
    place.entry = entry
    place.isDue = isDue(entry)
    if (place.isDue !== wasDue) this.#count(place, place.isDue ? 1 : -1)
  }

  #find(path: string): Place | undefined {
    let place: Place | undefined = this.#root
    for (const label of labelsOf(path)) {
      place = place.below.get(label)
      if (place === undefined) return undefined
    }
    return place
  }

  #settle(place: Place): void {
    if (!place.isDue) return
    place.isDue = false
    this.#count(place, -1)
  }

  #forget(place: Place): void {
    if (place.due === 0) return
    this.#settle(place)
    for (const each of place.below.values()) this.#forget(each)
  }

  #count(from: Place, change: number): void {
    for (let place: Place | undefined = from; place !== undefined; place = place.above) place.due += change
  }

  #progressed(): void {
    this.#tell(({ due }) => due === 0)
    if (!this.isCatchingUp) {
      this.#stopTimer?.()
      this.#stopTimer = undefined
      this.#end.resolve()
    } else if (this.#stopTimer !== undefined) this.#wait()
  }

  #tell(isSettled: (place: Place) => boolean): void {
    if (this.#settling.length === 0) return
    const settled = this.#settling.filter(({ place }) => isSettled(place))
    if (settled.length > 0) this.#settling = this.#settling.filter(({ place }) => !isSettled(place))
    for (const { resolve } of settled) resolve()
  }

  /** Waits for the next visit. */
  #wait(): void {
    this.#stopTimer?.()
    const { due } = this.#root
    this.#stopTimer =
      this.#waits > 0 ? () => {} : this.#clock.timer(PATIENCE_MS, () => this.#clock.soon(() => nextTurn(() => this.#giveUp(due))))
  }

  /** After a pause of the process, timers fire first: work that was ready has run by the time of this call. */
  #giveUp(due: number): void {
    if (this.#root.due !== due || this.#waits > 0) return
    this.#stopTimer = undefined
    this.#hasGivenUp = true
    this.#tell(() => true)
    this.#end.reject(new Error('given up'))
  }
}

/** `a/b:approval` as `a`, `b`, `:approval`. */
function labelsOf(path: string): readonly string[] {
  return path === '' ? [] : path.split(/\/|(?=:)/)
}

/**
 * Whether the program must reach an entry before anything new begins: calls, sleeps, questions, and its own decisions. Notes of combinators
 * and of the engine have labels that begin with a dot or a colon.
 */
function isDue({ kind, path, late, ...entry }: JournalEntry): boolean {
  if (late === true || /(^|\/)\./.test(path)) return false
  if (kind !== 'decision') return true
  const mark = path.lastIndexOf(':')
  if (mark < 0 || mark < path.lastIndexOf('/')) return true
  // A recorded choice of the old code must be reached; a choice of the new code need not.
  return path.startsWith(PATCHED, mark) && 'value' in entry && entry.value === false
}

/** The mark of the recorded time of a part. */
export const DEADLINE = ':deadline'

/** The mark of a recorded choice between the old and the new code. */
export const PATCHED = ':patched.'

function* dueBelow(place: Place): Iterable<JournalEntry> {
  if (place.isDue && place.entry !== undefined) yield place.entry
  for (const each of place.below.values()) if (each.due > 0) yield* dueBelow(each)
}

function isDone(entry: JournalEntry): boolean {
  return entry.kind === 'call' ? entry.result === undefined || !isNotStarted(entry.result) : isDue(entry)
}

function* entriesBelow(place: Place): Generator<JournalEntry> {
  if (place.entry !== undefined) yield place.entry
  for (const each of place.below.values()) yield* entriesBelow(each)
}

const rehearsals = new WeakSet<Journal>()

/** Runs with this journal only replay, and begin nothing new. */
export function markRehearsal(journal: Journal): void {
  rehearsals.add(journal)
}

const replays = hiddenField<Journal, Replay>()

/** Begins the replay of a journal; undefined if it is empty. */
export function beginReplay(journal: Journal, parts: Pick<ReplayParts, 'clock' | 'run'>): Replay | undefined {
  const past = [...(journal.past?.() ?? [])]
  const isRehearsal = rehearsals.has(journal)
  if (past.length === 0 && !isRehearsal) return undefined
  const replay = new Replay(past, { ...parts, isRehearsal, onRefusal: (refusal) => journal.diverged?.(refusal) })
  replays.set(journal, replay)
  return replay
}

/** The replay of a journal. */
export function replayOf(journal: Journal): Replay | undefined {
  return replays.get(journal)
}
