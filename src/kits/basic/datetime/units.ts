/** What is counted on the calendar, the largest first. */
const CALENDAR_UNITS = ['years', 'months', 'weeks', 'days'] as const
/** What is counted on the clock. */
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
