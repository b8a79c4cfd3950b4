import { dayText, monthNamed, pad, readDay, weekdayNamed } from './calendar.ts'
import { type ClockReading, dateReadings, readClock } from './date-readings.ts'
import type { Candidate } from './leaf-rule.ts'
import type { Place } from './place.ts'
import { clockSpoken } from './spoken-clock.ts'
import type { Misfit } from './walk.ts'
import { zoneOffset } from './zone-offset.ts'

/** Days, times and instants in the notation of ISO 8601. */
export function calendarText(text: string, { node, place, walk }: Misfit): readonly Candidate[] {
  const { format, listed } = node
  if (listed !== undefined || (format === undefined ? !isOfDigits({ node, walk }) : !CALENDAR.has(format))) return []
  const found = new Set<string>()
  if (format === undefined || format === 'date') for (const each of days(text, { place, walk })) found.add(each)
  if (format === undefined || format === 'date-time') for (const each of instants(text, { place, walk })) found.add(each)
  const clock =
    format === 'date' || format === 'date-time' ? undefined : readClock(withColon(clockSpoken(text), place.words.includes('time')))
  if (clock !== undefined && mayBeClock(text, { node, place }))
    for (const each of times(clock, zoneFor(clock, { place, walk }))) found.add(each)
  // `HHMM` in a description asks for the digits alone.
  if (clock !== undefined && /\bhhmm\b/.test(place.text)) found.add(clock.text.replace(/^(\d\d):(\d\d):00$/, '$1$2'))
  if (format === undefined) for (const each of localTimes(text, { place, walk })) found.add(each)
  const fitting = [...found].filter((each) => walk.fits(node.schema, each))
  // Some schemas take instants in UTC only.
  const utc = fitting.length > 0 ? [] : [...found].flatMap(inUtc).filter((each) => walk.fits(node.schema, each))
  return [...fitting, ...utc].map((value) => ({ value, rule: 'date notation', cost: 2 }))
}

const CLOCK = /\b(?:time|clock|hour|o'clock|open|opens|opening|close|closes|closing|alarm|reminder|arrival|departure|wake)\b/
const LENGTH = /\b(?:timecode|time code|duration|offset|elapsed|position|length|lap|runtime|cue|split)\b/

/** `1:30` where seconds are taken too is half past one only for a time of day. In a film, it is a minute and a half. */
function mayBeClock(text: string, { node, place }: Pick<Misfit, 'node' | 'place'>): boolean {
  if (node.format !== undefined || /:\d\d:|[ap]\.?m/i.test(text)) return true
  const told = `${place.words.join(' ')} ${place.text}`
  return !LENGTH.test(told) && (CLOCK.test(told) || !/ss\b/.test(place.text))
}

/** A day and a time without a zone, as some patterns take them. */
function localTimes(text: string, { place, walk }: Where): readonly string[] {
  return dateReadings(text, { facts: walk.facts, text: place.text }).flatMap(({ day, clock }) =>
    clock === undefined || clock.zone !== undefined
      ? []
      : ['T', ' '].flatMap((between) => [clock.text, clock.text.replace(/:00$/, '')].map((time) => `${dayText(day)}${between}${time}`)),
  )
}

/** `19h30`, `19.30` and, for a time of day, `0730` with a colon. */
function withColon(given: string, isTime: boolean): string {
  if (isTime && /^(?:12 )?noon$/i.test(given)) return '12:00'
  if (isTime && /^midnight$/i.test(given)) return '00:00'
  const text = given
    .replace(/^at\s+(?=\d)/i, '')
    .replace(/(?<=\d:\d\d)\s?(?:h|hrs|hours|uhr|o['’]clock)$/i, '')
    .replace(/(?<=^\d{1,2}(?::\d\d)?) in the (morning|afternoon|evening)$/i, (_all, part: string) => (/^m/i.test(part) ? ' am' : ' pm'))
  const parted = text.replace(/^([01]?\d|2[0-3])\s?(?:h|\.)\s?([0-5]\d)$/i, '$1:$2')
  return isTime ? parted.replace(/^([01]\d|2[0-3])([0-5]\d)$/, '$1:$2') : parted
}

/** Whether only a pattern judges the field, and takes no words. One that takes any name would take a date too. */
function isOfDigits({ node, walk }: Pick<Misfit, 'node' | 'walk'>): boolean {
  return node.pattern !== undefined && node.format === undefined && !WORDS.some((word) => walk.fits(node.schema, word))
}

const WORDS = ['a', 'name', 'name-or-id', 'abcdefghij']

const CALENDAR: ReadonlySet<string> = new Set(['date', 'date-time', 'time'])

type Where = Pick<Misfit, 'place' | 'walk'>

/** A time that is not midnight would be lost. A zone behind a day alone says where it is that day. */
function days(text: string, { place, walk }: Where): readonly string[] {
  const bare = text.replace(/^(\d{4}-\d\d-\d\d)(?:z|[+-]\d\d:\d\d| \(?(?:utc|gmt)\)?)$/i, '$1')
  return dateReadings(bare, { facts: walk.facts, text: place.text })
    .filter(({ clock }) => clock === undefined || /^00:00:00$/.test(clock.text))
    .map(({ day }) => dayText(day))
}

function instants(given: string, where: Where): readonly string[] {
  // `2024-03-05 14:30 Europe/Paris`: the name of a zone beside a time tells its offset on that day.
  const [, text = given, ownZone] = /^(.*\d(?::\d\d|\s?[ap]m))\s*\(?([A-Za-z]+\/[A-Za-z_]+)\)?$/i.exec(given.slice(0, LONGEST)) ?? []
  return dateReadings(text, { facts: where.walk.facts, text: where.place.text }).flatMap(({ day, clock }) => {
    const zoneName = ownZone ?? where.walk.facts.zoneName
    const named = clock === undefined || zoneName === undefined ? undefined : zoneOffset(zoneName, `${dayText(day)}T${clock.text}`)
    const told = clock === undefined || ownZone !== undefined ? undefined : zoneFor(clock, where)
    const zone = clock === undefined || (ownZone !== undefined && clock.zone !== undefined) ? undefined : (told ?? named)
    return clock === undefined || zone === undefined ? [] : [`${dayText(day)}T${clock.text}${zone}`]
  })
}

const LONGEST = 120

/** The zone of the text, else the one that the description or another field names. */
function zoneFor({ zone }: ClockReading, { place, walk }: Where): string | undefined {
  if (zone !== undefined) return zone
  if (/\b(?:utc|gmt)\b/.test(place.text) || place.words.includes('utc')) return 'Z'
  return walk.facts.zone === 'unknown' ? undefined : walk.facts.zone
}

function times({ text, zone }: ClockReading, known: string | undefined): readonly string[] {
  const zoned = known === undefined ? [] : [`${text}${known}`]
  return zone === undefined ? [...zoned, text, text.replace(/:00$/, '')] : zoned
}

function inUtc(text: string): readonly string[] {
  const time = Date.parse(text)
  return Number.isNaN(time) || !text.includes('T') ? [] : [isoInstant(time)]
}

function isoInstant(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z')
}

/** A day, and the hour or the time behind it, without separators. */
const WRITTEN_TIME = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])/

/** The years of which models speak in seconds. Other numbers of that length are numbers of things. */
const EARLIEST = Date.UTC(1990, 0)
const LATEST = Date.UTC(2100, 0)

/** Ten digits are seconds, thirteen are milliseconds, unless they begin with a day. */
export function instantOfEpoch(text: string, { node }: Misfit): readonly Candidate[] {
  if (node.format !== 'date-time' || !/^(?:\d{10}|\d{13})$/.test(text) || WRITTEN_TIME.test(text)) return []
  const time = Number(text) * (text.length === 10 ? 1000 : 1)
  return time >= EARLIEST && time < LATEST ? [{ value: isoInstant(time), rule: 'epoch', cost: 2 }] : []
}

const EPOCH = /\b(?:unix|epoch|posix)\b/

/** Whether a number counts from the beginning of an epoch: a length of time is none. */
export function isEpoch({ words, text }: Place): boolean {
  return EPOCH.test(`${words.join(' ')} ${text}`)
}

export function epochOfDate(text: string, { place, walk }: Misfit): readonly Candidate[] {
  const says = `${place.words.join(' ')} ${place.text}`
  if (!isEpoch(place)) return []
  return instants(text, { place, walk }).map((each) => {
    const ms = Date.parse(each)
    return { value: /\bms\b|\bmillis/.test(says) ? ms : ms / 1000, rule: 'epoch of date', cost: 2 }
  })
}

const TEMPLATE = /(?<![a-z])(?:d{1,2}|m{1,2}|y{4})([./-]?)(?:d{1,2}|m{1,2}|y{4})\1(?:d{1,2}|m{1,2}|y{4})(?![a-z])/g
/** Notations that begin with the year are understood in one way without a description. */
const YEAR_FIRST = ['yyyy/mm/dd', 'yyyy.mm.dd', 'yyyymmdd']

const DATED = /\b(?:date|day|birthday|born|dob|deadline|since|until|expires|due)\b/

/** Whether name or description of a field say that it is a day. */
export function isDated({ words, text }: Place): boolean {
  return DATED.test(`${words.join(' ')} ${text}`)
}

/** A day in the notation that the description shows as `DD/MM/YYYY`, where the pattern takes it. */
export function shownDay(text: string, { node, place, walk }: Misfit): readonly Candidate[] {
  if (!isOfDigits({ node, walk }) || node.listed !== undefined) return []
  const shown = new Set(
    [...place.text.matchAll(TEMPLATE)].map(([template]) => template).filter((each) => /d/.test(each) && /m/.test(each) && /y/.test(each)),
  )
  const isDay = isDated(place)
  const templates = shown.size === 0 ? (isDay ? YEAR_FIRST : []) : shown.size === 1 ? [...shown] : []
  return templates.flatMap((template) =>
    days(text, { place, walk }).flatMap((day) => {
      const [year = '', month = '', date = ''] = day.split('-')
      const value = template.replace(/y{4}|m{1,2}|d{1,2}/g, (part) => written(part, { y: year, m: month, d: date }))
      return value !== text && walk.fits(node.schema, value) ? [{ value, rule: 'date notation', cost: 2 }] : []
    }),
  )
}

/** `mm` with its zero, `m` without. */
function written(part: string, numbers: Readonly<Record<string, string>>): string {
  const number = numbers[part.charAt(0)] ?? ''
  return part.length === 1 ? String(Number(number)) : number
}

/** `March 2026`, `2026/3` and `03/2026` where a year and a month are taken. */
export function monthText(text: string, { node, place, walk }: Misfit): readonly Candidate[] {
  if (!isOfDigits({ node, walk }) || node.listed !== undefined || text.length > 30) return []
  const [, name, ofName] = /^(\p{L}{3,9})(?:\.?,?\s+|-)(\d{4})$/u.exec(text) ?? []
  const [, first, parted, joined] = /^(\d{4})(?:[-/.\s](\d{1,2})|(\d\d))$/.exec(text) ?? []
  // `MM/YY` in a description tells the order, and that the century is left out.
  const isShort = /\bmm\/?yy\b/.test(place.text)
  const [, before, year] = /^(\d{1,2})[-/.\s](\d{4})$/.exec(isShort ? text.replace(/^(\d{1,2}[-/.\s])(\d\d)$/, '$120$2') : text) ?? []
  const number = name === undefined ? Number(parted ?? joined ?? before) : monthNamed(name)
  const day = readDay([Number(ofName ?? first ?? year), number ?? 0, 1])
  // Four digits that are no year of our times are those of a code.
  if (day === undefined || day.year < 1800 || day.year > 2199) return []
  const [ofYear, ofMonth] = [String(day.year), pad(day.month)]
  const short = isShort ? ['/', ''].map((between) => `${ofMonth}${between}${ofYear.slice(2)}`) : []
  const notations = [
    ...short,
    ...['-', '/', '.', ''].flatMap((between) => [`${ofYear}${between}${ofMonth}`, `${ofMonth}${between}${ofYear}`]),
  ]
  return notations
    .filter((value) => value !== text && walk.fits(node.schema, value))
    .map((value) => ({ value, rule: 'month notation', cost: 2 }))
}

/** `March` for the number of a month, and `Monday` for that of a weekday where the description tells the number of one of them. */
export function calendarNumber(text: string, { node, place }: Misfit): readonly Candidate[] {
  const { minimum, maximum } = node.schema
  const isMonth = place.words.includes('month') && minimum === 1 && maximum === 12
  const [, hour] = maximum === 23 && place.words.at(-1) === 'hour' ? (/^(\d\d):00:00$/.exec(readClock(text)?.text ?? '') ?? []) : []
  if (hour !== undefined) return [{ value: Number(hour), rule: 'hour', cost: 2 }]
  const value = isMonth ? monthNamed(text) : maximum === 6 || maximum === 7 ? weekdayNumber(text, place) : undefined
  return value === undefined ? [] : [{ value, rule: isMonth ? 'month name' : 'weekday name', cost: 2 }]
}

/** The number of a weekday, counted from the one that `0 = Sunday` or `Monday is 1` names. Undefined where none or another count is told. */
function weekdayNumber(text: string, { text: told }: Place): number | undefined {
  const weekday = weekdayNamed(text)
  const pairs = [
    ...Array.from(
      told.matchAll(/\b([0-7])\s*(?:=|:|is|for|means|\()\s*(\p{L}{3,9})/gu),
      ([, number, name = '']) => [Number(number), name] as const,
    ),
    ...Array.from(told.matchAll(/(\p{L}{3,9})\s*(?:=|:|is|\()\s*([0-7])\b/gu), ([, name = '', number]) => [Number(number), name] as const),
  ]
  const shifts = new Set(pairs.flatMap(([number, name]) => shiftOf(number, weekdayNamed(name))))
  const [shift, ...more] = shifts
  if (weekday === undefined || shift === undefined || more.length > 0) return undefined
  // Weeks that begin with 1 have a seventh day and no day 0.
  const isFromOne =
    pairs.some(([number]) => number === 7) || (pairs.some(([number]) => number === 1) && !pairs.some(([number]) => number === 0))
  const number = (weekday + shift) % 7
  return number === 0 && isFromOne ? 7 : number
}

function shiftOf(number: number, weekday: number | undefined): readonly number[] {
  return weekday === undefined ? [] : [(number - weekday + 7) % 7]
}
