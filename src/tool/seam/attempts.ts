import { adapt } from '../adapt.ts'
import type { AgentTool } from '../agent-tool.ts'
import type { PartOptions } from '../context.ts'
import { durationText } from '../duration-text.ts'
import { announceRetry } from '../engine/announce.ts'
import { attemptsOf, type FailedAttempt } from '../engine/next-attempt.ts'
import { failureData, failureDetails } from '../result/failure-details.ts'
import { SettledFailure, type SettledResult } from '../result/settled.ts'
import { classifyError } from '../errors/classify-error.ts'
import { FAILURES } from '../errors/error-codes.ts'
import { systemRandom } from '../ports/randomness.ts'
import type { Attempt, FailureDetails } from '../result/result.ts'
import { mayRetry as mayRetryTool, type Waits } from '../retry-rules.ts'
import { callOf } from './call-of.ts'
import { type Part, type PartEnd, tryPart } from './parts.ts'
import { decided, sleepShielded } from './recorded.ts'
import { isClosed, type Whole } from './whole.ts'

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
  /** The end of the first attempt, if the caller has made it. */
  readonly first?: PartEnd | undefined
}

export interface AttemptsEnd extends PartEnd {
  /** How many there were. */
  readonly attempts: number
  /** All of them, for the result; undefined if there was one. */
  readonly tried: readonly Attempt[] | undefined
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
  const failed: FailedAttempt[] = []
  let { first } = given
  let isUnknown = false
  for (let attempt = before + 1; ; attempt++) {
    const end = first ?? (await tryPart(whole, { label, tool, input, isPast, isRetried, options: { attempt, ...shield } }))
    first = undefined
    const { part, result, fatal } = end
    if (part !== undefined) parts.push(part)
    const ended = {
      attempts: attempt - before,
      parts,
      tried: failed.length === 0 ? undefined : attemptsOf(tool.name, failed, attemptOf(result)),
    }
    if (result.ok) return { ...end, ...ended }
    isUnknown ||= result.error.outcome === 'unknown'
    const isOver = fatal !== undefined || attempt === last || !mayRetry(result.error)
    const next = isOver ? result.error : await wait(whole, given, { attempt, error: result.error, part })
    if (next === undefined) {
      failed.push(attemptOf(result))
      continue
    }
    const error = isUnknown && next.outcome !== 'unknown' ? { ...next, outcome: 'unknown' as const } : next
    const own = error === result.error ? result : new SettledFailure(callOf(part ?? whole), error, false)
    return { ...end, ...ended, result: own }
  }
}

/** A rule of an author replaces the word of the failure itself. It cannot make an unsafe attempt safe, nor overrule a person or the clock. */
export function retryRule(
  tool: AgentTool,
  retryIf: ((failure: FailureDetails) => boolean) | undefined,
  whose: string,
): Attempted['mayRetry'] {
  if (retryIf === undefined) return (error) => mayRetryTool(tool, error)
  return (error) => mayRetryTool(tool, error, adapt(`'retryIf' of ${whose}`, () => retryIf(error)) === true)
}

function attemptOf(result: SettledResult): FailedAttempt {
  const { timestamp: at } = result.provenance
  return result.ok ? { at } : { at, error: failureData(result.error) }
}

function optionsOf({ isPast = false, shieldedMs, generation }: Attempted): Pick<PartOptions, 'deadline' | 'generation' | 'shielded'> {
  if (shieldedMs !== undefined) return { shielded: true, deadline: shieldedMs }
  if (isPast) return { shielded: true, deadline: Infinity }
  return generation === undefined ? {} : { generation }
}

interface Failed {
  readonly attempt: number
  readonly error: FailureDetails
  readonly part: Part | undefined
}

/** Waits for the next attempt. Returns the failure of the whole if there is none: no attempt or no time is left, or the wait was cut off. */
async function wait(whole: Whole, given: Attempted, failed: Failed): Promise<FailureDetails | undefined> {
  const { label, backoff, before = 0, isPast = false, shieldedMs } = given
  const { attempt, error, part } = failed
  const waitMs = (random: number): number | undefined => backoff.waitAfter(attempt - before, error, random)
  const least = waitMs(0)
  if (least === undefined) return error
  // The number of a repeated label is no part of a label of its own.
  const noted = label.replace('#', '.')
  const chanceLabel = `.jitter.${noted}.${attempt}`
  if (isPast) return decided<number | null>(whole, chanceLabel)?.value === null ? inVain(error, least) : undefined
  const random = callOf(whole).root.options.random ?? systemRandom
  // A wait that ends after the deadline would only delay the failure. Recorded with the chance, because a replay has another clock.
  const chance = await whole.decide(chanceLabel, (): number | null => {
    const drawn = random()
    return shieldedMs !== undefined || isClosed(whole) || (waitMs(drawn) ?? 0) < whole.remainingMs ? drawn : null
  })
  if (chance === null) return inVain(error, least)
  const ms = waitMs(chance) ?? 0
  if (part !== undefined) announceRetry(callOf(part), { attempt, error: failureData(error), until: whole.clock.now() + ms })
  const waitLabel = `.wait.${noted}.${attempt}`
  if (shieldedMs !== undefined) {
    await sleepShielded(whole, ms, waitLabel)
    return undefined
  }
  try {
    await whole.sleep(ms, waitLabel)
    return undefined
  } catch (thrown) {
    return { ...failureDetails(classifyError(thrown)), outcome: error.outcome }
  }
}

/** The failure says when to try again. A hint of the author's own stays. */
function inVain(error: FailureDetails, retryAfterMs: number): FailureDetails {
  if (!USUAL_HINTS.has(error.hint)) return { ...error, retryAfterMs }
  return { ...error, retryAfterMs, hint: `No time was left for another attempt. Call again after ${durationText(retryAfterMs)}.` }
}

const USUAL_HINTS: ReadonlySet<string> = new Set(Object.values(FAILURES).map(({ hint }) => hint))
