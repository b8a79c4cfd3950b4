import type { AgentTool } from '../../tool/agent-tool.ts'
import { mayRepeat } from '../../tool/metadata.ts'
import { withAttempts, withIssue } from '../../tool/result/amendments.ts'
import type { SettledResult } from '../../tool/result/settled.ts'
import { NOT_SAFE, type Waits } from '../../tool/retry-rules.ts'
import { type Attempted, attempts, type AttemptsEnd } from '../../tool/seam/attempts.ts'
import { OnePart, type OnePartPlan } from '../../tool/seam/one-part.ts'
import { partsOf } from '../../tool/seam/parts.ts'
import { isRecorded, type Whole } from '../../tool/seam/whole.ts'

export const LABEL = 'attempt'

export interface RetryPlan extends OnePartPlan<unknown> {
  readonly tool: AgentTool
  readonly backoff: Waits
  readonly mayRetry: Attempted['mayRetry']
}

/** Without a record the first attempt needs no promise: a success costs little more than the tool. */
export function runRetry(plan: RetryPlan, input: unknown, whole: Whole): unknown {
  if (!isRecorded(whole)) return new OnePart(whole, plan, input, undefined).begin(input)
  return attempts(whole, { label: LABEL, ...plan, input }).then((end) => resultOf(plan, end))
}

/** After a failure the run goes on with the same input. */
export function attemptOver(run: OnePart<unknown>, result: SettledResult | undefined): boolean {
  if (result === undefined || result.ok) return true
  void goOn(run, result)
  return false
}

async function goOn(run: OnePart<unknown>, result: SettledResult): Promise<void> {
  const { call: whole, held: input } = run
  const plan = run.plan as RetryPlan
  try {
    const first = { part: partsOf(whole)[0], result, fatal: undefined }
    run.end(resultOf(plan, await attempts(whole, { label: LABEL, ...plan, input, first })))
  } catch (error) {
    run.fail(error)
  }
}

function resultOf({ tool, backoff }: RetryPlan, { result, tried, fatal, attempts: count }: AttemptsEnd): SettledResult {
  if (fatal !== undefined) throw fatal.thrown
  const told = withAttempts(result, tried)
  if (told.ok || told.error.outcome !== 'unknown' || !told.error.retryable || mayRepeat(tool) || count === backoff.attempts) return told
  return withIssue(told, { severity: 'warning', message: NOT_SAFE })
}
