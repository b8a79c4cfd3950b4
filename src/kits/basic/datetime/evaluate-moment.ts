import { beginMoment, zoneIn } from './begin-moment.ts'
import { businessDayShift } from './business-days.ts'
import { dayOf, type Moment, place, type Surroundings } from './moment.ts'
import { NotUnderstood } from './not-understood.ts'
import type { MomentRequest, Step } from './request.ts'
import { isClockUnit } from './units.ts'

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
