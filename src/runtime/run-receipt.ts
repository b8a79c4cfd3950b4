import { isFinal } from '../run/state/run-state.ts'
import type { RunInfo } from '../run/view/run-info.ts'
import { settleWords } from '../tool/outcome-question.ts'
import { printable } from '../tool/printable.ts'
import type { PendingRequest, PendingRun } from '../tool/result/pending-run.ts'
import { failure, type ReturnedFailure } from '../tool/result/returned.ts'
import type { ReviewRequest } from '../tool/review.ts'
import type { Runtime } from './create-runtime.ts'

/** The name of the tool that tells of a run. */
export const RUN_STATUS = 'run_status'

/** Whether a run goes on only when somebody decides. */
export function isForPerson({ status, why }: RunInfo): boolean {
  return status === 'waiting' && why?.code === 'person'
}

/** What a run waits for, as its caller may know it; undefined where it has ended. */
export async function pendingRun(runtime: Pick<Runtime, 'runs'>, info: RunInfo): Promise<PendingRun | undefined> {
  const { id: run, tool, status, why, wakeAt } = info
  if (isFinal(status)) return undefined
  if (isForPerson(info)) {
    const requests = (await openRequests(runtime, run)).map((request) => pendingRequest(request, run))
    // None are open any more if somebody has just decided.
    return { run, tool, waitsFor: requests.length === 0 ? 'work' : 'person', requests }
  }
  if (status === 'blocked') return { run, tool, waitsFor: 'blocked', requests: [], problem: why?.message }
  const waitsFor = status === 'waiting' || (status === 'queued' && wakeAt !== undefined) ? 'time' : status === 'queued' ? 'worker' : 'work'
  return { run, tool, waitsFor, requests: [], ...(wakeAt === undefined ? {} : { wakeAt }) }
}

/** For a model, and not for a person who decides: masked as the record of the run is, with all secrets that the run has seen. */
async function openRequests(runtime: Pick<Runtime, 'runs'>, run: string): Promise<readonly ReviewRequest[]> {
  const { approvals } = await (await runtime.runs()).show(run)
  return approvals.filter(({ status }) => status === 'open').map(({ request }) => request)
}

function pendingRequest(request: ReviewRequest, run: string): PendingRequest {
  const { id, kind, tool, why, input, risk } = request
  return { id, kind, tool, why, input, risk, command: commandFor(request, run) }
}

function commandFor({ id, kind, about, path }: ReviewRequest, run: string): string {
  if (about === 'outcome') return `npx toolwright ${settleWords(run, path)}`
  return `npx toolwright approve ${id}${kind === 'question' ? " --answer '<json>'" : ''}`
}

/** The receipt as the result of the call. It fails, so that the output of a tool is always what the tool gives. */
export function receipt(pending: PendingRun): ReturnedFailure {
  const { message, hint } = receiptTexts(pending)
  const code = pending.waitsFor === 'person' ? 'approval_pending' : 'run_pending'
  return failure(message, { code, outcome: 'unknown', hint, pending })
}

/** The receipt for a model: what is the matter, and what to do. */
export function receiptTexts({ run, tool, waitsFor, requests, wakeAt, problem }: PendingRun): {
  readonly message: string
  readonly hint: string
} {
  const ask = `Do not call '${tool}' again. Ask '${RUN_STATUS}' with ${JSON.stringify({ run })} later: it gives the result.`
  switch (waitsFor) {
    case 'person': {
      const reasons = requests.map((each) => `${each.tool}: ${printable(each.why)}`).join('; ')
      const commands = requests.map(({ command }) => command).join('; ')
      return {
        message: `'${tool}' waits for a person to decide, as run ${run}. ${reasons}`,
        hint: `${ask} It goes on by itself when they have decided, in the inbox or with: ${commands}`,
      }
    }
    case 'time':
      return {
        message: `'${tool}' sleeps${wakeAt === undefined ? '' : ` until ${new Date(wakeAt).toISOString()}`}, as run ${run}.`,
        hint: ask,
      }
    case 'blocked':
      return {
        message: `'${tool}' cannot go on at the moment, as run ${run}. ${problem ?? ''}`.trimEnd(),
        hint: `${ask} A person must mend the program first.`,
      }
    case 'worker':
      return { message: `'${tool}' is queued until a worker takes it up, as run ${run}.`, hint: ask }
    case 'work':
      return { message: `'${tool}' is still at work, as run ${run}.`, hint: ask }
  }
}
