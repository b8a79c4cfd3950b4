import { ToolError, type ToolErrorOptions } from '../errors/tool-error.ts'
import type { ContentPart, ResultIssue } from './result.ts'

export interface SuccessOptions {
  /** What the model reads instead of the value as JSON. */
  readonly text?: string | undefined
  readonly content?: readonly ContentPart[] | undefined
  readonly issues?: readonly ResultIssue[] | undefined
  /** From 0 to 1. */
  readonly confidence?: number | undefined
}

/** What `success(...)` gives: a value with more to say than itself. */
export class ReturnedSuccess<V> {
  readonly value: V
  readonly options: SuccessOptions

  constructor(value: V, options: SuccessOptions) {
    this.value = value
    this.options = options
  }
}

/** What `failure(...)` gives: a failure that is returned, not thrown. */
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
 * Return it from `execute` to fail in an expected way. A thrown error counts as an error in metrics, a returned one as a failure.
 * @example
 * return failure('The card was declined.', { hint: 'Ask for another card.' })
 */
export function failure(message?: string, options: ToolErrorOptions = {}): ReturnedFailure {
  const text = message === undefined || message.trim() === '' ? 'The tool failed without a message.' : message
  return new ReturnedFailure(new ToolError(text, options))
}
