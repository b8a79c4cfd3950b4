import { isRecord } from '../json-schema.ts'
import { dayText, monthNamed, pad, readDay } from './calendar.ts'
import { nameForm } from './name-words.ts'
import { after, isReading, type Outcome, reading } from './reading.ts'
import { COUNTS, MEASURES } from './split-parts.ts'
import { takes } from './schema-node.ts'
import type { Misfit } from './walk.ts'

/**
 * A value that was given in parts where one value is taken: the year, month and day of a date, the hours and minutes of a length of time, a number
 * and its unit. Undefined where the parts are no such value.
 */
export function fixParts(misfit: Misfit): Outcome | undefined {
  const { node, value } = misfit
  if (Array.isArray(value)) return node.format === 'date' ? dayOf(value, misfit) : colourOf(value, misfit)
  if (!isRecord(value) || takes(node, 'object')) return undefined
  const { r, g, b, ...others } = value
  if (r !== undefined && Object.keys(others).length === 0) return colourOf([r, g, b], misfit)
  const parts = new Map(Object.entries(value).map(([name, each]) => [nameForm(name), each]))
  if (parts.size !== Object.keys(value).length) return undefined
  const written =
    joined(parts, ['year', 'month', 'day'], (all) => dayIn(all)) ??
    joined(parts, ['year', 'month'], ([year, month]) => `${String(year)}-${pad(Number(month))}`) ??
    joined(parts, ['major', 'minor', 'patch'], (all) => all.join('.')) ??
    clockOf(parts) ??
    joined(parts, ['date', 'time'], ([date, time]) => `${String(date)}T${String(time)}`) ??
    zoned(parts) ??
    pairsOf(value, misfit) ??
    joined(parts, ['width', 'height'], (sides) => (sides.every((side) => Number.isInteger(side)) ? sides.join('x') : undefined)) ??
    measureOf(parts)
  return written === undefined ? undefined : asText(written, misfit)
}

function asText(text: string, { node, value, place, walk }: Misfit): Outcome | undefined {
  const change = { path: place.path, from: value, to: text, rule: 'parts joined', cost: 2 }
  const fixed = walk.fix(node.schema, text, { ...place, depth: place.depth + 1 })
  return isReading(fixed) ? after(change, fixed) : undefined
}

type Parts = ReadonlyMap<string, unknown>

/** The text of exactly these parts, all of which are texts or numbers. */
function joined(parts: Parts, names: readonly string[], write: (values: readonly unknown[]) => string | undefined): string | undefined {
  const values = names.map((name) => parts.get(name))
  return parts.size === names.length && values.every(isScalar) ? write(values) : undefined
}

function isScalar(value: unknown): value is number | string {
  return typeof value === 'number' || (typeof value === 'string' && value.length <= 60)
}

function dayIn([year, month, day]: readonly unknown[]): string | undefined {
  const number = typeof month === 'string' ? (monthNamed(month) ?? Number(month)) : Number(month)
  const found = readDay([Number(year), number, Number(day)])
  return found === undefined ? undefined : dayText(found)
}

function dayOf(value: readonly unknown[], { place }: Misfit): Outcome | undefined {
  const isYearFirst = value.length === 3 && typeof value[0] === 'number' && value[0] > 31
  const day = isYearFirst && value.every((each) => typeof each === 'number') ? dayIn(value) : undefined
  return day === undefined ? undefined : reading({ path: place.path, from: value, to: day, rule: 'date notation', cost: 2 })
}

/** `{ app: 'web', tier: 'front' }` as `app=web,tier=front`, where the description shows such pairs. */
function pairsOf(value: Readonly<Record<string, unknown>>, { place }: Misfit): string | undefined {
  const entries = Object.entries(value)
  const isPlain = entries.every(([name, each]) => isScalar(each) && /^[\w./-]+$/.test(name) && /^[\w./-]+$/.test(String(each)))
  const isShown = /(?:^|\s)[\w./-]+=[\w./-]+,[\w./-]+=[\w./-]+/.test(place.text)
  return isPlain && isShown && entries.length > 0 ? entries.map(([name, each]) => `${name}=${String(each)}`).join(',') : undefined
}

/** `[255, 170, 0]` for a colour that is written in six digits. */
function colourOf(value: readonly unknown[], { node, place, walk }: Misfit): Outcome | undefined {
  const isColour = place.words.some((word) => word === 'color' || word === 'colour') || /\bcolou?r\b/.test(place.text)
  const isShares =
    value.length === 3 && value.every((each) => typeof each === 'number' && Number.isInteger(each) && each >= 0 && each < 256)
  if (!isColour || !isShares || node.pattern === undefined) return undefined
  const digits = value.map((each) => Number(each).toString(16).padStart(2, '0')).join('')
  const written = [`#${digits}`, `#${digits.toUpperCase()}`].find((each) => walk.fits(node.schema, each))
  return written === undefined ? undefined : reading({ path: place.path, from: value, to: written, rule: 'colour notation', cost: 2 })
}

/** `{ hour: 14, minute: 30 }` is a time of day. */
function clockOf(parts: Parts): string | undefined {
  const numbers = ([hour, minute, second]: readonly unknown[]): string =>
    [hour, minute, ...(second === undefined ? [] : [second])].map((each) => pad(Number(each))).join(':')
  return joined(parts, ['hour', 'minute'], numbers) ?? joined(parts, ['hour', 'minute', 'second'], numbers)
}

function zoned(parts: Parts): string | undefined {
  const zone = ['timezone', 'zone', 'tz', 'offset', 'utcoffset'].find((name) => parts.has(name))
  return zone === undefined
    ? undefined
    : joined(parts, ['date', 'time', zone], ([date, time, of]) => `${String(date)} ${String(time)} ${String(of)}`)
}

const LENGTHS = ['weeks', 'days', 'hours', 'minutes', 'seconds', 'milliseconds']

/** `{ hours: 1, minutes: 15 }` and `{ value: 30, unit: 'minutes' }` as a text with units, which the other rules read. */
function measureOf(parts: Parts): string | undefined {
  const names = [...parts.keys()]
  if (names.length > 0 && names.every((name) => LENGTHS.includes(name)) && [...parts.values()].every(isScalar)) {
    const given = LENGTHS.filter((name) => parts.has(name) && Number(parts.get(name)) !== 0)
    return given.length === 0 ? undefined : given.map((name) => `${String(parts.get(name))} ${name}`).join(' ')
  }
  const count = names.find((name) => COUNTS.includes(name))
  const unit = names.find((name) => MEASURES.includes(name))
  return count === undefined || unit === undefined
    ? undefined
    : joined(parts, [count, unit], ([value, of]) => (typeof of === 'string' ? `${String(value)} ${of}` : undefined))
}
