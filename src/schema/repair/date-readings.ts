import { type Day, dayText, monthNamed, pad, readDay, weekdayNamed, weekdayOf } from './calendar.ts'
import type { DateOrder, InputFacts } from './input-facts.ts'

/** A day, and a time where the text has one. */
export interface DateReading {
  readonly day: Day
  readonly clock: ClockReading | undefined
}

export interface ClockReading {
  /** `14:30:00` */
  readonly text: string
  /** `Z` or an offset; undefined where the text names none. */
  readonly zone: string | undefined
}

const LONGEST = 80

export interface DateEvidence {
  readonly facts: InputFacts
  /** Title, description and examples of the field. */
  readonly text: string
}

/** The days that a text may stand for: two where only the order of day and month is open. */
export function dateReadings(given: string, told: DateEvidence): readonly DateReading[] {
  // `03/04/2024 (DD/MM/YYYY)` tells its order itself.
  const [, shown, template] = /^(.*?\d)\s*\(([dmy]{1,4}[./-][dmy]{1,4}[./-][dmy]{1,4})\)$/i.exec(given.slice(0, LONGEST)) ?? []
  const text = shown ?? given
  const evidence = template === undefined ? told : { ...told, text: template.toLowerCase() }
  if (text.length > LONGEST || hasHours(text)) return []
  const { text: bare, weekday } = withoutWeekday(dateFirst(withoutZoneName(yearBehind(text))))
  const { date, clock } = apart(withColons(bare))
  if (clock === null) return []
  const days = daysIn(date, evidence)
  return (weekday === undefined ? days : days.filter((day) => weekdayOf(day) === weekday)).map((day) => ({ day, clock }))
}

/** `Tue Mar  5 14:30:00 UTC 2024`, as systems print it, with the year beside the day. */
function yearBehind(text: string): string {
  const [, day, clock, year] =
    /^((?:\p{L}{3}\s+)?\p{L}{3}\s+\d{1,2})\s+(\d\d:\d\d:\d\d(?:\s+(?:utc|gmt|[+-]\d{4}))?)\s+(\d{4})$/iu.exec(text) ?? []
  return day === undefined || clock === undefined || year === undefined ? text : `${day} ${year} ${clock}`
}

/** `2:30 PM UTC, March 5, 2024` and `14:30Z on 2024-03-05` with the day before the time; `on 2024-03-05` without its preposition. */
function dateFirst(text: string): string {
  const [, clock, date] =
    /^(\d{1,2}:\d\d(?::\d\d)?\s?(?:[ap]\.?m\.?)?\s?(?:z|utc|gmt|[+-]\d\d:\d\d)?)(?:,\s*|\s+on\s+|\s+)((?:\p{L}{3,9}\.?,?\s+)?\d.*\d{4}|\p{L}{3,9}\.?\s+\d.*\d{4}|\d{4}-\d\d-\d\d)$/iu.exec(
      text,
    ) ?? []
  return clock === undefined || date === undefined ? text.replace(/^on\s+(?=\S)/i, '') : `${date} ${clock.trim()}`
}

/** Programs print the name of the zone behind its offset: `+0100 (Central European Time)`, `+01:00[Europe/Paris]`. */
function withoutZoneName(text: string): string {
  return (
    text
      .replace(/(?<=[+-]\d{4}) \([A-Za-z .]{1,40}\)$/, '')
      .replace(/(?<=[+-]\d\d:?\d\d|\dz)\[[A-Za-z_/+-]{1,40}\]$/i, '')
      .replace(/(?<=\d|[ap]m) \(((?:utc|gmt)(?:[+-]\d{1,2}(?::?\d\d)?)?)\)$/i, ' $1')
      // The log of a web server.
      .replace(/^(\d\d\/\p{L}{3}\/\d{4}):(?=\d\d:\d\d)/u, '$1 ')
  )
}

/** `2024-03-05 (Tuesday)` and `Tue 2024-03-05`: a weekday beside a date in digits, which must agree with it. */
function withoutWeekday(text: string): { readonly text: string; readonly weekday: number | undefined } {
  const behind = /^(\d.*\d)[,\s]+\(?(\p{L}{3,9})\.?\)?$/u.exec(text) ?? /^(\p{L}.*\d)\s+\((\p{L}{3,12})\.?\)$/u.exec(text)
  const before = /^(\p{L}{3,9})\.?,?\s+(\d{4}-\d.*)$/u.exec(text)
  const [date, name] = behind === null ? [before?.[2], before?.[1]] : [behind[1], behind[2]]
  const weekday = name === undefined ? undefined : weekdayNamed(name)
  return date === undefined || weekday === undefined ? { text, weekday: undefined } : { text: date, weekday }
}

/** `10:00-11:00` is an hour rather than a time with an offset; `10:00-05:00` is none. */
function hasHours(text: string): boolean {
  const [, from, to] = /\s(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? []
  return from !== undefined && to !== undefined && from < to
}

/** `20240305T143000` and `T14.30.00` with the colons of their times. */
function withColons(given: string): string {
  const text = given.replace(/(?<=\d[T\s])(\d\d)\.(\d\d)\.(\d\d)(?=z|[+-]|$)/i, '$1:$2:$3')
  const compact = /^(\d{8}|\d{4}-\d\d-\d\d)t(\d\d)(\d\d)(\d\d)?(?=z|[+-]|$)/i.exec(text)
  if (compact === null) return text
  const [all, day, hour, minute, second = '00'] = compact
  return `${day}T${hour}:${minute}:${second}${text.slice(all.length)}`
}

/** The text before the time, and the time; null for something behind the date that is no time. */
function apart(text: string): { readonly date: string; readonly clock: ClockReading | undefined | null } {
  const split =
    /^(.*?\d{1,4}(?:st|nd|rd|th)?|.*?\p{L}\.?)(?:,?\s+at\s+|t(?=\d\d:?\d\d)|_(?=\d\d:)|[,\s]\s*)(\d{1,2}(?::\d\d|\s?[ap]\.?m\b).*)$/iu.exec(
      text,
    )
  if (split === null) return { date: text, clock: undefined }
  return { date: split[1] ?? '', clock: readClock(split[2] ?? '') ?? null }
}

/** A time of day such as `2:30 PM`, `14:30:15+01:00` or `14:30 UTC`. */
export function readClock(text: string): ClockReading | undefined {
  const found =
    /^(\d{1,2})(?:(?::|\.(?=\d\d\s?[ap]\.?m))(\d\d)(?::(\d\d)([.,]\d{1,9})?)?)?\s*(?:([ap])\.?m\.?)?\s*(z|utc|gmt|(?:utc|gmt)\s*[+-]\d{1,2}|(?:utc|gmt)?\s*[+-](?:\d\d(?::?\d\d)?|\d:\d\d))?$/i.exec(
      text.trim(),
    )
  if (found === null) return undefined
  const [, hours = '', minutes, seconds = '00', fraction = '', half, zone] = found
  if (minutes === undefined && half === undefined) return undefined
  const hour = half === undefined ? Number(hours) : hourOf(Number(hours), half.toLowerCase())
  if (hour === undefined || hour > 23 || Number(minutes ?? 0) > 59 || Number(seconds) > 59) return undefined
  return {
    text: `${pad(hour)}:${minutes ?? '00'}:${seconds}${/^[.,]0+$/.test(fraction) ? '' : fraction.replace(',', '.')}`,
    zone: zoneOf(zone),
  }
}

function hourOf(hour: number, half: string): number | undefined {
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half === 'p' ? 12 : 0)
}

function zoneOf(zone: string | undefined): string | undefined {
  if (zone === undefined) return undefined
  const offset = /([+-])(\d{1,2})(?::?(\d\d))?$/.exec(zone)
  return offset === null ? 'Z' : `${offset[1]}${(offset[2] ?? '').padStart(2, '0')}:${offset[3] ?? '00'}`
}

function daysIn(text: string, evidence: DateEvidence): readonly Day[] {
  const iso = /^(\d{4})([-/._\s])(\d{1,2})\2(\d{1,2})$/.exec(text) ?? /^(\d{4})()(\d\d)(\d\d)$/.exec(text)
  if (iso !== null) return existing([readDay([Number(iso[1]), Number(iso[3]), Number(iso[4])])])
  const counted = dayOfYear(text) ?? dayOfWeek(text)
  if (counted !== undefined) return existing([counted])
  // Each number has its own sign, so that no order is open.
  const signed = /^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]$/u.exec(text)
  if (signed !== null) return existing([readDay(numbers(signed[1], signed[2], signed[3]))])
  const joined = /^(\d{1,2})(\p{L}{3})(\d{4})$/u.exec(text)
  if (joined !== null) return named(joined.slice(1).join(' '))
  const numeric = /^(?:(\p{L}{3,9})\.?,?\s+)?(\d{1,2})([-/.])(\d{1,2})\3(\d{4})$/u.exec(text)
  if (numeric === null) return named(text)
  const [, weekday, first, separator = '', second, year] = numeric
  const orders = ordersOf(separator, evidence)
  const days = orders.map((order) => readDay(order === 'day-first' ? numbers(year, second, first) : numbers(year, first, second)))
  return weekday === undefined
    ? distinct(existing(days))
    : distinct(existing(days)).filter((day) => weekdayOf(day) === weekdayNamed(weekday))
}

/** `2024-065`, the sixty-fifth day of a year. */
function dayOfYear(text: string): Day | undefined {
  const [, year, day] = /^(\d{4})-(\d{3})$/.exec(text) ?? []
  return day === undefined || Number(day) === 0 ? undefined : dayAt(Date.UTC(Number(year), 0, Number(day)), Number(year))
}

/** `2024-W10-2`, the second day of a week of ISO 8601. The fourth of January is in the first week. */
function dayOfWeek(text: string): Day | undefined {
  const [, year, week, day] = /^(\d{4})-?W([0-5]\d)-?([1-7])$/i.exec(text) ?? []
  if (day === undefined || Number(week) === 0 || Number(week) > 53) return undefined
  const fourth = new Date(Date.UTC(Number(year), 0, 4))
  const monday = 4 - ((fourth.getUTCDay() + 6) % 7)
  return dayAt(Date.UTC(Number(year), 0, monday + 7 * (Number(week) - 1) + Number(day) - 1))
}

function dayAt(time: number, year?: number): Day | undefined {
  const date = new Date(time)
  if (year !== undefined && date.getUTCFullYear() !== year) return undefined
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

function numbers(...texts: readonly (string | undefined)[]): readonly number[] {
  return texts.map(Number)
}

function existing(days: readonly (Day | undefined)[]): readonly Day[] {
  return days.filter((day) => day !== undefined)
}

function distinct(days: readonly Day[]): readonly Day[] {
  const [first, second] = days
  return first !== undefined && second !== undefined && dayText(first) === dayText(second) ? [first] : days
}

const DAY_FIRST = /\bday[ -]first|\beuropean\b/
const MONTH_FIRST = /\bmonth[ -]first|\bus (?:date )?format|\bamerican\b/
const TEMPLATE = /\b(d{1,2}|m{1,2})([./-])(?:d{1,2}|m{1,2})\2y/g

/** The orders that templates such as `DD.MM.YYYY` show, each for its own separator: who writes slashes instead may mean another one. */
function templateOrders(separator: string, text: string): ReadonlySet<DateOrder> {
  const same = [...text.matchAll(TEMPLATE)].filter(([, , between]) => between === separator)
  return new Set(same.map(([, first = '']) => (first.startsWith('d') ? 'day-first' : 'month-first')))
}

/** The orders that come into question: one where the field itself or other dates of the input tell it. */
function ordersOf(separator: string, { facts, text }: DateEvidence): readonly DateOrder[] {
  const templates = templateOrders(separator, text)
  const isDayFirst = DAY_FIRST.test(text) || templates.has('day-first')
  const isMonthFirst = MONTH_FIRST.test(text) || templates.has('month-first')
  if (isDayFirst !== isMonthFirst) return [isDayFirst ? 'day-first' : 'month-first']
  const shown = shownOrders(separator, text)
  if (shown.size === 1) return [...shown]
  const known = facts.orders.get(separator)
  return known === undefined ? ['day-first', 'month-first'] : [known]
}

const WRITTEN = /\b(\d{1,2})([./-])(\d{1,2})\2\d{4}\b/g

/** The orders of the dates that the description shows, as far as a day above 12 tells them. */
function shownOrders(separator: string, text: string): ReadonlySet<DateOrder> {
  const shown = new Set<DateOrder>()
  for (const [, first, between, second] of text.matchAll(WRITTEN)) {
    if (between !== separator || Number(first) > 12 === Number(second) > 12) continue
    shown.add(Number(first) > 12 ? 'day-first' : 'month-first')
  }
  return shown
}

/** `March 5, 2024`, `5 Mar 2024`, `Tuesday, 5th of March 2024`, `2024 March 5`. A weekday must agree. */
function named(text: string): readonly Day[] {
  let month: number | undefined
  let weekday: number | undefined
  const counts: string[] = []
  for (const word of text.split(/[\s,/-]+/)) {
    const bare = word.replace(/^(\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)$/i, '$1')
    if (bare === '' || /^(?:of|the|de|del|di|do|le|den|el|г\.|года)$/i.test(bare)) continue
    const asMonth = monthNamed(bare)
    if (/^\d+$/.test(bare)) counts.push(bare)
    else if (asMonth !== undefined && month === undefined) month = asMonth
    else if (weekdayNamed(bare) !== undefined && weekday === undefined) weekday = weekdayNamed(bare)
    else return []
  }
  const years = counts.filter((each) => each.length === 4)
  const days = counts.filter((each) => each.length <= 2)
  if (month === undefined || counts.length !== 2 || years.length !== 1 || days.length !== 1) return []
  const day = readDay([Number(years[0]), month, Number(days[0])])
  return day === undefined || (weekday !== undefined && weekdayOf(day) !== weekday) ? [] : [day]
}
