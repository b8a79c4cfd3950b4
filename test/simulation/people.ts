import { decideApproval } from '../../src/run/approvals/decide-approval.ts'
import { durableInbox } from '../../src/run/approvals/durable-inbox.ts'
import { runHandle } from '../../src/run/run-handle.ts'
import { startRun } from '../../src/run/start-run.ts'
import type { RunsContext } from '../../src/run/runs-context.ts'
import type { Values } from '../../src/run/journal/values.ts'
import { InboxError } from '../../src/review/inbox-error.ts'
import { settledStep } from '../../src/tool/outcome-question.ts'
import type { ReviewDecision } from '../../src/tool/review.ts'
import type { Moment, RunPlan } from './plan.ts'
import type { ApprovalRow } from './tables.ts'
import type { EngineProcess, World } from './world.ts'

/** A run that was started, and what its starter was told. */
export interface StartedRun {
  readonly id: string
  /** Its number among the runs of the plan. */
  readonly number: number
  /** When the cancellation was confirmed. */
  cancelledAt?: number
}

/** A run of the plan that somebody wants to start. */
interface WantedRun extends RunPlan {
  readonly number: number
  readonly startAt: Date | undefined
}

/** Somebody was told that their decision counts. */
export interface CountedDecision {
  readonly request: string
  readonly by: string
}

/** Who is asked what happened looks when no order can be on its way any more. */
const AFTER_ALL_ARRIVED_MS = 5000

/** Who starts a run, and hears nothing, starts it again after this time. */
const START_AGAIN_MS = 3000

/** Who starts runs, cancels them, and decides what they ask. They reach the database like everybody else. */
export class People {
  readonly started: StartedRun[] = []
  readonly counted: CountedDecision[] = []
  readonly problems = new Set<string>()
  readonly #world: World
  readonly #engine: EngineProcess
  readonly #text: string

  constructor(world: World, engine: EngineProcess, text: string) {
    this.#world = world
    this.#engine = engine
    this.#text = text
  }

  /** By which what is sealed can be read. */
  get values(): Values {
    return this.#engine.context.values
  }

  start(): void {
    for (const number of this.#world.plan.runs.keys()) this.#world.at({ afterMs: 0.02 }, this.#engine.owner, () => this.#startRun(number))
  }

  /** A request has been made: everybody who decides hears of it. */
  hear({ id, kind, path, run }: ApprovalRow): void {
    const { people } = this.#world.plan
    const { scheduler } = this.#world
    const { owner, context } = this.#engine
    if (settledStep(path) !== path) {
      scheduler.after(AFTER_ALL_ARRIVED_MS, owner, () => void this.#decide(id, this.#truth(run ?? '', settledStep(path))))
      return
    }
    if (people.assigns === true)
      scheduler.after(
        0.5,
        owner,
        () =>
          void durableInbox(context)
            .assign(id, this.#text)
            .catch(() => {}),
      )
    for (let number = 0; number < people.deciders; number++) {
      const ms = people.afterMs * scheduler.random.between(0.5, 1.5)
      scheduler.after(ms, owner, () => void this.#decide(id, this.#decision(kind, `person ${number}`)))
    }
  }

  /** What the world outside knows of a step. */
  #truth(run: string, step: string): ReviewDecision {
    const name = `r${this.started.find(({ id }) => id === run)?.number}`
    const happened = this.#world.ledger.effects.some((effect) => effect.run === name && effect.path === step && effect.kind === 'do')
    return { action: 'answer', value: happened ? { happened, value: this.#text } : { happened }, by: 'a witness' }
  }

  /** Somebody who starts a run by a worker, and hears nothing, starts it again by themselves, with the same key. */
  #startRun(number: number): void {
    const { plan, scheduler } = this.#world
    const { owner } = this.#engine
    const run = plan.runs[number]
    if (run === undefined) return
    // By the clock of those who want it, and not by that of the process that starts it.
    const startAt = run.startAfterMs === undefined ? undefined : new Date(Date.now() + run.startAfterMs)
    const wanted = { ...run, number, startAt }
    if (run.isStartedByWorker !== true) return void this.#startOn(this.#engine.context, wanted)
    // By then a worker has looked at the queue.
    scheduler.after(scheduler.random.between(1, 40), scheduler.outside, () => {
      const worker = this.#world.workerForStarts
      if (worker !== undefined) scheduler.after(0, worker.owner, () => void this.#startOn(worker.context, wanted))
    })
    scheduler.after(START_AGAIN_MS, owner, () => {
      if (!this.#isStarted(number)) void this.#startOn(this.#engine.context, wanted)
    })
  }

  async #startOn(context: RunsContext, { number, startAt, deadlineMs, cancel, asksOutcome = false }: WantedRun): Promise<void> {
    const { tool } = this.#world.toolOf(number)
    const options = {
      key: `key ${number}`,
      task: `r${number}`,
      startAt,
      deadline: deadlineMs,
      ...(asksOutcome ? { unknownOutcome: 'ask' as const } : {}),
    }
    const { id } = await context.patiently(() => startRun(context, tool, this.#text, options))
    if (!this.#isStarted(number)) this.#onStarted({ id, number }, cancel)
  }

  #isStarted(number: number): boolean {
    return this.started.some((run) => run.number === number)
  }

  #onStarted(started: StartedRun, cancel: Moment | undefined): void {
    const { scheduler } = this.#world
    const { context, owner } = this.#engine
    this.started.push(started)
    if (cancel === undefined) return
    this.#world.at(cancel, owner, () => {
      void context
        .patiently(() => runHandle(context, started.id).cancel(`enough of ${this.#text}`))
        .then((isCancelled) => {
          scheduler.note('cancelled', `r${started.number}: ${isCancelled}`)
          if (isCancelled) started.cancelledAt = scheduler.now
        })
    })
  }

  #decision(kind: string, by: string): ReviewDecision {
    const { action } = this.#world.plan.people
    if (action === 'continue' && kind === 'question') return { action: 'answer', value: this.#text, by }
    return action === 'continue' ? { action, by } : { action, by, reason: `not ${this.#text}` }
  }

  async #decide(request: string, decision: ReviewDecision): Promise<void> {
    const { context } = this.#engine
    const { scheduler } = this.#world
    try {
      await context.patiently(() => decideApproval(context, request, { decision, by: decision.by, channel: 'inbox' }))
      scheduler.note('decided', `${decision.action} by ${decision.by}`)
      this.counted.push({ request, by: decision.by ?? '' })
    } catch (error) {
      if (!(error instanceof InboxError)) this.problems.add(`a decision failed: ${String(error)}`)
    }
  }
}
