import type { Temporal } from 'temporal-polyfill'
import { businessDayShift } from './business-day-shift.ts'
import { dayOf, type Moment, place, type Surroundings, zoneProblem } from './moment.ts'
import { type Day, isClockUnit, type MomentRequest, NotUnderstood, type Start, type Step, type ZoneName } from './request.ts'

type Addition = Step & { readonly kind: 'add' }

/** Carries out the steps from left to right: each works on what the ones before it gave. */
export function evaluateMoment({ start, steps, at }: MomentRequest, around: Surroundings): Moment {
  let moment = inRange(() => beginMoment(start, at, around), at)
  for (const step of steps) {
    const before = moment
    moment = inRange(() => (step.kind === 'add' ? add(before, step, around) : convert(before, step, around)), step.at)
  }
  return moment
}

function add(moment: Moment, step: Addition, { notes }: Surroundings): Moment {
  const { count, unit, at } = step
  const days = unit === 'business days' ? businessDayShift(dayOf(moment).dayOfWeek, count) : 0
  if (moment.kind === 'date') {
    if (isClockUnit(unit)) {
      const { date } = moment
      throw new NotUnderstood(`A date without a time takes no ${unit}`, at, `Give the time, such as ${date.toString()}T00:00.`)
    }
    return { ...moment, date: moment.date.add(unit === 'business days' ? { days } : { [unit]: count }) }
  }
  if (isClockUnit(unit) || count === 0)
    return { ...moment, time: unit === 'business days' ? moment.time : moment.time.add({ [unit]: count }) }
  const wall = moment.time.toPlainDateTime().add(unit === 'business days' ? { days } : { [unit]: count })
  return { ...moment, time: place(wall, moment.time.timeZoneId, notes) }
}

function convert(moment: Moment, step: Step & { readonly kind: 'convert' }, around: Surroundings): Moment {
  const zone = zoneIn(step.zone, around)
  if (moment.kind === 'date') {
    throw new NotUnderstood(
      'A date without a time cannot be converted to a zone',
      step.at,
      `Give the time and its zone, such as ${moment.date.toString()}T00:00 UTC in ${zone}; for the date there write today in ${zone}.`,
    )
  }
  const there = moment.time.withTimeZone(zone)
  // In the tool's own zone, that time there and that time converted are the same.
  if (moment.assumed && there.timeZoneId !== moment.time.timeZoneId) {
    const wall = moment.time.toPlainDateTime().toString()
    throw new NotUnderstood(
      'The time names no zone to convert it from',
      step.at,
      `Write ${wall} ${zone} for that time there, or ${wall} ${moment.time.timeZoneId} in ${zone} to convert it.`,
    )
  }
  return { ...moment, time: there, assumed: false }
}

const LAST_YEAR = 9999

/** Years beyond four digits are written in another way, which few programs read. */
function inRange(make: () => Moment, at: number): Moment {
  const moment = within(make)
  const year = moment === undefined ? 0 : dayOf(moment).year
  if (moment !== undefined && year >= 1 && year <= LAST_YEAR) return moment
  throw new NotUnderstood('This leads out of the calendar', at, 'Years run from 0001 to 9999.')
}

/** Temporal has limits of its own, further out. */
function within(make: () => Moment): Moment | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The start of a moment, as a value. */
function beginMoment(start: Start, at: number, around: Surroundings): Moment {
  const { temporal, now } = around
  switch (start.kind) {
    case 'now':
      return { kind: 'datetime', time: now.toZonedDateTimeISO(around.zone), assumed: false }
    case 'date':
      return { kind: 'date', date: temporal.PlainDate.from(start.iso) }
    case 'datetime':
      return { kind: 'datetime', time: literalTime(start, at, around), assumed: start.zone === undefined && start.offset === undefined }
    case 'day': {
      const zone = zoneIn(start.zone, around)
      const date = dayFrom(now.toZonedDateTimeISO(zone).toPlainDate(), start.day)
      if (start.time === undefined) return { kind: 'date', date, zone: now.toZonedDateTimeISO(zone).timeZoneId }
      const wall = date.toPlainDateTime(temporal.PlainTime.from(start.time))
      return { kind: 'datetime', time: place(wall, zone, around.notes), assumed: start.zone === undefined }
    }
  }
}

/** The zone that was named, or else the tool's own. */
function zoneIn(zone: ZoneName | undefined, around: Surroundings): string {
  if (zone === undefined) return around.zone
  if (/^z$/i.test(zone.name)) return 'UTC'
  const problem = zoneProblem(zone.name)
  if (problem !== undefined) throw new NotUnderstood('The zone is not known', zone.at, problem)
  return zone.name
}

function literalTime({ iso, offset, zone }: Start & { kind: 'datetime' }, at: number, around: Surroundings): Temporal.ZonedDateTime {
  const { temporal, notes } = around
  if (offset === undefined) return place(temporal.PlainDateTime.from(iso), zoneIn(zone, around), notes)
  const time = temporal.Instant.from(`${iso}${offset}`)
  if (zone === undefined) return time.toZonedDateTimeISO(offset === 'Z' ? 'UTC' : offset)
  const there = time.toZonedDateTimeISO(zoneIn(zone, around))
  if (there.toPlainDateTime().equals(iso)) return there
  throw new NotUnderstood(
    `The offset ${offset} is not that of ${there.timeZoneId} at this time`,
    at,
    `Leave one of the two out, or write ${iso}${offset} in ${there.timeZoneId} to convert.`,
  )
}

/** The next Monday lies after today, and the last one before, also when today is one. */
function dayFrom(today: Temporal.PlainDate, day: Day): Temporal.PlainDate {
  if (day.kind === 'relative') return today.add({ days: day.days })
  const ahead = (day.direction * (day.number - today.dayOfWeek) + 7) % 7
  return today.add({ days: day.direction * (ahead === 0 ? 7 : ahead) })
}
