import type { FailureCode } from './error-codes.ts'
import type { Outcome } from './tool-error.ts'

/** The meaning of a foreign error: our code, and whether the effect may have happened. */
export interface Verdict {
  readonly code: FailureCode
  readonly outcome: Outcome
  /** Set if it differs from the rule of the code. */
  readonly retryable?: boolean | undefined
}

export function verdict(code: FailureCode, outcome: Outcome, retryable?: boolean): Verdict {
  return retryable === undefined ? { code, outcome } : { code, outcome, retryable }
}

/** Nothing was sent. */
export const UNREACHED = verdict('service_unavailable', 'not_started')
/** A request may have left already. */
export const LOST = verdict('service_unavailable', 'unknown')
export const BUSY = verdict('service_unavailable', 'failed')
export const THROTTLED = verdict('rate_limited', 'failed')
export const ABSENT = verdict('not_found', 'failed')
export const FORBIDDEN = verdict('access_denied', 'failed')
/** Refused before the request was looked at. */
export const LOCKED_OUT = verdict('access_denied', 'not_started')
export const TAKEN = verdict('conflict', 'failed')
export const MALFORMED = verdict('invalid_request', 'failed')
/** A schema library refused a value inside the tool: the request or the answer, so that the effect may have come before. */
export const UNFIT = verdict('invalid_request', 'failed')
/** A text inside the tool is no URL, pattern or token: what it was given, or the answer of a service, so that the effect may have come before. */
export const UNUSABLE = verdict('invalid_request', 'failed')
/** The service understood the request, and its answer is no. */
export const DECLINED = verdict('tool_failed', 'failed')
/** The service failed while it worked. */
export const BROKEN = verdict('upstream_error', 'unknown')
/** The service will never do it: another attempt would fail in the same way. */
export const NEVER = verdict('upstream_error', 'failed', false)
/** The server could not prove its identity. */
export const UNTRUSTED = verdict('upstream_error', 'not_started', false)
/** A mistake in the tool's own code, or in the machine under it. */
export const DEFECT = verdict('tool_crashed', 'failed')
export const WITHDRAWN = verdict('cancelled', 'unknown')

const GUESSES = new Map<Verdict, Verdict>()

/** The same meaning, read from words that anybody may write: it does not say whether the effect came before. */
export function guessOf(meaning: Verdict): Verdict {
  let guess = GUESSES.get(meaning)
  if (guess === undefined) {
    GUESSES.set(meaning, (guess = { ...meaning }))
    GUESSED.add(guess)
  }
  return guess
}

const GUESSED = new WeakSet<Verdict>()

export function isGuess(found: Verdict): boolean {
  return GUESSED.has(found)
}

/** A table of verdicts by the words that have them. */
export function wordsFor(table: readonly (readonly [Verdict, string])[]): ReadonlyMap<unknown, Verdict> {
  return new Map(table.flatMap(([meaning, words]) => words.split(' ').map((word) => [word, meaning] as const)))
}
