import type { Temporal } from 'temporal-polyfill'
import type { DatetimeValue, DifferenceValue } from './datetime-value.ts'
import { type Difference, evaluateDifference } from './evaluate-difference.ts'
import { evaluateMoment } from './evaluate-moment.ts'
import { dayOf, type Moment, type Surroundings } from './moment.ts'
import type { Request } from './request.ts'
import { countOf } from './units.ts'
import { weekdayNamed } from './weekdays.ts'

/** A value, and the line that a model reads. */
export interface Answer {
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
