import type { Temporal } from 'temporal-polyfill'
import { countBusinessDays } from './business-days.ts'
import type { DifferenceValue } from './datetime-value.ts'
import type { Moment } from './moment.ts'
import { NotUnderstood } from './not-understood.ts'
import { isClockUnit, type Unit } from './units.ts'

interface Ends {
  readonly from: Moment
  readonly to: Moment
  /** Where the first one stands in the text. */
  readonly at: number
}

export interface Difference {
  readonly value: DifferenceValue
  readonly duration: Temporal.Duration
}

/** The time from one moment to another: days between dates, hours between times, unless a unit is named. */
export function evaluateDifference({ from, to, at }: Ends, unit: Unit | undefined): Difference {
  if (from.kind === 'date' && to.kind === 'date') return betweenDates(from.date, to.date, { unit: unit ?? 'days', at })
  if (from.kind === 'datetime' && to.kind === 'datetime') return betweenTimes(from.time, to.time, { unit: unit ?? 'hours', at })
  const advice = 'Take today in place of now for whole days, or give both a time, such as 2024-01-31T00:00.'
  throw new NotUnderstood('A date and a time cannot be compared', at, advice)
}

interface Wanted {
  readonly unit: Unit
  readonly at: number
}

function betweenDates(from: Temporal.PlainDate, to: Temporal.PlainDate, { unit, at }: Wanted): Difference {
  if (isClockUnit(unit)) {
    throw new NotUnderstood(`There are no ${unit} between dates without a time`, at, `Give both a time, such as ${from.toString()}T00:00.`)
  }
  if (unit === 'business days') {
    const duration = from.until(to, { largestUnit: 'days' })
    const count = countBusinessDays(from.dayOfWeek, duration.days)
    return { value: { kind: 'difference', iso: duration.toString(), unit, count, total: count }, duration }
  }
  return difference(from.until(to, { largestUnit: unit }), unit, from)
}

/** Days and longer are counted in the zone of the first. */
function betweenTimes(from: Temporal.ZonedDateTime, to: Temporal.ZonedDateTime, { unit, at }: Wanted): Difference {
  if (unit === 'business days') {
    throw new NotUnderstood('Business days are counted between dates', at, 'Leave the times out, and take today in place of now.')
  }
  return difference(from.until(to.withTimeZone(from.timeZoneId), { largestUnit: unit }), unit, from)
}

function difference(
  duration: Temporal.Duration,
  unit: Exclude<Unit, 'business days'>,
  relativeTo: Temporal.PlainDate | Temporal.ZonedDateTime,
): Difference {
  const total = duration.total({ unit, relativeTo })
  return { value: { kind: 'difference', iso: duration.toString(), unit, count: duration[unit], total }, duration }
}
