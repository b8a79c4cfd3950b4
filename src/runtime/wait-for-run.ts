import type { RunHandle } from '../run/run-handle.ts'
import type { RunInfo } from '../run/view/run-info.ts'
import { readDecision } from '../tool/engine/read-decision.ts'
import type { CancelTimer, Clock } from '../tool/ports/clock.ts'
import type { PendingRun } from '../tool/result/pending-run.ts'
import type { ToolResult } from '../tool/result/result.ts'
import type { ReviewHandler, ReviewRequest } from '../tool/review.ts'
import type { Runtime } from './create-runtime.ts'
import { decideRequest } from './decide-request.ts'
import { isForPerson, pendingRun } from './run-receipt.ts'

export interface RunWait {
  readonly clock: Clock
  /** Ends the waiting, not the run. */
  readonly signal: AbortSignal
  /** How long the end is waited for. */
  readonly patienceMs: number
  /**
   * Waits also while only people can move the run, until it asks them something new; without it, such a run is not waited for unless somebody is
   * asked.
   */
  readonly waitsForPeople?: boolean | undefined
  /** Asked about the open requests of the run while it is waited for; what it decides goes to the inbox. */
  readonly review?: ReviewHandler | undefined
  /** How long it is waited for from its first request on, if that is longer than the patience. */
  readonly reviewMs?: number | undefined
  /** Why decisions that the call brought do not count. */
  readonly refused?: readonly string[] | undefined
}

/** Waits for the end of a run: its result, or a receipt if it does not end in time, or waits for people whom nobody asks here. */
export async function waitForRun(runtime: Runtime, run: RunHandle, wait: RunWait): Promise<ToolResult | PendingRun> {
  const waiting = new WaitingForRun(runtime, run, wait)
  try {
    await waiting.untilRest()
  } finally {
    waiting.end()
  }
  const pending = await pendingRun(runtime, await run.status())
  if (pending === undefined) return run.result()
  return pending.waitsFor === 'person' && waiting.refused.length > 0 ? { ...pending, refused: waiting.refused } : pending
}

export function isPending(answer: ToolResult | PendingRun): answer is PendingRun {
  return 'waitsFor' in answer
}

/** Whether a step took effect is not for the caller to say: only people who can look it up answer that, in the inbox. */
export function isForCaller({ about }: ReviewRequest): boolean {
  return about !== 'outcome'
}

/** Requests of a run that another process carries on may be noticed late. */
const LOOK_AGAIN_MS = 1000

class WaitingForRun {
  readonly #runtime: Runtime
  readonly #run: RunHandle
  readonly #wait: RunWait
  /** Aborted when the patience is over, or the caller has gone. */
  readonly #over = new AbortController()
  readonly #asked = new Map<string, AbortController>()
  readonly refused: string[]
  readonly #endsAt: number
  #isUndecided = false
  #stopTimer: CancelTimer
  #wake: () => void = () => {}

  constructor(runtime: Runtime, run: RunHandle, wait: RunWait) {
    this.#runtime = runtime
    this.#run = run
    this.#wait = wait
    this.refused = [...(wait.refused ?? [])]
    this.#endsAt = wait.clock.now() + wait.patienceMs
    this.#stopTimer = wait.clock.timer(wait.patienceMs, this.#stop)
    wait.signal.addEventListener('abort', this.#stop, { once: true })
    if (wait.signal.aborted) this.#stop()
  }

  /** Until the run has ended or is blocked, until it waits for people whom nobody asks here, or until the time is over. */
  async untilRest(): Promise<void> {
    const { review, waitsForPeople = false } = this.#wait
    // The handler of the runtime is asked where the run is carried on: its decision is waited for.
    const isDecidedElsewhere = review === undefined && this.#runtime.hasReviewer
    if (waitsForPeople && review === undefined && !isDecidedElsewhere) return this.#untilAsked()
    for (;;) {
      const info = await this.#until((each) => (isForPerson(each) ? !isDecidedElsewhere : this.#sleepsLonger(each)))
      if (info === undefined || !isForPerson(info) || review === undefined || this.#isUndecided) return
      await this.#ask(review)
      await this.#untilMoved()
    }
  }

  /** The same, and on while it waits for people who were asked before: until it asks something that was not open when the waiting began. */
  async #untilAsked(): Promise<void> {
    const known = new Set(await this.#openRequests())
    const stopListening = this.#runtime.inbox.on('requested', ({ run }) => run === this.#run.id && this.#wake())
    try {
      for (;;) {
        const info = await this.#until((each) => isForPerson(each) || this.#sleepsLonger(each))
        if (info === undefined || !isForPerson(info)) return
        if ((await this.#openRequests()).some((id) => !known.has(id))) return
        await this.#untilMoved()
      }
    } finally {
      stopListening()
    }
  }

  async #openRequests(): Promise<readonly string[]> {
    return (await this.#runtime.inbox.list({ run: this.#run.id })).map(({ request }) => request.id)
  }

  end(): void {
    this.#stopTimer()
    this.#wait.signal.removeEventListener('abort', this.#stop)
    for (const controller of this.#asked.values()) controller.abort(new DOMException('The call has ended.', 'AbortError'))
  }

  readonly #stop = (): void => this.#over.abort(new DOMException('The waiting is over.', 'AbortError'))

  /** It sleeps, and the patience is over before it wakes. */
  #sleepsLonger({ status, wakeAt = 0 }: RunInfo): boolean {
    return status === 'waiting' && wakeAt > this.#endsAt
  }

  /** Undefined where the waiting was ended. */
  async #until(isReached: (info: RunInfo) => boolean): Promise<RunInfo | undefined> {
    try {
      return await this.#run.until(isReached, { signal: this.#over.signal })
    } catch (error) {
      if (this.#over.signal.aborted) return undefined
      throw error
    }
  }

  /** Asks about what is open, and takes back what is not open any more. */
  async #ask(review: ReviewHandler): Promise<void> {
    const all = await this.#runtime.inbox.list({ run: this.#run.id })
    const items = all.filter(({ request }) => isForCaller(request))
    if (items.length === 0 && all.length > 0) this.#isUndecided = true
    const open = new Set(items.map(({ request }) => request.id))
    for (const [id, controller] of this.#asked)
      if (!open.has(id)) controller.abort(new DOMException('Somebody else has decided.', 'AbortError'))
    const fresh = items.filter(({ request }) => !this.#asked.has(request.id))
    if (fresh.length > 0 && this.#asked.size === 0) this.#waitForPeople()
    for (const { request } of fresh) this.#askAbout(request, review)
  }

  #waitForPeople(): void {
    const { clock, patienceMs, reviewMs = patienceMs } = this.#wait
    this.#stopTimer()
    this.#stopTimer = clock.timer(Math.max(patienceMs, reviewMs), this.#stop)
  }

  #askAbout(request: ReviewRequest, review: ReviewHandler): void {
    const controller = new AbortController()
    this.#asked.set(request.id, controller)
    const asking = async (): Promise<void> => {
      const answer = await review.review(request, { signal: controller.signal, clock: this.#wait.clock })
      if (controller.signal.aborted) return
      const heard = { decision: readDecision(answer, request), channel: review.channel ?? 'handler' }
      const why = await decideRequest(this.#runtime, request.id, heard)
      if (why !== undefined) {
        this.refused.push(why)
        this.#isUndecided = true
      }
      this.#wake()
    }
    // A reviewer who cannot be asked leaves the request to the inbox.
    asking().catch(() => {
      if (!controller.signal.aborted) this.#isUndecided = true
      this.#wake()
    })
  }

  /** Until somebody has decided, here or elsewhere. */
  async #untilMoved(): Promise<void> {
    const { clock } = this.#wait
    const look = new AbortController()
    const woken = new Promise<void>((resolve) => (this.#wake = resolve))
    const moved = this.#run.until((info) => !isForPerson(info), { signal: AbortSignal.any([this.#over.signal, look.signal]) })
    const stopTimer = clock.timer(LOOK_AGAIN_MS, this.#wake)
    await Promise.race([woken, moved.catch(() => undefined)])
    stopTimer()
    look.abort(new DOMException('Looked again.', 'AbortError'))
  }
}
