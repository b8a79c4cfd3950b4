import type { PendingRun } from '../result/pending-run.ts'
import { oddName } from '../../schema/odd-name.ts'
import { warn } from '../warn.ts'
import { brand, hasBrand, markUnclassified } from './brand.ts'
import { type ErrorClass, FAILURES, isFailureCode } from './error-codes.ts'

/** Whether the effect of a failed call happened. */
export type Outcome = 'not_started' | 'failed' | 'unknown'

/** The options of a `ToolError`. */
export interface ToolErrorOptions {
  /** A short word that programs can test for; the default is `tool_failed`. */
  readonly code?: string | undefined
  readonly class?: ErrorClass | undefined
  readonly retryable?: boolean | undefined
  /** What to do next, for a model or a person. */
  readonly hint?: string | undefined
  /**
   * Whether the effect happened. The default is `failed`: it did not. But an error that names neither code, class nor outcome says nothing about it: if a
   * tool throws it that does not only read, the outcome is `unknown`.
   */
  readonly outcome?: Outcome | undefined
  /** How long to wait before the next attempt. */
  readonly retryAfterMs?: number | undefined
  /** The durable run that goes on after this failure. */
  readonly pending?: PendingRun | undefined
  /** The message is for those who run the program: clients over a network get the code and the hint, and the log gets the message. */
  readonly internal?: boolean | undefined
  readonly cause?: unknown
}

/** The message of a failure without one. */
const NO_MESSAGE = 'The tool failed without a message.'

/**
 * Throw it from `execute` to fail with a code, a class and a hint of your own.
 * @example
 * throw new ToolError('No customer has this address.', { class: 'not_found', hint: 'Search by name first.' })
 */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly code: string
  readonly class: ErrorClass
  readonly retryable: boolean
  readonly hint: string
  readonly outcome: Outcome
  readonly retryAfterMs: number | undefined
  readonly pending: PendingRun | undefined
  readonly internal: boolean

  constructor(message: string, options: ToolErrorOptions = {}) {
    super(textOr(message, NO_MESSAGE), 'cause' in options ? { cause: options.cause } : undefined)
    const isMisspelt = tellOddName(options)
    const { code, class: errorClass, retryable, hint, outcome, retryAfterMs, pending, internal } = options
    this.code = textOr(code, 'tool_failed')
    const defaults = FAILURES[code !== undefined && isFailureCode(code) ? code : codeOfClass(errorClass)]
    this.class = isClass(errorClass) ? errorClass : defaults.class
    this.retryable = typeof retryable === 'boolean' ? retryable : defaults.retryable
    this.hint = typeof hint === 'string' ? hint : defaults.hint
    // A misspelt outcome, or a misspelt name that may have been meant for it, must not claim that nothing happened.
    this.outcome = isOutcome(outcome) ? outcome : (outcome === undefined || outcome === null) && !isMisspelt ? 'failed' : 'unknown'
    this.retryAfterMs = typeof retryAfterMs === 'number' && retryAfterMs >= 0 ? retryAfterMs : undefined
    this.pending = pending
    this.internal = internal === true
    brand(this, 'tool')
    if (code === undefined && errorClass === undefined && outcome === undefined) markUnclassified(this)
  }
}

/** Those of a failure too, since one may be made again from its details. */
const NAMES: Readonly<Record<keyof ToolErrorOptions | 'message' | 'step', true>> = {
  code: true,
  class: true,
  retryable: true,
  hint: true,
  outcome: true,
  retryAfterMs: true,
  pending: true,
  internal: true,
  cause: true,
  message: true,
  step: true,
}

const told = new Set<string>()

/** An error that is about to be thrown is not replaced by one about its options: the developer is warned, once. */
function tellOddName(options: object): boolean {
  const problem = oddName(options, Object.keys(NAMES), 'The options of a ToolError or of failure')
  if (problem === undefined) return false
  if (!told.has(problem)) warn(undefined, problem)
  told.add(problem)
  return true
}

/** Recognises a ToolError of any copy of the package. */
export function isToolError(value: unknown): value is ToolError {
  return hasBrand(value, 'tool')
}

const CODE_OF_CLASS = {
  transient: 'service_unavailable',
  rate_limited: 'rate_limited',
  input_validation: 'invalid_request',
  authorization: 'access_denied',
  semantic: 'tool_failed',
  not_found: 'not_found',
  server: 'upstream_error',
  rejected: 'rejected',
  deadline: 'deadline_exceeded',
  cancelled: 'cancelled',
} as const satisfies Record<ErrorClass, keyof typeof FAILURES>

/** The code whose hint and retry rule apply to a whole class. */
function codeOfClass(errorClass: ErrorClass | undefined): (typeof CODE_OF_CLASS)[ErrorClass] {
  return isClass(errorClass) ? CODE_OF_CLASS[errorClass] : 'tool_failed'
}

// An untyped program may pass anything, but a failure must be valid data to be stored and sent.

function textOr(text: unknown, otherwise: string): string {
  return typeof text === 'string' && text.trim() !== '' ? text : otherwise
}

function isClass(given: ErrorClass | undefined): given is ErrorClass {
  return typeof given === 'string' && Object.hasOwn(CODE_OF_CLASS, given)
}

function isOutcome(given: Outcome | undefined): given is Outcome {
  return given === 'not_started' || given === 'failed' || given === 'unknown'
}
