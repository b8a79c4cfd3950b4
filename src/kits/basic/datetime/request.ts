/** A zone as it was written, and where. */
export interface ZoneName {
  readonly name: string
  readonly at: number
}

/** The start of a request. */
export type Start =
  | { readonly kind: 'now' }
  | { readonly kind: 'date'; readonly iso: string }
  /** `iso` is a wall time, without offset. */
  | { readonly kind: 'datetime'; readonly iso: string; readonly offset: string | undefined; readonly zone: ZoneName | undefined }
  /** So many days from today, or the next (1) or last (-1) day with this number in the week. */
  | { readonly kind: 'day'; readonly day: Day; readonly time: string | undefined; readonly zone: ZoneName | undefined }

export type Day =
  | { readonly kind: 'relative'; readonly days: number }
  | { readonly kind: 'weekday'; readonly number: number; readonly direction: 1 | -1 }

/** The changes to the start, from left to right. */
export type Step =
  | { readonly kind: 'add'; readonly count: number; readonly unit: Unit; readonly at: number }
  | { readonly kind: 'convert'; readonly zone: ZoneName; readonly at: number }

export interface MomentRequest {
  readonly start: Start
  readonly steps: readonly Step[]
  readonly at: number
}

/** A parsed request. */
export type Request =
  | { readonly kind: 'moment'; readonly moment: MomentRequest }
  | { readonly kind: 'weekday'; readonly moment: MomentRequest }
  | { readonly kind: 'difference'; readonly from: MomentRequest; readonly to: MomentRequest; readonly unit: Unit | undefined }

/** A request that cannot be answered; the message has the mistake, its place, and what to write instead. */
export class NotUnderstood extends Error {
  override readonly name = 'NotUnderstood'

  /** `at` counts from 0; the message counts from 1. */
  constructor(what: string, at: number, advice?: string) {
    super(`${what} (at character ${at + 1}).${advice === undefined ? '' : ` ${advice}`}`)
  }
}

/** Units of the calendar, the largest first. */
const CALENDAR_UNITS = ['years', 'months', 'weeks', 'days'] as const
/** Units of the clock. */
const CLOCK_UNITS = ['hours', 'minutes', 'seconds', 'milliseconds'] as const
const BUSINESS_DAYS = 'business days'

type CalendarUnit = (typeof CALENDAR_UNITS)[number]
type ClockUnit = (typeof CLOCK_UNITS)[number]
export type Unit = CalendarUnit | ClockUnit | typeof BUSINESS_DAYS

export const UNITS: readonly Unit[] = [...CALENDAR_UNITS, ...CLOCK_UNITS, BUSINESS_DAYS]

export function isClockUnit(unit: Unit): unit is ClockUnit {
  return CLOCK_UNITS.some((each) => each === unit)
}

/** `Day`, `days` and `business day` are units; `d` is none. */
export function unitNamed(word: string): Unit | undefined {
  const plain = word.toLowerCase().replaceAll(/\s+/g, ' ')
  return UNITS.find((unit) => unit === plain || unit.slice(0, -1) === plain)
}

/** `1 day`, `2 days`, `-1 day`. */
export function countOf(count: number, unit: string): string {
  return `${count} ${Math.abs(count) === 1 ? unit.slice(0, -1) : unit}`
}

/** Monday is 1, as in ISO 8601. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

export type Weekday = (typeof WEEKDAYS)[number]

export function weekdayNamed(number: number): Weekday {
  return WEEKDAYS[number - 1] ?? 'Monday'
}
