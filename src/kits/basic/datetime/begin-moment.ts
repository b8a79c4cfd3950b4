import type { Temporal } from 'temporal-polyfill'
import { type Moment, place, type Surroundings } from './moment.ts'
import { NotUnderstood } from './not-understood.ts'
import type { Day, Start, ZoneName } from './request.ts'
import { zoneProblem } from './zones.ts'

/** What a moment begins with, as a value. */
export function beginMoment(start: Start, at: number, around: Surroundings): Moment {
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
export function zoneIn(zone: ZoneName | undefined, around: Surroundings): string {
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
