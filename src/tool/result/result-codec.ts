import { isRecord } from '../../schema/json-schema.ts'
import { ToolError } from '../errors/tool-error.ts'
import { decode, encode, type JsonData } from '../journal/codec.ts'
import { type FailureData, failureData, revivedDetails } from './failure-details.ts'
import type { Provenance, ResultDetails, Usage } from './result.ts'
import type { SuccessOptions } from './returned.ts'
import { SettledFailure, type SettledResult, SettledSuccess } from './settled.ts'

/** The stored form of a result: without its steps, which are stored separately, and without a text that follows from the value. */
interface ResultRecord extends Pick<ResultDetails, 'attempts' | 'level' | 'compensation' | 'validation' | 'usage'> {
  readonly provenance: Provenance
  /** Of a success. */
  readonly value?: unknown
  readonly options?: SuccessOptions | undefined
  /** Of a failure. */
  readonly error?: FailureData | undefined
  readonly thrown?: boolean | undefined
  readonly issues?: ResultDetails['issues']
  /** The names of the secrets that the call has read. */
  readonly secrets?: readonly string[] | undefined
  /** Secrets that validation made of the input, which no other record shows. */
  readonly madeSecrets?: readonly string[] | undefined
}

/** What a record keeps so that secrets stay masked where it is read. */
export interface KeptSecrets {
  /** The names of those that were read from the provider. */
  readonly names?: ReadonlySet<string> | undefined
  /** Those that validation made. */
  readonly made?: ReadonlySet<string> | undefined
}

/**
 * The one stored form of results. Each field is encoded by itself, so that a message about the value has its path within the value. The
 * usage is stored only if it counts for the caller when the result is read again.
 */
export function encodeResult(result: SettledResult, usage?: Usage, { names, made }: KeptSecrets = {}): JsonData {
  const { provenance, attempts, level, compensation, validation } = result
  const secrets = names === undefined ? undefined : [...names]
  const madeSecrets = made === undefined || made.size === 0 ? undefined : [...made]
  const shared = encoded({ provenance, usage, attempts, level, compensation, validation, secrets, madeSecrets })
  if (!result.ok)
    return { ...shared, ...encoded({ issues: result.issues }), error: encode(failureData(result.error)), thrown: result.thrown }
  const { ownText: text, content, issues, confidence } = result
  const options = encoded({ text, content, issues, confidence })
  return { ...shared, value: encode(result.value), ...(Object.keys(options).length === 0 ? {} : { options }) }
}

/** Whether it is the failure of a call that was not started. */
export function isNotStarted(data: JsonData): boolean {
  const error = isRecord(data) ? data['error'] : undefined
  return isRecord(error) && error['outcome'] === 'not_started'
}

/** The result that was encoded. `place` says where it was kept, for the failure that tells of something else there: `at 'refund/charge'`. */
export function decodeResult(data: JsonData, place: string): SettledResult {
  return revivedResult(decode(data), place)
}

/** The same from values that are decoded already. */
export function revivedResult(record: unknown, place: string): SettledResult {
  if (!isResultRecord(record)) {
    throw new ToolError(`The value ${place} is not a result.`, { code: 'journal_failed', outcome: 'unknown', retryable: false })
  }
  const { provenance, value, options, error, thrown = false, usage, attempts, level, compensation, validation, issues } = record
  const origin = { provenance }
  const result =
    error === undefined ? new SettledSuccess(origin, value, options) : new SettledFailure(origin, revivedDetails(error), thrown)
  if ([issues, usage, attempts, level, compensation, validation].some((each) => each !== undefined)) {
    result.add({ issues, usage, attempts, level, compensation, validation })
  }
  return result
}

/** Whether decoded data is a kept result, and not a stand-in for one that is too large to be read. */
export function isResultRecord(record: unknown): record is ResultRecord {
  return isRecord(record) && isRecord(record['provenance']) && ('value' in record || isRecord(record['error']))
}

/** Fields as data, without those that are absent. */
function encoded(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, JsonData>> {
  const data: Record<string, JsonData> = {}
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) data[key] = encode(value)
  return data
}
