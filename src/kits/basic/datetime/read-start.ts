import { nearestNames } from '../../../schema/nearest-names.ts'
import { type Reader, readZone, readZoneOrOffset } from './reader.ts'
import { type Day, NotUnderstood, type Start, unitNamed, weekdayNamed, WEEKDAYS, type ZoneName } from './request.ts'

const RELATIVE_DAYS = { today: 0, tomorrow: 1, yesterday: -1 } as const

/** The words that a moment may begin with. */
const WORDS = ['now', ...Object.keys(RELATIVE_DAYS), 'next', 'last', 'weekday', 'convert']

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

/** A zone follows `in`, unless it is the unit of a difference. */
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

const SUNDAY = 7
const DATE = /\d{4}-\d{2}-\d{2}/
const TIME = /(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?/
const OFFSET = /z|[+-]\d{2}:?\d{2}/
const DATETIME = new RegExp(`(${DATE.source})(?:(?:t|[ ]+)(${TIME.source})(?:(${OFFSET.source})(?:\\[([^\\]]*)\\])?|\\[([^\\]]*)\\])?)?`)
/** Characters that may not follow a literal: they would belong to it. */
const GLUED = /[\w:./[\]-]/

/** Takes a date or a date with a time, if one is here. */
function readLiteral(reader: Reader): Start | undefined {
  const { at } = reader
  const match = reader.peek(DATETIME)
  if (match === undefined) return undefined
  const [literal, date = '', time, , , , offset, bracketed, bracketedAlone] = match
  if (GLUED.test(reader.text[at + literal.length] ?? '')) {
    throw new NotUnderstood(
      `${reader.found} is no date and no time`,
      at,
      'Write 2024-01-31, 2024-01-31T09:30 or 2024-01-31T09:30:00+02:00.',
    )
  }
  checkDate(date, at)
  if (time !== undefined) checkTime(time, at)
  if (offset !== undefined) checkOffset(offset, at)
  reader.take(DATETIME)
  const note = readNote(reader, date)
  const named = bracketed ?? bracketedAlone ?? (time === undefined ? undefined : note?.zone)
  const zone = named === undefined ? readZone(reader) : { name: named, at }
  if (time === undefined) return dateAlone(date, zone)
  return { kind: 'datetime', iso: `${date}T${time}`, offset: offset?.toUpperCase(), zone }
}

/** The tool's own answers name the weekday and the zone behind a date: `2024-01-31T09:30:00+01:00 (Wednesday, Europe/Berlin)`. */
const NOTE = new RegExp(`\\((${WEEKDAYS.join('|')})(?:,\\s*([^()\\s]+))?\\)`)

function readNote(reader: Reader, date: string): { readonly zone: string | undefined } | undefined {
  const { at } = reader
  const [, said = '', zone] = reader.take(NOTE) ?? []
  if (said === '') return undefined
  const weekday = weekdayNamed(new Date(`${date}T00:00Z`).getUTCDay() || SUNDAY)
  if (said.toLowerCase() === weekday.toLowerCase()) return { zone }
  throw new NotUnderstood(`${date} is a ${weekday}, not a ${said}`, at, 'Leave the weekday out, or correct the date.')
}

/** Takes a time of day, if one is here. */
function readTime(reader: Reader): string | undefined {
  const { at } = reader
  const time = reader.take(TIME)?.[0]
  if (time !== undefined) checkTime(time, at)
  return time
}

function dateAlone(date: string, zone: ZoneName | undefined): Start {
  if (zone === undefined) return { kind: 'date', iso: date }
  throw new NotUnderstood(
    `A date without a time has no zone, and '${zone.name}' follows one`,
    zone.at,
    `For its first minute write ${date}T00:00 ${zone.name}.`,
  )
}

const MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function checkDate(date: string, at: number): void {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  if (year === 0) throw new NotUnderstood(`The year of '${date}' does not exist`, at, 'Years run from 0001 to 9999.')
  if (month < 1 || month > 12) throw new NotUnderstood(`'${date}' has no valid month`, at, 'Write year-month-day, such as 2024-01-31.')
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const last = month === 2 && leap ? 29 : (MONTHS[month - 1] ?? 0)
  if (day < 1 || day > last) throw new NotUnderstood(`'${date}' does not exist`, at, `That month runs from 01 to ${last}.`)
}

function checkTime(time: string, at: number): void {
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number)
  if (hour < 24 && minute < 60 && second < 60) return
  throw new NotUnderstood(`'${time}' is no time of day`, at, 'Times run from 00:00 to 23:59:59; for 24:00 take 00:00 of the next day.')
}

function checkOffset(offset: string, at: number): void {
  const [hours = 0, minutes = 0] = (offset.match(/\d{2}/g) ?? []).map(Number)
  if (hours > 23 || minutes > 59) throw new NotUnderstood(`'${offset}' is no offset`, at, 'Write one as +05:30 or -08:00.')
}
