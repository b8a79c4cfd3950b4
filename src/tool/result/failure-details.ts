import type { ToolError } from '../errors/tool-error.ts'
import type { FailureDetails } from './result.ts'

/** A failure as data: without its cause, which may be anything, and without absent fields. */
export type FailureData = Omit<FailureDetails, 'cause'>

/** The details of an error in a result. */
export function failureDetails(error: ToolError): FailureDetails {
  const { code, class: errorClass, message, retryable, hint, outcome, retryAfterMs, pending, internal, cause } = error
  const details = { code, class: errorClass, message, retryable, hint, outcome, retryAfterMs, cause }
  if (pending === undefined && !internal) return details
  return { ...details, ...(pending === undefined ? {} : { pending }), ...(internal ? { internal } : {}) }
}

/** Every copy of a failure that leaves the process, is recorded or is compared is made here. */
export function failureData(error: FailureDetails): FailureData {
  const { code, class: errorClass, message, retryable, hint, outcome, retryAfterMs, step, pending, internal } = error
  return {
    ...{ code, class: errorClass, message, retryable, hint, outcome },
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(step === undefined ? {} : { step }),
    ...(pending === undefined ? {} : { pending }),
    ...(internal === true ? { internal } : {}),
  }
}

/** The message, with the step that failed where a pipeline did. */
export function failureMessage({ step, message }: Pick<FailureDetails, 'step' | 'message'>): string {
  return step === undefined ? message : `Step '${step}' failed: ${message}`
}

/** The details that were kept as data, with the same fields as in the run that gave them. */
export function revivedDetails(data: FailureData): FailureDetails {
  return { retryAfterMs: undefined, ...data }
}
