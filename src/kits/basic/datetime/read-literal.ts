import { NotUnderstood } from './not-understood.ts'
import type { Reader } from './reader.ts'
import { readZone } from './read-zone.ts'
import type { Start, ZoneName } from './request.ts'

const DATE = /\d{4}-\d{2}-\d{2}/
const TIME = /(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?/
const OFFSET = /z|[+-]\d{2}:?\d{2}/
const DATETIME = new RegExp(`(${DATE.source})(?:(?:t|[ ]+)(${TIME.source})(?:(${OFFSET.source})(?:\\[([^\\]]*)\\])?|\\[([^\\]]*)\\])?)?`)
/** What may not follow: the literal was not the whole of what stands there. */
const GLUED = /[\w:./[\]-]/

/** Takes a date or a date with a time, where one stands. */
export function readLiteral(reader: Reader): Start | undefined {
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
  const bracket = bracketed ?? bracketedAlone
  const zone = bracket === undefined ? readZone(reader) : { name: bracket, at }
  if (time === undefined) return dateAlone(date, zone)
  return { kind: 'datetime', iso: `${date}T${time}`, offset: offset?.toUpperCase(), zone }
}

/** Takes a time of day, where one stands. */
export function readTime(reader: Reader): string | undefined {
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
