import { isRecord } from '../../schema/json-schema.ts'
import { type FailureData, failureData } from '../result/failure-details.ts'
import type { JsonData } from '../journal/codec.ts'
import type { Journal } from '../journal/journal.ts'
import { systemRandom } from '../ports/randomness.ts'
import type { Attempt, FailureDetails, Usage } from '../result/result.ts'
import { mayRetry } from '../retry-rules.ts'
import { announceNow } from './announce.ts'
import type { Call } from './call.ts'
import { nothingBegins } from './nothing-begins.ts'
import { isCut } from './scope.ts'
import { cutError } from './settle.ts'
import { sleepUntil } from './sleep.ts'

/** The field of a recorded result that says when the next attempt begins. Without it, the result is the last one. */
const RETRY_AT = 'retryAt'
const UNSETTLED = 'unsettled'

/** The path of an attempt at a step: `order/find`, then `order/find:@2`. It is inside the step, so that it is passed over with the step. */
export function attemptPath({ path }: Call, attempt: number): string {
  return attempt === 1 ? path : `${path}:@${attempt}`
}

interface Failed {
  readonly attempt: number
  readonly error: FailureDetails
}

/**
 * When another attempt at a failed step begins, in milliseconds since the epoch; undefined if there is none. Only steps that only read are
 * retried, as long as the caller does not do so, and only if the wait ends within the time of the call.
 */
export function retryAt(call: Call, { retries }: Journal, { attempt, error }: Failed): number | undefined {
  if (retries === undefined || call.effect !== 'read' || call.scope.closed !== undefined) return undefined
  if (!mayRetry(call.built, error) || call.isRetried) return undefined
  const waitMs = retries.waitAfter(attempt, error, (call.root.options.random ?? systemRandom)())
  return waitMs === undefined || waitMs >= call.scope.remainingMs ? undefined : call.root.clock.now() + waitMs
}

/** Marks of a result that is not the last one of its step. */
export interface NotFinal {
  /** When the next attempt begins. */
  readonly until?: number | undefined
  /** A person is asked what happened. */
  readonly isUnsettled?: boolean | undefined
}

export function withMarks(result: JsonData, { until, isUnsettled: isAsked = false }: NotFinal): JsonData {
  if (until === undefined && !isAsked) return result
  const marks = { ...(until === undefined ? {} : { [RETRY_AT]: until }), ...(isAsked ? { [UNSETTLED]: true } : {}) }
  return { ...(result as Readonly<Record<string, JsonData>>), ...marks }
}

/** Whether the recorded failure of a step waits for the word of a person. */
export function isUnsettled(result: JsonData): boolean {
  return isRecord(result) && result[UNSETTLED] === true
}

/** When the attempt after a recorded one begins; undefined if that was the last one. */
export function recordedRetry(result: JsonData): number | undefined {
  const at = isRecord(result) ? result[RETRY_AT] : undefined
  return typeof at === 'number' ? at : undefined
}

export interface Pause {
  readonly until: number
  /** It was recorded before the run was taken up. */
  readonly isPast: boolean
}

/** Waits for the next attempt. A run that has nothing else to do is parked meanwhile. */
export async function pauseBefore(call: Call, journal: Journal, { until, isPast }: Pause): Promise<void> {
  if (journal.isClosed === true) {
    // By the clock of a durable run, nothing is recorded after a wait that is not over.
    if (journal.durable === true && until > call.root.clock.now()) throw nothingBegins()
    return
  }
  try {
    await sleepUntil(call, call.scope, { until, isPast, journal })
  } catch (error) {
    throw isCut(error) ? cutError(error.closure, `'${call.tool}' was waiting for another attempt`, 'failed') : error
  }
}

/** The call goes on after a record of its result: it is not stamped any more. */
export function goOn(call: Call): void {
  call.end = undefined
  call.lazily.provenance = undefined
}

/** The call may run again under the same key, and whoever listens is told. */
export function beginAgain(call: Call, { attempt, error }: Failed, until: number): void {
  goOn(call)
  // The parts of the next attempt have the labels of the first.
  call.lazily.labels = undefined
  if (call.root.observed) announceNow(call, { type: 'call.retried', attempt, error: failureData(error), until })
}

/** The attempts of a step, for its last result; undefined if there was one. */
export function attemptsOf(tool: string, failed: readonly FailedAttempt[], last: FailedAttempt): readonly Attempt[] | undefined {
  if (failed.length === 0) return undefined
  return [...failed, last].map(({ at, error }, index) => ({ number: index + 1, tool, at, ...(error === undefined ? {} : { error }) }))
}

export interface FailedAttempt {
  /** When it ended, in milliseconds since the epoch. */
  readonly at: number
  readonly error?: FailureData | undefined
}

/** The usage since an earlier moment of the same call; undefined if nothing was used. */
export function usageSince(now: Usage | undefined, before: Usage | undefined): Usage | undefined {
  if (now === undefined || before === undefined) return now
  const tokens = (now.tokens ?? 0) - (before.tokens ?? 0)
  const costUsd = (now.costUsd ?? 0) - (before.costUsd ?? 0)
  return tokens === 0 && costUsd === 0 ? undefined : { tokens, costUsd }
}
