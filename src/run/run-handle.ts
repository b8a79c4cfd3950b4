import { quote } from '../schema/quote.ts'
import type { Decider } from '../tool/deciders.ts'
import type { OutcomeWord } from '../tool/outcome-question.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { ConfigurationCode } from '../tool/errors/error-codes.ts'
import { ExitEarly } from '../tool/errors/exit-early.ts'
import type { ToolResult } from '../tool/result/result.ts'
import { inEntry, inRun } from './journal/place.ts'
import { artifactId } from './journal/values.ts'
import { unknownRun } from './run-errors.ts'
import { isRuntimeClosed, runtimeClosed } from '../tool/errors/runtime-closed.ts'
import type { JsonData } from '../tool/journal/codec.ts'
import { retryPath, undoingOf } from '../tool/journal/undoing.ts'
import type { RecordedDecision } from './store/run-changes.ts'
import type { RunRow } from './store/run-reading.ts'
import type { RunsContext } from './runs-context.ts'
import { allows, isStandstill, type RunStatus } from './state/run-state.ts'
import { settleStep } from './settle-step.ts'
import { type RunEvent, readEvents } from './view/run-events.ts'
import { type RunInfo, infoOf, resultOf } from './view/run-info.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** The options of methods that wait for a run. */
export interface WaitOptions {
  /** Ends the waiting, not the run. */
  readonly signal?: AbortSignal | undefined
}

/** From where `run.events()` goes on, and when it stops. */
export interface EventOptions extends WaitOptions {
  /** Goes on after this event: the `no` of the last one that was seen. */
  readonly after?: number | undefined
}

/** A durable run, from any process that has its database. */
export interface RunHandle<O = unknown> {
  readonly id: string
  /** This start began it; false where the key of the start gave a run that was there already. */
  readonly isNew: boolean
  readonly status: () => Promise<RunInfo>
  /** Waits until its status fulfils the predicate, or it has ended or is blocked, and gives the status. */
  readonly until: (isReached: (info: RunInfo) => boolean, options?: WaitOptions) => Promise<RunInfo>
  /** Waits for the end. Rejects with ExitEarly when a reviewer stopped the run, and with ConfigurationError when it is blocked. */
  readonly result: (options?: WaitOptions) => Promise<ToolResult<O>>
  /** Asks the run to end: what is under way is cut off, sagas undo what they did. False where it had ended already. */
  readonly cancel: (reason?: string) => Promise<boolean>
  /** What happened, from the beginning and as it happens, until the run has ended or is blocked. */
  readonly events: (options?: EventOptions) => AsyncIterable<RunEvent>
  /** Takes a blocked run up again, when what blocked it is mended. */
  readonly resume: () => Promise<void>
  /**
   * Says what happened in a step whose outcome is not known, if the run asks: `{ happened: true, value }`, its result, or
   * `{ happened: false }`: then the step runs again. `by` is a principal whom the program has authenticated, or a name.
   */
  readonly settle: (path: string, word: OutcomeWord, by?: Decider) => Promise<void>
  /** Tries the compensations that failed once more, on a person's word. */
  readonly retryCompensation: (by?: string) => Promise<void>
}

const WAIT: Readonly<Record<keyof WaitOptions, true>> = { signal: true }
const WAIT_NAMES = optionNames<WaitOptions>(WAIT)
const EVENT_NAMES = optionNames<EventOptions>({ ...WAIT, after: true })

/** In case a notice was lost. */
const LOOK_AGAIN_MS = 1000
/** Not every change of a status is told. Most of those that are waited for come soon. */
const LOOK_FIRST_MS = 25
const LOOK_FOR_EVENTS_MS = 250

export function runHandle<O>(context: RunsContext, id: string, isNew = false): RunHandle<O> {
  const { store, openness } = context
  const read = async (): Promise<RunRow> => {
    const row = await store.findRun(id)
    if (row === undefined) throw unknownRun(id)
    return row
  }
  const rowWhen = async (isWanted: (row: RunRow) => boolean, { signal }: WaitOptions, firstMs = LOOK_AGAIN_MS): Promise<RunRow> => {
    for (let ms = firstMs; ; ms = Math.min(2 * ms, LOOK_AGAIN_MS)) {
      signal?.throwIfAborted()
      const isLast = openness.isClosed
      const changed = nextChange(context, id, { ms, signal })
      try {
        const row = await context.patiently(read)
        if (isWanted(row)) return row
        if (isLast) throw runtimeClosed()
        await changed.promise
      } finally {
        changed.stop()
      }
    }
  }
  const asked = openness.guard<Omit<RunHandle<O>, 'id' | 'isNew' | 'events'>>({
    status: async () => infoOf(await read(), context.values),
    until: async (isReached, options = {}) => {
      checkOptionNames(options, WAIT_NAMES, 'The options of run.until')
      const isWanted = (row: RunRow): boolean => isStandstill(row.status) || isReached(infoOf(row, context.values))
      return infoOf(await rowWhen(isWanted, options, LOOK_FIRST_MS), context.values)
    },
    result: async (options = {}) => {
      checkOptionNames(options, WAIT_NAMES, 'The options of run.result')
      return (await outcome(context, await rowWhen(({ status }) => isStandstill(status), options))) as ToolResult<O>
    },
    cancel: (reason) => cancelRun(context, id, reason),
    resume: () => resumeRun(context, id),
    settle: async (path, word, by) => void (await settleStep(context, id, { path, word, by, heard: { channel: 'run' } })),
    retryCompensation: (by) => retryCompensation(context, id, by),
  })
  return { id, isNew, ...asked, events: (options) => followEvents(context, { id, options, read }) }
}

async function outcome(context: RunsContext, row: RunRow): Promise<ToolResult> {
  const { why } = infoOf(row, context.values)
  if (row.status === 'blocked')
    throw new ConfigurationError((why?.code ?? 'replay_diverged') as ConfigurationCode, why?.message ?? `The run '${row.id}' is blocked.`)
  if (row.status === 'stopped') throw new StoppedRun(row.tool, why?.message)
  const text = row.result ?? 'null'
  const large = artifactId(text)
  const artifacts = await context.store.readArtifacts(row.id, large === undefined ? [] : [large])
  return resultOf(row.id, large === undefined ? text : (artifacts.get(large) ?? text), context.values)
}

/** The message was made when the run was stopped. */
class StoppedRun extends ExitEarly {
  constructor(tool: string, message: string | undefined) {
    super(tool)
    if (message !== undefined) this.message = message
  }
}

interface Changed {
  readonly promise: Promise<void>
  readonly stop: () => void
}

/** Also when the runs are closed. */
function nextChange(
  { store: { clock, on, isReliable = false }, openness }: RunsContext,
  id: string,
  { ms, signal }: { readonly ms: number; readonly signal: AbortSignal | undefined },
): Changed {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const cancel = isReliable ? undefined : clock.timer(ms, resolve)
  const stopListening = on((kind, subject) => {
    if (kind === 'reconnected' || subject === id) resolve()
  })
  const stopWaiting = openness.onClose(resolve)
  const giveUp = (): void => reject(signal?.reason as Error)
  signal?.addEventListener('abort', giveUp, { once: true })
  promise.catch(() => {})
  const stop = (): void => {
    cancel?.()
    stopListening()
    stopWaiting()
    signal?.removeEventListener('abort', giveUp)
  }
  return { promise, stop }
}

interface Following {
  readonly id: string
  readonly options: EventOptions | undefined
  readonly read: () => Promise<RunRow>
}

async function* followEvents(context: RunsContext, { id, options = {}, read }: Following): AsyncGenerator<RunEvent> {
  checkOptionNames(options, EVENT_NAMES, 'The options of run.events')
  const { signal } = options
  const { openness } = context
  let after = checkAfter(options.after ?? 0)
  openness.check()
  for (;;) {
    signal?.throwIfAborted()
    const isLast = openness.isClosed
    const changed = nextChange(context, id, { ms: LOOK_FOR_EVENTS_MS, signal })
    try {
      const { status, events } = await openness.answer(async () => ({
        status: (await context.patiently(read)).status,
        events: await context.patiently(() => readEvents(context, id, after)),
      }))
      for (const event of events) {
        after = event.no
        yield event
      }
      if (events.length > 0) continue
      if (isLast || isStandstill(status)) return
      await changed.promise
    } catch (error) {
      // Of a run that goes on elsewhere there is nothing more to tell here.
      if (isRuntimeClosed(error)) return
      throw error
    } finally {
      changed.stop()
    }
  }
}

function checkAfter(after: unknown): number {
  if (typeof after === 'number' && Number.isInteger(after) && after >= 0) return after
  throw new ConfigurationError('invalid_option', `The option 'after' of events must be the number of an event, not ${quote(after)}.`)
}

/** False where it had ended already. */
async function cancelRun({ store, values }: RunsContext, id: string, reason?: string): Promise<boolean> {
  const answer = await store.cancel(id, values.seal(reason === undefined ? {} : { reason }, inRun(id, 'cancel')))
  if (answer === undefined) throw unknownRun(id)
  return answer === 'cancelled'
}

async function resumeRun({ store }: RunsContext, id: string): Promise<void> {
  const answer = await store.resume(id)
  if (answer === 'resumed') return
  if (answer === undefined) throw unknownRun(id)
  throw new ConfigurationError('run_not_open', `The run '${id}' is ${answer}; only a blocked run is taken up again by hand.`)
}

/** Every tool of the run that could not undo all of its steps gets another round. */
async function retryCompensation({ store, values }: RunsContext, id: string, by?: string): Promise<void> {
  const word: JsonData = by === undefined ? {} : { by }
  const choose = (status: RunStatus, decisions: readonly RecordedDecision[]): readonly RecordedDecision[] => {
    const failed = decisions.filter(({ path, data }) => {
      const value = values.unseal(data, inEntry(id, path, 'data'))
      return undoingOf({ path, value })?.state === 'compensation_failed'
    })
    const paths = new Set(decisions.map(({ path }) => path))
    if (failed.length === 0 || !allows('retryCompensation', status))
      throw new ConfigurationError('run_not_open', `The run '${id}' has no saga whose compensation failed; there is nothing to try again.`)
    return failed.map(({ path }) => {
      let round = 1
      while (paths.has(retryPath(path, round))) round++
      const again = retryPath(path, round)
      return { path: again, data: values.seal(word, inEntry(id, again, 'data')) }
    })
  }
  if (!(await store.retryCompensation(id, choose))) throw unknownRun(id)
}
