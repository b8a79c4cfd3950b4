import type { AgentTool } from '../agent-tool.ts'
import type { PartOptions } from '../context.ts'
import { failureDetails } from '../result/failure-details.ts'
import { SettledFailure } from '../result/settled.ts'
import { classifyError } from '../errors/classify-error.ts'
import type { FailureDetails } from '../result/result.ts'
import type { Waits } from '../retry-rules.ts'
import { callOf } from './call-of.ts'
import { type Part, type PartEnd, tryPart } from './parts.ts'
import { chance, sleepShielded } from './recorded.ts'
import type { Whole } from './whole.ts'

export interface Attempted {
  readonly label: string
  readonly tool: AgentTool
  readonly input: unknown
  /** How often the input was repaired: each repaired one has an idempotency key of its own. */
  readonly generation?: number | undefined
  readonly backoff: Waits
  /** Whether another attempt may help and does no harm. */
  readonly mayRetry: (failure: FailureDetails) => boolean
  /** How many attempts were made before: the next one has the number after. */
  readonly before?: number | undefined
  /** The number of the last attempt, where the record knows it. */
  readonly last?: number | undefined
  /** By the record only: nothing new begins, and nobody waits. */
  readonly isPast?: boolean | undefined
  /** Each attempt has this time of its own, whatever has ended the whole: for undoing. */
  readonly shieldedMs?: number | undefined
}

export interface AttemptsEnd extends PartEnd {
  /** How many there were. */
  readonly attempts: number
  /** One for each attempt. */
  readonly parts: readonly Part[]
}

/**
 * Calls a tool, and again as long as that may help. The result is that of the last attempt. Where an attempt before it may have taken effect,
 * a failure has the outcome unknown too.
 */
export async function attempts(whole: Whole, given: Attempted): Promise<AttemptsEnd> {
  const { label, tool, input, mayRetry, before = 0, last, isPast = false } = given
  const shield = optionsOf(given)
  const isRetried = given.backoff.attempts !== 1
  const parts: Part[] = []
  let isUnknown = false
  for (let attempt = before + 1; ; attempt++) {
    const end = await tryPart(whole, { label, tool, input, isPast, isRetried, options: { attempt, ...shield } })
    const { part, result, fatal } = end
    if (part !== undefined) parts.push(part)
    if (result.ok) return { ...end, attempts: attempt - before, parts }
    isUnknown ||= result.error.outcome === 'unknown'
    const isOver = fatal !== undefined || attempt === last || !mayRetry(result.error)
    const next = isOver ? 'spent' : await wait(whole, given, { attempt, error: result.error })
    if (next === undefined) continue
    const error = next === 'spent' ? result.error : next
    const failed = isUnknown && error.outcome !== 'unknown' ? { ...error, outcome: 'unknown' as const } : error
    const own = failed === result.error ? result : new SettledFailure(callOf(part ?? whole), failed, false)
    return { ...end, attempts: attempt - before, parts, result: own }
  }
}

function optionsOf({ isPast = false, shieldedMs, generation }: Attempted): Pick<PartOptions, 'deadline' | 'generation' | 'shielded'> {
  if (shieldedMs !== undefined) return { shielded: true, deadline: shieldedMs }
  if (isPast) return { shielded: true, deadline: Infinity }
  return generation === undefined ? {} : { generation }
}

interface Failed {
  readonly attempt: number
  readonly error: FailureDetails
}

/** Waits, or says that no attempt is left, or with which failure the wait was cut off. A shielded wait is not cut off. */
async function wait(whole: Whole, given: Attempted, { attempt, error }: Failed): Promise<FailureDetails | 'spent' | undefined> {
  const { label, backoff, before = 0, isPast = false, shieldedMs } = given
  if (backoff.waitAfter(attempt - before, error, 0) === undefined) return 'spent'
  if (isPast) return undefined
  // The number of a repeated label is no part of a label of its own.
  const noted = label.replace('#', '.')
  const waitMs = async (): Promise<number> =>
    backoff.waitAfter(attempt - before, error, await chance(whole, `.jitter.${noted}.${attempt}`)) ?? 0
  const waitLabel = `.wait.${noted}.${attempt}`
  if (shieldedMs !== undefined) {
    await sleepShielded(whole, await waitMs(), waitLabel)
    return undefined
  }
  try {
    await whole.sleep(await waitMs(), waitLabel)
    return undefined
  } catch (thrown) {
    return { ...failureDetails(classifyError(thrown)), outcome: error.outcome }
  }
}
