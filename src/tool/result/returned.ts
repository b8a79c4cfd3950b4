import { isUnclassified, markUnclassified } from '../errors/brand.ts'
import { classifyError } from '../errors/classify-error.ts'
import { messageOf } from '../errors/message-of.ts'
import { ToolError, type ToolErrorOptions } from '../errors/tool-error.ts'
import { failureDetails } from './failure-details.ts'
import type { ContentPart, ResultIssue } from './result.ts'

/** The options of `success`. */
export interface SuccessOptions {
  /** The text for the model, instead of the value as JSON. */
  readonly text?: string | undefined
  readonly content?: readonly ContentPart[] | undefined
  readonly issues?: readonly ResultIssue[] | undefined
  /** From 0 to 1. */
  readonly confidence?: number | undefined
}

/** Returned by `success(...)`: a value with details. */
export class ReturnedSuccess<V> {
  readonly value: V
  readonly options: SuccessOptions

  constructor(value: V, options: SuccessOptions) {
    this.value = value
    this.options = options
  }
}

/** Returned by `failure(...)`: a failure that is returned, not thrown. */
export class ReturnedFailure {
  readonly error: ToolError

  constructor(error: ToolError) {
    this.error = error
  }
}

/**
 * Return it from `execute` to set the text for the model, other content, issues or a confidence beside the value.
 * @example
 * return success({ rows }, { text: `${rows.length} rows` })
 */
export function success<V>(value: V, options: SuccessOptions = {}): ReturnedSuccess<V> {
  return new ReturnedSuccess(value, options)
}

/**
 * Return it from `execute` to fail in an expected way. A thrown error counts as an error in metrics, a returned one as a failure. An error
 * that was caught may be given as it is: it is classified as if it had been thrown, unless the options name a code or a class. A text says that nothing took effect, unless the
 * options name another outcome.
 * @example
 * return failure('The card was declined.', { hint: 'Ask for another card.' })
 */
export function failure(reason?: unknown, options: ToolErrorOptions = {}): ReturnedFailure {
  const isClassified = options.code !== undefined || options.class !== undefined
  if (typeof reason !== 'object' || reason === null) {
    // The author has written it for a failure that they expect.
    return new ReturnedFailure(new ToolError(messageOf(reason), isClassified ? options : { ...options, class: 'semantic' }))
  }
  const error = classifyError(reason)
  const known = isClassified ? {} : failureDetails(error)
  const returned = new ToolError(error.message, { ...known, cause: reason, ...given(options) })
  const isSilent = !isClassified && options.outcome === undefined && isUnclassified(error)
  return new ReturnedFailure(isSilent ? markUnclassified(returned) : returned)
}

/** An undefined option does not override. */
function given(options: ToolErrorOptions): ToolErrorOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
