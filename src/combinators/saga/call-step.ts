import type { Call } from '../../tool/engine/call.ts'
import { failureDetails } from '../../tool/result/failure-details.ts'
import { SettledFailure } from '../../tool/result/settled.ts'
import { classifyError } from '../../tool/errors/classify-error.ts'
import type { Journal } from '../../tool/journal/journal.ts'
import type { FailureDetails } from '../../tool/result/result.ts'
import { callApart, type PartEnd } from './call-apart.ts'
import { mayRepeat, type SagaStep } from './saga-plan.ts'

/** The last attempt at a step. Where an attempt before may have taken effect, its outcome is unknown too, unless it succeeded. */
export interface StepEnd extends PartEnd {
  readonly attempts: number
  /** All of them. */
  readonly calls: readonly Call[]
}

export interface StepCall {
  readonly step: SagaStep
  readonly input: unknown
  /** By which the step comes only as far as it had come. */
  readonly past: Journal | undefined
  /** How often it had been tried, where that is recorded. */
  readonly attempts: number | undefined
}

/** Calls a step, and again within its budget as long as that may help and does no harm. */
export async function callStep(saga: Call, { step, input, past, attempts }: StepCall): Promise<StepEnd> {
  const { label, tool } = step
  const calls: Call[] = []
  let isUnknown = false
  for (let attempt = 1; ; attempt++) {
    const shield = past === undefined ? {} : { shielded: true, deadline: Infinity }
    const end = await callApart(saga, { label, tool, input, journal: past, options: { attempt, ...shield } })
    const { call, result, fatal } = end
    if (call !== undefined) calls.push(call)
    if (result.ok) return { ...end, attempts: attempt, calls }
    isUnknown ||= result.error.outcome === 'unknown'
    const isOver = fatal !== undefined || attempt === attempts || !mayRetry(step, result.error)
    const next = isOver ? 'spent' : await waitForRetry(saga, { step, attempt, error: result.error, isPast: past !== undefined })
    if (next === undefined) continue
    const error = next === 'spent' ? result.error : next
    const failed = isUnknown && error.outcome !== 'unknown' ? { ...error, outcome: 'unknown' as const } : error
    return { ...end, attempts: attempt, calls, result: failed === result.error ? result : new SettledFailure(call ?? saga, failed, false) }
  }
}

/** After an unknown outcome only what bears repeating is repeated; what cannot be recorded must not begin. */
function mayRetry({ tool }: SagaStep, { code, retryable, outcome }: FailureDetails): boolean {
  return retryable && code !== 'journal_failed' && (outcome !== 'unknown' || mayRepeat(tool))
}

interface Retry {
  readonly step: SagaStep
  readonly attempt: number
  readonly error: FailureDetails
  readonly isPast: boolean
}

/** Waits, or says that the budget is spent, or with which failure the wait was cut off. In the past nobody waits. */
async function waitForRetry(
  saga: Call,
  { step: { label, backoff }, attempt, error, isPast }: Retry,
): Promise<FailureDetails | 'spent' | undefined> {
  if (backoff.waitAfter(attempt, error, 0) === undefined) return 'spent'
  if (isPast) return undefined
  try {
    const random = await saga.decide(`.jitter.${label}.${attempt}`, saga.root.options.random ?? Math.random)
    await saga.sleep(backoff.waitAfter(attempt, error, random) ?? 0, `.wait.${label}.${attempt}`)
    return undefined
  } catch (thrown) {
    return { ...failureDetails(classifyError(thrown)), outcome: error.outcome }
  }
}
