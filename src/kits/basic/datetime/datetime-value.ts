import { isRecord } from '../../../schema/json-schema.ts'
import type { StandardSchema } from '../../../schema/standard-schema.ts'
import { type Unit, UNITS, type Weekday, WEEKDAYS } from './request.ts'

/** The output of the tool `datetime`, by its `kind`. */
export type DatetimeValue = DateValue | PointInTimeValue | WeekdayValue | DifferenceValue

/** A day of the calendar, in no zone. */
export interface DateValue {
  readonly kind: 'date'
  /** `2024-02-29`. */
  readonly iso: string
  readonly weekday: Weekday
}

/** A point in time, as a clock in a zone shows it. */
export interface PointInTimeValue {
  readonly kind: 'datetime'
  /** `2024-03-10T17:00:00+01:00`. */
  readonly iso: string
  /** A name of the IANA list, or an offset. */
  readonly zone: string
  readonly weekday: Weekday
  readonly epochMs: number
}

/** The answer to `weekday of ...`. */
export interface WeekdayValue {
  readonly kind: 'weekday'
  /** The date that it is the weekday of. */
  readonly iso: string
  readonly weekday: Weekday
}

/** The time from one moment to another; negative when the second comes first. */
export interface DifferenceValue {
  readonly kind: 'difference'
  /** The whole of it as an ISO duration, such as `P1M1D`; business days have none. */
  readonly iso: string
  readonly unit: Unit
  /** Whole units, rounded towards zero. */
  readonly count: number
  /** With the fraction of a unit that is left. */
  readonly total: number
}

const KINDS = ['date', 'datetime', 'weekday', 'difference']

const JSON_SCHEMA = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: KINDS },
    iso: { type: 'string', description: 'The date, the time with its offset, or the ISO duration' },
    zone: { type: 'string', description: 'Of a datetime' },
    weekday: { type: 'string', enum: WEEKDAYS },
    epochMs: { type: 'number', description: 'Of a datetime, in milliseconds' },
    unit: { type: 'string', enum: UNITS, description: 'Of a difference' },
    count: { type: 'integer', description: 'Whole units of a difference' },
    total: { type: 'number', description: 'Units of a difference with the fraction' },
  },
  required: ['kind', 'iso'],
}

/** Written by hand, so that making the tool loads no schema library. */
export const datetimeValueSchema: StandardSchema<DatetimeValue> = {
  '~standard': {
    version: 1,
    vendor: 'toolwright',
    validate: (value) => (isDatetimeValue(value) ? { value } : { issues: [{ message: 'expected an object with kind and iso' }] }),
    jsonSchema: { input: () => JSON_SCHEMA, output: () => JSON_SCHEMA },
  },
}

function isDatetimeValue(value: unknown): value is DatetimeValue {
  return isRecord(value) && KINDS.some((kind) => kind === value['kind']) && typeof value['iso'] === 'string'
}
