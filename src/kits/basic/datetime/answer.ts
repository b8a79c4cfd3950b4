import type { Temporal } from 'temporal-polyfill'
import { countBusinessDays } from './business-day-shift.ts'
import type { DatetimeValue, DifferenceValue } from './datetime-value.ts'
import { evaluateMoment } from './evaluate-moment.ts'
import { dayOf, type Moment, type Surroundings } from './moment.ts'
import { countOf, isClockUnit, NotUnderstood, type Request, type Unit, weekdayNamed } from './request.ts'

/** A value, and the line that a model reads. */
interface Answer {
  readonly value: DatetimeValue
  readonly text: string
}

export function answer(request: Request, around: Surroundings): Answer {
  if (request.kind === 'difference') {
    const from = evaluateMoment(request.from, around)
    const to = evaluateMoment(request.to, around)
    return answerDifference(evaluateDifference({ from, to, at: request.from.at }, request.unit), from, to)
  }
  const moment = evaluateMoment(request.moment, around)
  if (request.kind === 'moment') return answerMoment(moment)
  const day = dayOf(moment)
  const [iso, weekday] = [day.toString(), weekdayNamed(day.dayOfWeek)]
  return { value: { kind: 'weekday', iso, weekday }, text: `${iso} is a ${weekday}` }
}

function answerMoment(moment: Moment): Answer {
  const weekday = weekdayNamed(dayOf(moment).dayOfWeek)
  const iso = isoOf(moment)
  if (moment.kind === 'date') {
    const where = moment.zone === undefined ? '' : `, ${moment.zone}`
    return { value: { kind: 'date', iso, weekday }, text: `${iso} (${weekday}${where})` }
  }
  const { timeZoneId: zone, epochMilliseconds: epochMs } = moment.time
  return { value: { kind: 'datetime', iso, zone, weekday, epochMs }, text: `${iso} (${weekday}, ${zone})` }
}

function answerDifference({ value, duration }: Difference, from: Moment, to: Moment): Answer {
  if (value.unit === 'business days') {
    const way = value.count < 0 ? ['before', 'back to'] : ['after', 'up to']
    return { value, text: `${countOf(value.count, value.unit)} (${way[0]} ${isoOf(from)}, ${way[1]} and including ${isoOf(to)})` }
  }
  return { value, text: `${inWords(duration, value)} (from ${isoOf(from)} to ${isoOf(to)})` }
}

function isoOf(moment: Moment): string {
  return moment.kind === 'date' ? moment.date.toString() : moment.time.toString({ timeZoneName: 'never' })
}

const PARTS = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds', 'milliseconds', 'microseconds', 'nanoseconds'] as const

function inWords(duration: Temporal.Duration, { unit }: DifferenceValue): string {
  return PARTS.filter((part) => part === unit || duration[part] !== 0)
    .map((part) => countOf(duration[part], part))
    .join(', ')
}

interface Ends {
  readonly from: Moment
  readonly to: Moment
  /** The place of the first one in the text. */
  readonly at: number
}

interface Difference {
  readonly value: DifferenceValue
  readonly duration: Temporal.Duration
}

/** The time from one moment to another: days between dates, hours between times, unless a unit is named. */
function evaluateDifference({ from, to, at }: Ends, unit: Unit | undefined): Difference {
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
