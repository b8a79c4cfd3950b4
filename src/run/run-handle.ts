import { quote } from '../schema/quote.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { ConfigurationCode } from '../tool/errors/error-codes.ts'
import { ExitEarly } from '../tool/errors/exit-early.ts'
import type { ToolResult } from '../tool/result.ts'
import { cancelRun } from './cancel-run.ts'
import { artifactId } from './journal/values.ts'
import { readArtifacts } from './postgres/claimed-run.ts'
import type { Notices } from './postgres/notices.ts'
import { PROMPT } from './postgres/time-bounds.ts'
import { resumeRun } from './resume-runs.ts'
import { retryCompensation } from './retry-compensation.ts'
import { inStoreWords, unknownRun } from './run-errors.ts'
import type { RunsContext } from './runs-context.ts'
import { isStandstill } from './state/run-state.ts'
import { type RunEvent, readEvents } from './view/run-events.ts'
import { RUN_COLUMNS, type RunInfo, type RunRow, infoOf, resultOf } from './view/run-info.ts'

export interface WaitOptions {
  /** Ends the waiting, not the run. */
  readonly signal?: AbortSignal | undefined
}

export interface EventOptions extends WaitOptions {
  /** Goes on after this event: the `no` of the last one that was seen. */
  readonly after?: number | undefined
}

/** A durable run, from any process that has its database. */
export interface RunHandle<O = unknown> {
  readonly id: string
  readonly status: () => Promise<RunInfo>
  /** Waits for the end. Rejects with ExitEarly when a reviewer stopped the run, and with ConfigurationError when it is blocked. */
  readonly result: (options?: WaitOptions) => Promise<ToolResult<O>>
  /** Asks the run to end: what is under way is cut off, sagas undo what they did. False where it had ended already. */
  readonly cancel: (reason?: string) => Promise<boolean>
  /** What happened, from the beginning and as it happens, until the run has ended or is blocked. */
  readonly events: (options?: EventOptions) => AsyncIterable<RunEvent>
  /** Takes a blocked run up again, when what blocked it is mended. */
  readonly resume: () => Promise<void>
  /** Tries the compensations that failed once more, on a person's word. */
  readonly retryCompensation: (by?: string) => Promise<void>
}

/** In case a notice was lost. */
const LOOK_AGAIN_MS = 1000
const LOOK_FOR_EVENTS_MS = 250

export function runHandle<O>(context: RunsContext, notices: Notices, id: string): RunHandle<O> {
  const read = async (): Promise<RunRow> => {
    const text = `SELECT ${RUN_COLUMNS} FROM toolwright.run WHERE id = $1`
    const { rows } = await context.store.pool.query<RunRow>({ ...PROMPT, text, values: [id] })
    if (rows[0] !== undefined) return rows[0]
    throw unknownRun(id)
  }
  return inStoreWords<RunHandle<O>>({
    id,
    status: async () => infoOf(await read(), context.values),
    result: async ({ signal } = {}) => {
      for (;;) {
        signal?.throwIfAborted()
        const changed = nextChange(notices, id, { ms: LOOK_AGAIN_MS, signal })
        try {
          const row = await context.patiently(read)
          if (isStandstill(row.status)) return (await outcome(context, row)) as ToolResult<O>
          await changed.promise
        } finally {
          changed.stop()
        }
      }
    },
    cancel: (reason) => cancelRun(context, id, reason),
    events: (options) => followEvents(context, notices, { id, options, read }),
    resume: () => resumeRun(context, id),
    retryCompensation: (by) => retryCompensation(context, id, by),
  })
}

async function outcome(context: RunsContext, row: RunRow): Promise<ToolResult> {
  const { why } = infoOf(row, context.values)
  if (row.status === 'blocked')
    throw new ConfigurationError((why?.code ?? 'replay_diverged') as ConfigurationCode, why?.message ?? `The run '${row.id}' is blocked.`)
  if (row.status === 'stopped') throw new StoppedRun(row.tool, why?.message)
  const text = row.result ?? 'null'
  const large = artifactId(text)
  const artifacts = await readArtifacts(context.store, row.id, large === undefined ? [] : [large])
  return resultOf(large === undefined ? text : (artifacts.get(large) ?? text), context.values) as ToolResult
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

function nextChange(
  notices: Notices,
  id: string,
  { ms, signal }: { readonly ms: number; readonly signal: AbortSignal | undefined },
): Changed {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const stopListening = notices.on((kind, subject) => {
    if (kind === 'reconnected' || subject === id) resolve()
  })
  const giveUp = (): void => reject(signal?.reason as Error)
  signal?.addEventListener('abort', giveUp, { once: true })
  promise.catch(() => {})
  const stop = (): void => {
    clearTimeout(timer)
    stopListening()
    signal?.removeEventListener('abort', giveUp)
  }
  return { promise, stop }
}

interface Following {
  readonly id: string
  readonly options: EventOptions | undefined
  readonly read: () => Promise<RunRow>
}

async function* followEvents(context: RunsContext, notices: Notices, { id, options = {}, read }: Following): AsyncGenerator<RunEvent> {
  const { signal } = options
  let after = checkAfter(options.after ?? 0)
  for (;;) {
    signal?.throwIfAborted()
    const changed = nextChange(notices, id, { ms: LOOK_FOR_EVENTS_MS, signal })
    try {
      const { status } = await context.patiently(read)
      const events = await context.patiently(() => readEvents(context, id, after))
      for (const event of events) {
        after = event.no
        yield event
      }
      if (events.length > 0) continue
      if (isStandstill(status)) return
      await changed.promise
    } finally {
      changed.stop()
    }
  }
}

function checkAfter(after: unknown): number {
  if (typeof after === 'number' && Number.isInteger(after) && after >= 0) return after
  throw new ConfigurationError('invalid_option', `The option 'after' of events must be the number of an event, not ${quote(after)}.`)
}
