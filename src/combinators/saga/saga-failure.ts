import { ConfigurationError, isConfigurationError } from '../../tool/errors/configuration-error.ts'
import type { ConfigurationCode } from '../../tool/errors/error-codes.ts'
import { exitEarlyOf, isExitEarly } from '../../tool/errors/exit-early.ts'
import { failureData, revivedDetails } from '../../tool/result/failure-details.ts'
import type { FailureDetails } from '../../tool/result/result.ts'
import type { RecordedFailure } from './saga-record.ts'

/** Why a saga did not complete. */
export interface SagaFailure {
  /** Undefined if all steps had succeeded. */
  readonly step: string | undefined
  readonly attempts: number
  readonly error: FailureDetails
  /** A fatal error, thrown after everything is undone. */
  readonly fatal: { readonly thrown: unknown } | undefined
}

/** A person or the caller ended it: it did not fail by itself. */
export function isAbort({ error, fatal }: SagaFailure): boolean {
  return error.class === 'rejected' || error.class === 'cancelled' || (fatal !== undefined && isExitEarly(fatal.thrown))
}

/** The program differs from the one that made the record, so it must not undo anything. */
export function isOtherProgram(thrown: unknown): boolean {
  return isConfigurationError(thrown) && OTHER_PROGRAM.has(thrown.code)
}

const OTHER_PROGRAM: ReadonlySet<string> = new Set(['replay_diverged', 'plan_changed'])

export function recordedFailure({ step, attempts, error, fatal }: SagaFailure): RecordedFailure {
  return {
    ...(step === undefined ? {} : { step, attempts }),
    error: failureData(error),
    ...(fatal === undefined ? {} : { fatal: { code: codeOf(fatal.thrown), message: messageOf(fatal.thrown) } }),
  }
}

/** The recorded failure. A fatal error that does not occur again is made from the record. */
export function revivedFailure({ step, attempts = 0, error, fatal }: RecordedFailure, again: SagaFailure['fatal']): SagaFailure {
  return { step, attempts, error: revivedDetails(error), fatal: fatal === undefined ? undefined : (again ?? { thrown: revived(fatal) }) }
}

/** Whether a fatal error is the recorded one. */
export function isRecordedFatal({ fatal }: RecordedFailure, { thrown }: { readonly thrown: unknown }): boolean {
  return fatal !== undefined && fatal.code === codeOf(thrown)
}

function revived({ code, message }: NonNullable<RecordedFailure['fatal']>): Error {
  return code === 'exit_early' ? exitEarlyOf(message) : new ConfigurationError(code as ConfigurationCode, message)
}

function codeOf(thrown: unknown): string {
  return isConfigurationError(thrown) || isExitEarly(thrown) ? thrown.code : 'exit_early'
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
