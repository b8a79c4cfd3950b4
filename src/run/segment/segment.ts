import type { AgentTool } from '../../tool/agent-tool.ts'
import { type CallSecrets, secretsOfEnded } from '../../tool/engine/call-view.ts'
import { replayOf } from '../../tool/engine/replay.ts'
import type { CallOptions } from '../../tool/context.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { asJudged } from '../../tool/deciders.ts'
import type { Listener, ToolEvent } from '../../tool/event.ts'
import { decode } from '../../tool/journal/codec.ts'
import type { JournalEntry, ReviewEntry } from '../../tool/journal/journal.ts'
import type { SettledResult } from '../../tool/result/settled.ts'
import type { ReviewDecision, ReviewRequest, ReviewWait } from '../../tool/review.ts'
import type { JournalRow } from '../store/journal-store.ts'
import type { Parked, Parking } from '../store/run-changes.ts'
import type { ClaimedRun } from '../store/run-queue.ts'
import { effectsNotUndone } from '../../tool/engine/unvisited-effects.ts'
import { stepsNotUndone } from './not-undone.ts'
import type { JournalWriter } from '../journal/journal-writer.ts'
import { inApproval, inRun } from '../journal/place.ts'
import { progressEvents } from '../journal/run-journal.ts'
import { RunJournal, type RunJournalOptions } from '../journal/run-journal.ts'
import { never } from '../never.ts'
import type { RunsContext } from '../runs-context.ts'
import type { RunReason } from '../state/run-state.ts'
import { nextTurn } from '../../tool/ports/clock.ts'
import type { Waits } from '../../tool/retry-rules.ts'
import { keysOfRun } from './keys-of-run.ts'
import { reasonOfCancel } from './run-ending.ts'
import { SegmentClock } from './segment-clock.ts'

/** How a segment came to its end. `parked` and `lost` leave the run to the next one. */
export type SegmentEnd =
  /** `last` is not recorded yet: it goes with the end of the run. */
  | { readonly end: 'result'; readonly result: SettledResult; readonly last?: JournalRow | undefined }
  | { readonly end: 'rejected'; readonly error: Error }
  | { readonly end: 'parked'; readonly wakeAt: number | undefined }
  | { readonly end: 'lost' }
  | { readonly end: 'again' }

export interface SegmentParts {
  readonly context: RunsContext
  readonly run: ClaimedRun
  readonly tool: AgentTool
  readonly entries: readonly JournalEntry[]
  readonly writer: JournalWriter
  readonly options: CallOptions
  /** Of steps that only read. */
  readonly retries: Waits | undefined
  /** A person is asked about unknown outcomes. */
  readonly asksOutcome: boolean
  readonly lingerMs: number
  readonly holdsLease: RunJournalOptions['holdsLease']
}

interface OpenRequest {
  readonly request: ReviewRequest
  readonly decide: (decision: ReviewDecision) => void
  /** By the clock of the database; for ever without a time-out. */
  readonly expiresAt: number
}

/**
 * One stretch of a run in one process: from a claim to the end of the run, or to where nothing moves without a person or a time that is far
 * off. Then the run is put away, and what is left of this stretch in memory is dropped; a later segment replays it from the journal.
 */
export class Segment {
  readonly run: ClaimedRun
  readonly #parts: SegmentParts
  readonly #journal: RunJournal
  readonly #clock: SegmentClock
  readonly #controller = new AbortController()
  readonly #open = new Map<string, OpenRequest>()
  /** When requests of earlier segments were asked first. */
  readonly #askedAt: ReadonlyMap<string, number>
  readonly #delivered = new Set<string>()
  readonly #ended = Promise.withResolvers<SegmentEnd>()
  #isOver = false
  /** By the tick of the store's clock. */
  #overSince: number | undefined
  #isParking = false
  #isConsidering = false
  #lingerMs: number
  #cancelReason: string | undefined
  #secrets: CallSecrets | undefined
  /** By the clock of the run. */
  readonly #deadline: number

  constructor(parts: SegmentParts) {
    const { run, entries, writer, context, lingerMs, holdsLease } = parts
    this.run = run
    this.#parts = parts
    this.#lingerMs = lingerMs
    this.#askedAt = new Map(
      entries.flatMap((each) => (each.kind === 'review' && each.at !== undefined ? [[each.request.id, each.at]] : [])),
    )
    this.#clock = new SegmentClock(context.store.clock, run.clockBase)
    this.#deadline = this.#clock.now() + (run.timeLeftMs ?? Infinity)
    this.#journal = new RunJournal({
      run,
      clock: this.#clock,
      entries,
      writer,
      values: context.values,
      retries: parts.retries,
      asksOutcome: parts.asksOutcome,
      onQuieter: () => this.#considerSoon(),
      onDecision: (entry) => this.#onDecision(entry),
      onFenced: () => this.#finish({ end: 'lost' }),
      holdsLease,
      onRefused: (error) => this.#finish({ end: 'rejected', error: refusedRecord(error) }),
      onDiverged: (error) => this.#leaveUnchanged(error),
    })
    if (run.cancel !== null) this.cancel(run.cancel)
  }

  /**
   * The version that began the run must find it as it is: what the refusal cancels, withdraws or undoes here is not recorded, and does not begin. A
   * run that is cancelled or out of time undoes as far as this version can.
   */
  #leaveUnchanged(error: Error): void {
    if (this.isCancelled || this.#clock.now() >= this.#deadline) return
    this.#journal.close()
    this.#finishWhenFlushed({ end: 'rejected', error })
  }

  /** Runs until the segment has ended, in one way or another. */
  start(): Promise<SegmentEnd> {
    const { tool, run, options, context } = this.#parts
    const input = decode(context.values.unseal(run.input, inRun(run.id, 'input'))) as never
    const call: CallOptions = {
      ...options,
      stores: this.#stores(),
      journal: this.#journal,
      clock: this.#clock,
      idempotencyKey: run.id,
      signal: this.#controller.signal,
      review: { review: (request, wait) => this.#ask(request, wait) },
      on: [...listenersOf(options), progressEvents(this.#journal), (event) => this.#notice(event)],
    }
    tool.call(input, call).then(
      // The door gives nothing else.
      (result) => this.#finishWith(result as SettledResult),
      (error: unknown) => this.#finishWhenFlushed({ end: 'rejected', error: error as Error }),
    )
    return this.#ended.promise
  }

  /** A store of keys that is not this database knows nothing of runs. */
  #stores(): CallOptions['stores'] {
    const { context, run, options } = this.#parts
    const { stores } = options
    if (stores?.idempotency !== context.idempotency) return stores
    return { ...stores, idempotency: keysOfRun(context, run, () => this.#finish({ end: 'lost' })) }
  }

  /** The call of the run knows, when it ends, every secret that a text about the run might repeat. */
  #notice({ type, call }: ToolEvent): void {
    if (type === 'call.finished' && call.parent === undefined) this.#secrets = secretsOfEnded(call)
  }

  /** The secrets of the run; undefined where its tool was not called to its end. */
  get secrets(): CallSecrets | undefined {
    return this.#secrets
  }

  /** For how long nothing has been left but to record its end. */
  get endingMs(): number {
    return this.#overSince === undefined ? 0 : this.#parts.context.store.clock.tick() - this.#overSince
  }

  /** Whether people are waited for: what they decide must be brought here. */
  get openRequests(): readonly string[] {
    return [...this.#open.keys()]
  }

  get isCancelled(): boolean {
    return this.#controller.signal.aborted
  }

  /** The paths of the steps that it could not undo. */
  get notUndone(): readonly string[] {
    return stepsNotUndone(this.#journal.entries)
  }

  /** The paths of effects of earlier segments that the program did not reach again. */
  get unreached(): readonly string[] {
    const left = replayOf(this.#journal)?.left ?? []
    return effectsNotUndone(left, this.#journal.entries, this.#parts.tool)
  }

  /** All that it recorded and did not undo, for a run that could not go on. */
  get recorded(): readonly string[] {
    const entries = [...this.#journal.entries]
    return effectsNotUndone(entries, entries, this.#parts.tool)
  }

  /** Why it was cancelled, if somebody said so. */
  get cancelReason(): string | undefined {
    return this.#cancelReason
  }

  /** Cancels it for the reason that is stored with the run. */
  cancel(stored: string): void {
    const reason = reasonOfCancel(this.#parts.context.values, this.run.id, stored)
    this.#cancelReason ??= reason
    this.#controller.abort(new DOMException(reason ?? 'The run was cancelled.', 'AbortError'))
  }

  /** Brings a decision that is recorded already. */
  deliver(id: string, decision: ReviewDecision): void {
    const open = this.#open.get(id)
    if (open === undefined) return
    this.#open.delete(id)
    this.#delivered.add(id)
    open.decide(asJudged(decision, id))
  }

  /** Puts the run away as soon as nothing but time and people is waited for, however near the time is. */
  hurry(): void {
    this.#lingerMs = 0
    this.#considerSoon()
  }

  /** Leaves the run where it is; another segment goes on from its journal. */
  abandon(): void {
    this.#finish({ end: 'lost' })
  }

  #ask(request: ReviewRequest, { signal }: ReviewWait): Promise<ReviewDecision> {
    return new Promise((resolve) => {
      const askedAt = this.#askedAt.get(request.id) ?? this.#clock.now()
      this.#open.set(request.id, { request, decide: resolve, expiresAt: askedAt + (request.timeoutMs ?? Infinity) })
      signal.addEventListener('abort', () => this.#withdraw(request.id, signal), { once: true })
      // A handler that asks about approvals may know nothing of outcomes, and must not end the question.
      if (request.about === undefined) this.#parts.context.onRequest(request)
      this.#considerSoon()
    })
  }

  #withdraw(id: string, signal: AbortSignal): void {
    const reason: unknown = signal.reason
    // A request whose time is up is decided, not withdrawn.
    if (this.#open.delete(id) && !(reason instanceof Error && reason.name === 'TimeoutError')) this.#journal.withdraw(id)
  }

  /** A person's decision is recorded already; one by the clock is recorded now, unless a person was first. */
  #onDecision({ request, decision }: ReviewEntry): undefined | Promise<void> {
    if (decision === undefined || this.#delivered.has(request.id)) return undefined
    return this.#parts.context.decide(request.id, asJudged(decision, request.id)).then((isFirst) => {
      if (isFirst) return
      this.#finish({ end: 'again' })
      return never()
    })
  }

  /** Looks, when everything that is ready has run, whether anything still moves. */
  #considerSoon(): void {
    if (this.#isConsidering || this.#isOver) return
    this.#isConsidering = true
    nextTurn(() => nextTurn(() => this.#consider()))
  }

  #consider(): void {
    this.#isConsidering = false
    if (this.#isOver || this.#isParking || this.#journal.isBusy) return
    const sleepsUntil = this.#journal.nextWake
    if (this.#open.size === 0 && sleepsUntil === Infinity) return
    // A time that is over soon, or is over already and only has to be noticed, is waited for here.
    if (Math.min(sleepsUntil, this.#nextExpiry) - this.#clock.now() < this.#lingerMs) return
    if (this.#mustCatchUp) return void this.#catchUp()
    this.#isParking = true
    this.#park(sleepsUntil).catch((error: unknown) => this.#finish({ end: 'rejected', error: error as Error }))
  }

  /** It waits for a person or a time, and has not reached all of its records again. A run that is cancelled or out of time need not. */
  get #mustCatchUp(): boolean {
    return replayOf(this.#journal)?.isCatchingUp === true && !this.isCancelled && this.#clock.now() < this.#deadline
  }

  /** A program that does something else must not wait for anything: somebody may have decided what it does not ask any more. */
  async #catchUp(): Promise<void> {
    const replay = replayOf(this.#journal)
    await replay?.settled()
    if (replay !== undefined && this.#mustCatchUp) this.#finish({ end: 'rejected', error: replay.divergence('waits for something else') })
    else this.#considerSoon()
  }

  get #nextExpiry(): number {
    let next = Infinity
    for (const { expiresAt } of this.#open.values()) next = Math.min(next, expiresAt)
    return next
  }

  async #park(sleepsUntil: number): Promise<void> {
    const release = this.#journal.hold()
    const { run, context } = this.#parts
    const open = this.openRequests
    const until = sleepsUntil === Infinity ? undefined : sleepsUntil
    const why = context.values.sealReason(reasonToWait(open.length, until), run.id)
    // What it waits for, and whether it knows that it is cancelled or out of time, is said once: a second try must not say more than the first.
    const isOutOfTime = this.#clock.now() >= this.#deadline
    const parking: Parking = { claim: run, open, sleepsUntil: until, isCancelled: this.isCancelled, isOutOfTime, why }
    const parked = await context.patiently(() => this.#tryToPark(parking))
    if (parked.outcome === 'parked') return this.#finish({ end: 'parked', wakeAt: parked.wakeAt })
    if (parked.outcome === 'lost') return this.#finish({ end: 'lost' })
    release()
    this.#isParking = false
    if (parked.cancel !== null) this.cancel(parked.cancel)
    for (const { id, decision } of parked.decided)
      this.deliver(id, context.values.unseal(decision, inApproval(run.id, id, 'decision')) as unknown as ReviewDecision)
    this.#considerSoon()
  }

  async #tryToPark(parking: Parking): Promise<Parked> {
    const { store, reach } = this.#parts.context
    reach('run.parking')
    const parked = await store.park(parking)
    if (parked.outcome === 'parked') reach('run.parked')
    return parked
  }

  #finishWith(result: SettledResult): void {
    const last = this.#journal.takeLast()
    if (last === undefined) this.#finishWhenFlushed({ end: 'result', result })
    else this.#finish({ end: 'result', result, last })
  }

  /** The end of a run is recorded after all that led to it. */
  #finishWhenFlushed(end: SegmentEnd): void {
    void this.#journal.flushed().then(() => this.#finish(end))
  }

  #finish(end: SegmentEnd): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#overSince = this.#parts.context.store.clock.tick()
    this.#journal.close()
    this.#clock.stop()
    this.#ended.resolve(end)
  }
}

/** The database refuses an entry, and would do so again. */
export function refusedRecord(cause: Error): ToolError {
  const message = `The database refuses what the run has to record: ${cause.message}`
  return new ToolError(message, { code: 'journal_failed', outcome: 'unknown', cause })
}

function listenersOf({ on }: CallOptions): readonly Listener[] {
  if (on === undefined) return []
  return (Array.isArray as (value: unknown) => value is readonly Listener[])(on) ? on : [on]
}

function reasonToWait(requests: number, sleepsUntil: number | undefined): RunReason {
  const people = requests === 1 ? 'a person' : `${requests} people`
  const time = sleepsUntil === undefined ? '' : `the time ${new Date(sleepsUntil).toISOString()}`
  const message = [requests > 0 ? people : '', time].filter((each) => each !== '').join(' and ')
  return { code: requests > 0 ? 'person' : 'time', message: `It waits for ${message}.` }
}
