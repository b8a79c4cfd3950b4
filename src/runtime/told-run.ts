import type { RunHandle } from '../run/run-handle.ts'
import type { RunStatus } from '../run/state/run-state.ts'
import type { RunRecord } from '../run/view/run-record.ts'
import type { ToolContext } from '../tool/context.ts'
import { isExitEarly } from '../tool/errors/exit-early.ts'
import { failureData, failureMessage } from '../tool/result/failure-details.ts'
import type { FailureDetails, ToolResult } from '../tool/result/result.ts'
import { type ReturnedSuccess, success } from '../tool/result/returned.ts'
import type { Runtime } from './create-runtime.ts'
import { callerOf, checkPermitted, findRun } from './door-runs.ts'
import { receiptTexts } from './run-receipt.ts'
import type { RunStatusOutput } from './run-status.ts'
import { isPending, waitForRun } from './wait-for-run.ts'

interface Asking {
  readonly context: ToolContext
  /** How many seconds to wait for the end. */
  readonly wait: number
  /** Tells clients of a server apart. */
  readonly client: string | undefined
}

/** What `run_status` says of a run of a runtime; undefined where the caller has no such run there. */
export async function toldOfRun(runtime: Runtime, id: string, asking: Asking): Promise<ReturnedSuccess<RunStatusOutput> | undefined> {
  const run = await findRun(runtime, id, { caller: callerOf(runtime, asking.context, asking.client) })
  return run === undefined ? undefined : told(runtime, run, asking)
}

async function told(runtime: Runtime, run: RunHandle, { context, wait }: Asking): Promise<ReturnedSuccess<RunStatusOutput>> {
  const { clock, signal } = context
  const { tool: name } = await run.status()
  const known = (await runtime.registered()).get(name)
  if (known !== undefined) checkPermitted(runtime, known, context.principal)
  try {
    const answer = await waitForRun(runtime, run, { clock, signal, patienceMs: wait * 1000, waitsForPeople: true })
    if (!isPending(answer)) {
      const { status, result } = await (await runtime.runs()).show(run.id)
      return ended(answer, { run: run.id, tool: name, status, shown: errorIn(result) })
    }
    const { message, hint } = receiptTexts(answer)
    return success({ ...answer, status: 'pending' }, { text: `${message} ${hint}` })
  } catch (error) {
    if (!isExitEarly(error)) throw error
    const { message = error.message } = (await (await runtime.runs()).show(run.id)).why ?? {}
    const stopped = { run: run.id, tool: name, status: 'stopped', error: { message } } as const
    return success(stopped, { text: endedText(stopped) })
  }
}

interface Ended {
  readonly run: string
  readonly tool: string
  readonly status: RunStatus
  /** Why it failed, as the record shows it. */
  readonly shown: FailureDetails | undefined
}

/** The model reads what the tool itself would have told it. Secrets that the run has seen are masked in a failure, as in the record of the run. */
function ended(result: ToolResult, { status, shown, ...run }: Ended): ReturnedSuccess<RunStatusOutput> {
  if (result.ok) return success({ ...run, status: 'completed', value: result.value }, { text: result.text, content: result.content })
  const error = failureData(shown ?? { ...result.error, message: UNSHOWN })
  const without = { ...run, status: status === 'cancelled' ? status : 'failed', error } as const
  return success(without, { text: endedText(without) })
}

/** The run has ended without an output. To ask about it went well: the text does not say that it failed. */
export function endedText({ tool: name, status, error }: EndedWithout): string {
  const text = `The run of '${name}' ${status === 'failed' ? 'failed' : `was ${status}`}: ${failureMessage(error)}`
  return 'hint' in error && !text.includes(error.hint) ? `${text} ${error.hint}` : text
}

/** What `run_status` says of a run without an output. */
export type EndedWithout = Extract<RunStatusOutput, { readonly status: 'failed' | 'cancelled' | 'stopped' }>

const UNSHOWN = 'It failed, and its record cannot be shown.'

function errorIn(result: RunRecord['result']): FailureDetails | undefined {
  return result !== undefined && 'error' in result ? result.error : undefined
}
