import { failureDetails } from '../result/failure-details.ts'
import { SettledFailure, SettledSuccess } from '../result/settled.ts'
import { classifyError } from '../errors/classify-error.ts'
import type { SuccessOptions } from '../result/returned.ts'
import type { FailureDetails } from '../result/result.ts'
import { callOf } from './call-of.ts'
import type { Part } from './parts.ts'
import { maskedText, type Whole } from './whole.ts'

/** A thrown value as the details of a failure. */
export function detailsOf(thrown: unknown): FailureDetails {
  return failureDetails(classifyError(thrown))
}

/** The details of a failure whose texts may repeat secrets: without those that are known to the whole. */
export function maskedDetails(whole: Whole, error: FailureDetails): FailureDetails {
  return { ...error, message: maskedText(whole, error.message), hint: maskedText(whole, error.hint) }
}

/** A failure of a whole or of a part. `isThrown`: metrics distinguish thrown failures from returned ones. */
export function failureOf(of: Whole | Part, error: FailureDetails, isThrown = false): SettledFailure {
  return new SettledFailure(callOf(of), error, isThrown)
}

/** A success of a whole with this value. */
export function successOf(whole: Whole, value: unknown, options?: SuccessOptions): SettledSuccess {
  return new SettledSuccess(callOf(whole), value, options)
}
