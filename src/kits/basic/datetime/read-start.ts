import { nearestNames } from '../../../tool/resolve/nearest-names.ts'
import { NotUnderstood } from './not-understood.ts'
import { readLiteral, readTime } from './read-literal.ts'
import type { Reader } from './reader.ts'
import { readZone, readZoneOrOffset } from './read-zone.ts'
import type { Day, Start } from './request.ts'
import { unitNamed } from './units.ts'
import { WEEKDAYS } from './weekdays.ts'

const RELATIVE_DAYS = { today: 0, tomorrow: 1, yesterday: -1 } as const

/** The words that a moment may begin with. */
const WORDS = ['now', ...Object.keys(RELATIVE_DAYS), 'next', 'last', 'weekday']

/** Takes what a moment begins with. */
export function readStart(reader: Reader): Start {
  if (reader.word('now')) return { kind: 'now' }
  const day = readDay(reader)
  if (day !== undefined) return startOfDay(reader, day)
  const literal = readLiteral(reader)
  if (literal !== undefined) return literal
  throw notAStart(reader)
}

function readDay(reader: Reader): Day | undefined {
  for (const [word, days] of Object.entries(RELATIVE_DAYS)) if (reader.word(word)) return { kind: 'relative', days }
  const direction = reader.word('next') ? 1 : reader.word('last') ? -1 : undefined
  if (direction === undefined) return undefined
  const index = WEEKDAYS.findIndex((weekday) => reader.word(weekday))
  if (index !== -1) return { kind: 'weekday', number: index + 1, direction }
  throw new NotUnderstood(
    `A weekday is expected, not ${reader.found}`,
    reader.at,
    `The weekdays are ${WEEKDAYS.join(', ')}; for other times add or subtract, such as today + 1 week.`,
  )
}

/** `tomorrow 09:00 Europe/Berlin`, or `tomorrow in Europe/Berlin`: the zone says which day it is. */
function startOfDay(reader: Reader, day: Day): Start {
  const time = readTime(reader)
  if (time !== undefined) return { kind: 'day', day, time, zone: readZone(reader) }
  const zone = namesZone(reader) && reader.word('in') ? readZoneOrOffset(reader) : undefined
  return { kind: 'day', day, time, zone }
}

/** Behind `in` stands a zone, unless it is the unit of a difference. */
export function namesZone(reader: Reader): boolean {
  const word = reader.peek(/in\s+(business\s+[a-z]+|[a-z]+(?![\w/])|[a-z+-])/)?.[1]
  return word !== undefined && unitNamed(word) === undefined
}

const DAY_FIRST = /(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?!\d)/
const YEAR_FIRST = /(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})(?!\d)/

function notAStart(reader: Reader): NotUnderstood {
  const { at, found } = reader
  const what = `A date or a time is expected, not ${found}`
  if (reader.ended) return new NotUnderstood(what, at, 'Write one, such as now or 2024-01-31.')
  const dayFirst = reader.peek(DAY_FIRST)
  if (dayFirst !== undefined) return ambiguous(dayFirst, at)
  const yearFirst = reader.peek(YEAR_FIRST)
  if (yearFirst !== undefined) return new NotUnderstood(what, at, `Write ${iso(yearFirst[1], yearFirst[2], yearFirst[3])}.`)
  if (reader.peek(/\d{1,2}:\d{2}/))
    return new NotUnderstood(what, at, 'Put the day before the time, such as 2024-01-31T09:30 or today 09:30.')
  if (reader.peek(/(?:in\s+)?\d+\s*[a-z]/))
    return new NotUnderstood(what, at, 'Begin with the date and add to it, such as now + 3 days or now - 3 days.')
  const [near] = nearestNames(/^\w+/.exec(reader.rest)?.[0] ?? '', WORDS)
  return new NotUnderstood(
    what,
    at,
    near === undefined ? 'Write dates as 2024-01-31 and times as 2024-01-31T09:30.' : `Did you mean '${near}'?`,
  )
}

/** Half of the world puts the day first, the other half the month. */
function ambiguous([text, first = '', second = '', year = '']: RegExpExecArray, at: number): NotUnderstood {
  const readings = [...new Set([iso(year, second, first), iso(year, first, second)])].filter((each) => Number(each.slice(5, 7)) <= 12)
  const advice = readings.length === 0 ? 'Write dates as 2024-01-31.' : `Write ${readings.join(' or ')}.`
  return new NotUnderstood(`'${text}' ${readings.length > 1 ? 'can be read in two ways' : 'is not written as year-month-day'}`, at, advice)
}

function iso(year = '', month = '', day = ''): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
