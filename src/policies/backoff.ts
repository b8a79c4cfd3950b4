import { quote } from '../schema/quote.ts'
import { type Duration, toMilliseconds } from '../tool/duration.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { FailureDetails } from '../tool/result/result.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** The options of `backoff`: how often to try, and how long to wait between two attempts. */
export interface BackoffOptions {
  /** The number of attempts in all; 3 by default. */
  readonly attempts?: number | undefined
  /** The wait after the first failure, 200 ms by default; it doubles with each one. */
  readonly base?: Duration | undefined
  /** No wait of our own is longer, 30 s by default. */
  readonly max?: Duration | undefined
}

const NAMES = optionNames<BackoffOptions>({ attempts: true, base: true, max: true })

/** Computes the wait before the next attempt. Clock and randomness belong to the caller. */
export interface Backoff {
  readonly attempts: number
  /**
   * Milliseconds to wait after a failed attempt, counted from 1; undefined when there is none left. `random` is from 0 to 1. A `retryAfterMs` of the failure is always respected, however long.
   */
  readonly waitAfter: (attempt: number, failure: Asking, random: number) => number | undefined
}

/** The fields of a failure that matter here. */
type Asking = Pick<FailureDetails, 'class' | 'retryAfterMs'>

/** Where a rate limit names no time. */
const RATE_LIMITED_MS = 5000

/** A budget of attempts, with waits that grow: the base doubled with each failure, and up to one base more by chance. */
export function backoff(options: BackoffOptions = {}, what = 'a backoff'): Backoff {
  checkOptionNames(options, NAMES, `The options of ${what}`)
  const { attempts = 3, base = 200, max = '30s' } = options
  if (!Number.isSafeInteger(attempts) || attempts < 1) {
    throw new ConfigurationError('invalid_option', `'attempts' of ${what} must be a whole number of at least 1, not ${quote(attempts)}.`)
  }
  const baseMs = toMilliseconds(base, `'base' of ${what}`)
  const maxMs = toMilliseconds(max, `'max' of ${what}`)
  return {
    attempts,
    waitAfter: (attempt, failure, random) => {
      if (attempt >= attempts) return undefined
      const own = Math.min(baseMs * 2 ** (attempt - 1) + baseMs * random, maxMs)
      const asked = failure.retryAfterMs ?? (failure.class === 'rate_limited' ? RATE_LIMITED_MS : 0)
      return Math.round(Math.max(own, asked))
    },
  }
}

/** The sum of all waits of its own, at the longest. */
export function longestWaits({ attempts, waitAfter }: Backoff): number {
  let sum = 0
  let before = -1
  for (let attempt = 1; attempt < attempts; attempt++) {
    const wait = waitAfter(attempt, { class: 'transient' }, 1) ?? 0
    // The waits have stopped growing.
    if (wait === before) return sum + wait * (attempts - attempt)
    sum += wait
    before = wait
  }
  return sum
}
