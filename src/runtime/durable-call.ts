import type { RunHandle } from '../run/run-handle.ts'
import { isRuntimeClosed } from '../tool/errors/runtime-closed.ts'
import type { StartOptions } from '../run/start-run.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { ToolContext } from '../tool/context.ts'
import { isExitEarly } from '../tool/errors/exit-early.ts'
import { isToolError } from '../tool/errors/tool-error.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { hashOf } from '../tool/journal/hash.ts'
import type { PendingRun } from '../tool/result/pending-run.ts'
import type { ToolResult } from '../tool/result/result.ts'
import type { ReturnedFailure } from '../tool/result/returned.ts'
import type { ReviewHandler } from '../tool/review.ts'
import { closedError, isCancelled } from '../tool/seam/waiting.ts'
import { lookAtCallerAgain, type Settings, settingsOf } from '../tool/seam/whole.ts'
import type { Runtime } from './create-runtime.ts'
import { callerOf, checkPermitted, findRun, type JoinedRun, joinRun, keyedRun, openRunOf, rejoinRun, type Subject } from './door-runs.ts'
import { leftEffect } from './left-effect.ts'
import { receipt } from './run-receipt.ts'
import { isPending, type RunWait, waitForRun } from './wait-for-run.ts'

/** How the calls of a tool at a door become durable runs. */
export interface DoorRules extends Pick<RunWait, 'patienceMs' | 'reviewMs'> {
  /** The deadline of the run; without one, it has none. */
  readonly deadline?: StartOptions['deadline']
  /** Tells clients apart where principal and session do not. */
  readonly client?: string | undefined
  /** Tells equal calls of a caller apart, where it is known which of them are the same call. */
  readonly scope?: string | undefined
  /** The scope names one call of the peer, which it may make again: it gets the same run, also if that has ended. */
  readonly isSameCall?: boolean | undefined
  /** The key that the caller gave the call: a repetition under it gets the same run, and with another input fails. */
  readonly key?: string | undefined
  /** Asked about the open requests of the run while the call waits. */
  readonly review?: ReviewHandler | undefined
  /**
   * Whether a run belongs to another call, so that this one does not join it. By default, if another call of this process waits for it: equal
   * calls beside each other are several.
   */
  readonly isApart?: ((run: string, isHeld: boolean) => boolean) | undefined
  /** Ends the waiting with a receipt, and not the run: the peer has gone. */
  readonly left?: AbortSignal | undefined
  /** The run that this call goes on with; undefined where it begins one, or joins an open one. */
  readonly known?: ((runs: DoorRuns) => Promise<KnownRun | undefined>) | undefined
  /** Told of the run before it is waited for. */
  readonly onRun?: ((run: DoorRun) => void) | undefined
}

/** A run that a call waits for. */
export type DoorRun = RunHandle

/** The run that a call goes on with. */
export interface KnownRun {
  readonly run: DoorRun
  /** Why decisions that the call brought do not count. */
  readonly refused: readonly string[]
}

/** The runs of one caller, for one call. */
export interface DoorRuns {
  /** A run of this caller, tool and input by its id. */
  readonly find: (id: string) => Promise<DoorRun | undefined>
  /** The run of this very call, by its scope, if it has not ended. */
  readonly ofCall: () => Promise<DoorRun | undefined>
}

/** A cancelled run is waited for: it may have something to undo. */
const CANCELLING_MS = 5000
/** So many runs one call begins or joins, where others take back each of them; then it has the answer of the last one. */
const MOST_RUNS = 10

/** The runs for which calls of this process wait, by runtime. */
const holds = new WeakMap<Runtime, Holds>()

class Holds {
  /** How many calls wait for a run. */
  readonly #counts = new Map<string, number>()
  readonly #beginning = new Map<string, Promise<unknown>>()

  /** Equal calls begin one after the other: the second one sees that the first has its run. */
  begin({ tool, input }: Subject, work: () => Promise<JoinedRun>): Promise<JoinedRun> {
    const subject = `${tool.name}\n${hashOf(input)}`
    const begun = (this.#beginning.get(subject) ?? Promise.resolve()).then(work).then((joined) => {
      this.#count(joined.run.id, 1)
      return joined
    })
    const over = begun.then(
      () => {},
      () => {},
    )
    this.#beginning.set(subject, over)
    void over.then(() => this.#beginning.get(subject) === over && this.#beginning.delete(subject))
    return begun
  }

  has(run: string): boolean {
    return this.#counts.has(run)
  }

  release(run: string): void {
    this.#count(run, -1)
  }

  #count(run: string, change: 1 | -1): void {
    const count = (this.#counts.get(run) ?? 0) + change
    if (count === 0) this.#counts.delete(run)
    else this.#counts.set(run, count)
  }
}

interface DurableCall {
  readonly whole: ToolContext
  readonly rules: DoorRules
}

/** The answer of a run for this call: its result, or a receipt. */
export async function callDurably(
  runtime: Runtime,
  subject: Subject,
  { whole, rules }: DurableCall,
): Promise<ToolResult | ReturnedFailure> {
  checkReach(runtime, subject.tool, settingsOf(whole))
  checkPermitted(runtime, subject.tool, whole.principal)
  const held = holds.get(runtime) ?? new Holds()
  holds.set(runtime, held)
  const endsAt = whole.clock.now() + rules.patienceMs
  for (let turn = 1; ; turn++) {
    const joined = await held.begin(subject, () => begin(runtime, subject, { whole, rules, held }))
    const { run } = joined
    try {
      const patienceMs = Math.max(0, endsAt - whole.clock.now())
      const answer = await answerOf(runtime, joined, { whole, rules: { ...rules, patienceMs }, subject, isLast: turn >= MOST_RUNS })
      if (answer === 'over') continue
      if (!isPending(answer)) return answer
      if (!isCancelled(whole)) return receipt(answer)
    } finally {
      // Before anybody is asked whether others wait: of calls that are cancelled at the same time, the last one takes the run back.
      held.release(run.id)
    }
    return cancelled(runtime, run, { whole, isShared: held.has(run.id) })
  }
}

/**
 * The answer of a run. `over`: it ended without an effect, for a reason that does not concern this call. Either it was denied or cancelled before the call
 * came, or another caller took back an equal call that shared it. The call then begins another run.
 */
async function answerOf(
  runtime: Runtime,
  { run, isEnding, isNamed = false, refused }: JoinedRun,
  { whole, rules, subject, isLast }: DurableCall & { readonly subject: Subject; readonly isLast: boolean },
): Promise<ToolResult | PendingRun | 'over'> {
  const { patienceMs, reviewMs, left, onRun } = rules
  onRun?.(run)
  const checkAgain = (): void => {
    lookAtCallerAgain(whole)
    checkPermitted(runtime, subject.tool, whole.principal)
  }
  const review = rules.review === undefined ? undefined : heardFrom(rules.review, checkAgain)
  const signal = left === undefined ? whole.signal : AbortSignal.any([whole.signal, left])
  const wait = { clock: whole.clock, signal, patienceMs, reviewMs, review, refused }
  try {
    const answer = await waitForRun(runtime, run, wait).catch((error: unknown) => outOfSight(run, subject, error))
    if (isPending(answer) && review !== undefined && !isCancelled(whole)) checkAgain()
    if (isPending(answer) || answer.ok || isNamed || isLast || isCancelled(whole)) return answer
    const { code, outcome } = answer.error
    // A failure may be in the words of a stranger: that the run was cancelled, and by whom, is told by its record alone.
    const wasCancelled = code === 'cancelled' && (await run.status()).status === 'cancelled'
    const isOver = isEnding ? code === 'rejected' || wasCancelled : wasCancelled && (await (await runtime.runs()).isTakenBack(run.id))
    return isOver && (outcome !== 'unknown' || !(await leftEffect(runtime, run.id, subject.tool))) ? 'over' : answer
  } catch (stopped) {
    if (!isEnding || isLast || !isExitEarly(stopped) || (await leftEffect(runtime, run.id, subject.tool))) throw stopped
    return 'over'
  }
}

/** Who loses a permission while its user is asked decides nothing by this call: the request stays open for others. */
function heardFrom(review: ReviewHandler, checkAgain: () => void): ReviewHandler {
  return {
    channel: review.channel,
    review: async (request, wait) => {
      const decision = await review.review(request, wait)
      checkAgain()
      return decision
    },
  }
}

/** The run is recorded, but the database does not answer now, or this process closes: to call again would be another run. */
function outOfSight({ id }: RunHandle, { tool }: Subject, error: unknown): PendingRun {
  if (!isToolError(error) && !isRuntimeClosed(error)) throw error
  return { run: id, tool: tool.name, waitsFor: 'work', requests: [] }
}

/** A run is carried on by any process of the runtime: functions and services that only this call has do not reach it. */
export const OF_THE_RUNTIME = ['policy', 'reviewers', 'secrets', 'model', 'overrides', 'unattended', 'alert'] as const

/** A policy that does not reach the run must not look as if it did. */
function checkReach({ shared }: Runtime, { name }: AgentTool, settings: Settings): void {
  const own = OF_THE_RUNTIME.find((each) => settings[each] !== undefined && settings[each] !== shared[each])
  const service = Object.entries(settings.services ?? {}).find(([each, value]) => value !== shared.services?.[each])
  const lost = own ?? (service === undefined ? undefined : `services.${service[0]}`)
  if (lost === undefined) return
  throw new ConfigurationError(
    'invalid_option',
    `'${lost}' of the call would not reach '${name}', which runs durably and may be carried on by another process. Pass it to createRuntime.`,
  )
}

interface Beginning extends DurableCall {
  readonly held: Holds
}

async function begin(runtime: Runtime, subject: Subject, { whole, rules, held }: Beginning): Promise<JoinedRun> {
  const { principal, session, agent, task, traceId, tokenBudget, clock } = whole
  const { client, scope, isSameCall, key, deadline, known, isApart = (_run, isHeld) => isHeld } = rules
  const caller = callerOf(runtime, whole, client)
  const found = await known?.({
    find: (id) => findRun(runtime, id, { caller, subject, key }),
    ofCall: () => openRunOf(runtime, subject, { caller, scope }),
  })
  if (found !== undefined) return { ...found, isEnding: false, isNamed: true }
  const options = { principal, session, agent, task, traceId, tokenBudget, deadline }
  if (key !== undefined) return keyedRun(runtime, subject, { caller, options, key })
  if (isSameCall === true) return rejoinRun(runtime, subject, { caller, options, scope })
  return joinRun(runtime, subject, { caller, options, now: clock.now(), scope, isApart: (run) => isApart(run, held.has(run)) })
}

/** The caller does not want it any more: the run is cancelled, and undoes what it did. Where another call of this process waits for it too, it goes on. */
async function cancelled(
  runtime: Runtime,
  run: RunHandle,
  { whole, isShared }: Pick<Beginning, 'whole'> & { readonly isShared: boolean },
): Promise<ToolResult | ReturnedFailure> {
  if (isShared) throw closedError(whole, `The run ${run.id} of '${whole.tool}' goes on for another caller`, 'unknown')
  await (await runtime.runs()).takeBack(run.id)
  const { signal } = new AbortController()
  const answer = await waitForRun(runtime, run, { clock: whole.clock, signal, patienceMs: CANCELLING_MS })
  if (isPending(answer)) throw closedError(whole, `The run ${run.id} of '${whole.tool}' is being cancelled`, 'unknown')
  return answer
}
