const LONGEST = 40
const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/
const ACCESS_LOG = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-]\d{4})$/
const SYSLOG = /^([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d\d):(\d\d):(\d\d)$/
const MAIL = /^(?:[A-Z][a-z]{2}, )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d)(?::(\d\d))?(?: ([+-]\d{4}|GMT|UTC|Z))?$/
/** As `git log` and `date` write it. */
const CALENDAR = /^(?:[A-Z][a-z]{2} )?([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d\d):(\d\d):(\d\d)(?: [A-Z]{3,4})? (\d{4})(?: ([+-]\d{4}))?$/
/** `18 Nov 2026`, `18-Nov-2026 10:00`, `Nov 18, 2026`. */
const SPOKEN =
  /^(?:(\d{1,2})[ -]([A-Z][a-z]{2})[a-z]*\.?[ -](\d{4})|([A-Z][a-z]{2})[a-z]*\.? (\d{1,2}), (\d{4}))(?:,? (\d\d):(\d\d)(?::(\d\d))?)?$/
const DAY_FIRST = /^(\d\d)\.(\d\d)\.(\d{4})(?: (\d\d):(\d\d))?$/
const COMPACT = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(?:\.\d{1,9})?Z?|(\d\d)(\d\d)(\d\d)(?:\.\d{1,9})?Z)$/
/** `20261118`, `20261118093000`. */
const DIGITS = /^((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:([01]\d|2[0-3])([0-5]\d)([0-5]\d))?$/
const YEAR_FIRST = /^(\d{4})[./](\d\d)[./](\d\d)(?: (\d\d):(\d\d)(?::(\d\d))?)?$/
const CLOCK = /^(?:(\d{1,4})-)?(\d{1,3}):(\d\d)(?::(\d\d)(?:[.,](\d{1,6}))?)?$/
/** `1d4h`, `3m12s`: at least two units. */
const SPAN =
  /^(?=(?:\d+(?:\.\d+)?[a-z]{1,3}\s?){2})(?:(\d{1,5})d\s?)?(?:(\d{1,5})h\s?)?(?:(\d{1,5})m(?:in)?\s?)?(?:(\d{1,5}(?:\.\d{1,6})?)s)?$/
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The moment that a text writes, in milliseconds since the epoch. A time of day alone and a span of time count from midnight, a day without a year from 2000. */
export function timeOf(text: string): number | undefined {
  if (text.length > LONGEST) return undefined
  const iso = ISO.exec(text)
  if (iso !== null) {
    const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '0', zone = 'Z'] = iso
    return moment(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3)}${zoneOf(zone)}`)
  }
  const access = ACCESS_LOG.exec(text)
  if (access !== null) {
    const [, day, month = '', year, hour, minute, second, zone = ''] = access
    return moment(`${year}-${monthOf(month)}-${day}T${hour}:${minute}:${second}${zoneOf(zone)}`)
  }
  const syslog = SYSLOG.exec(text)
  if (syslog !== null) {
    const [, month = '', day = '', hour, minute, second] = syslog
    return moment(`2000-${monthOf(month)}-${day.padStart(2, '0')}T${hour}:${minute}:${second}Z`)
  }
  const mail = MAIL.exec(text)
  if (mail !== null) {
    const [, day = '', month = '', year, hour, minute, second = '00', zone = 'Z'] = mail
    return moment(`${year}-${monthOf(month)}-${day.padStart(2, '0')}T${hour}:${minute}:${second}${/^[+-]/.test(zone) ? zoneOf(zone) : 'Z'}`)
  }
  const calendar = CALENDAR.exec(text)
  if (calendar !== null) {
    const [, month = '', day = '', hour, minute, second, year, zone = 'Z'] = calendar
    return moment(`${year}-${monthOf(month)}-${day.padStart(2, '0')}T${hour}:${minute}:${second}${zoneOf(zone)}`)
  }
  const spoken = SPOKEN.exec(text)
  if (spoken !== null) {
    const [, d = '', m = '', y, month = m, day = d, year = y, hour = '00', minute = '00', second = '00'] = spoken
    return moment(`${year}-${monthOf(month)}-${day.padStart(2, '0')}T${hour}:${minute}:${second}Z`)
  }
  const dayFirst = DAY_FIRST.exec(text)
  if (dayFirst !== null) {
    const [, day, month, year, hour = '00', minute = '00'] = dayFirst
    return moment(`${year}-${month}-${day}T${hour}:${minute}:00Z`)
  }
  const compact = COMPACT.exec(text)
  if (compact !== null) {
    const [, year, month, day, h, m, s, hour = h, minute = m, second = s] = compact
    return moment(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  }
  const yearFirst = YEAR_FIRST.exec(text) ?? DIGITS.exec(text)
  if (yearFirst !== null) {
    const [, year, month, day, hour = '00', minute = '00', second = '00'] = yearFirst
    return moment(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  }
  const clock = CLOCK.exec(text)
  if (clock !== null) {
    const [, day = '0', hour, minute, second = '0', fraction = '0'] = clock
    return ((Number(day) * 24 + Number(hour)) * 3600 + Number(minute) * 60 + Number(second)) * 1000 + Number(`0.${fraction}`) * 1000
  }
  const span = SPAN.exec(text)
  if (span === null) return undefined
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = span
  return (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
}

/** The same moment by the clock with which it was written, for its day and its hour. */
export function writtenTime(text: string): number | undefined {
  const time = timeOf(text)
  const [, sign, hours = '0', minutes = '0'] = (time === undefined ? null : ZONE.exec(text)) ?? []
  if (time === undefined || sign === undefined) return time
  return time + (sign === '-' ? -1 : 1) * (60 * Number(hours) + Number(minutes)) * 60_000
}

/** The moment of a number of seconds or milliseconds since the epoch, of the years in which outputs are made. */
export function momentOfNumber(number: number): number | undefined {
  return isBetween(number, 1) ? number * 1000 : isBetween(number, 1000) ? number : undefined
}

const ZONE = /:\d\d(?:[.,]\d{1,9})? ?([+-])(\d\d):?(\d\d)?$/

function moment(iso: string): number | undefined {
  const time = Date.parse(iso)
  return Number.isNaN(time) ? undefined : time
}

function zoneOf(zone: string): string {
  if (zone === 'Z' || zone === 'UTC') return 'Z'
  return zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3) || '00'}`
}

function monthOf(name: string): string {
  return String(MONTHS.indexOf(name) + 1).padStart(2, '0')
}

const FIRST_SECOND = 0.9e9
const LAST_SECOND = 2.2e9

/** Whether numbers of a column are moments in seconds or milliseconds since the epoch, which mostly rise or fall. */
export function unixScale(numbers: readonly number[]): number | undefined {
  const scale = numbers.every((each) => isBetween(each, 1)) ? 1000 : numbers.every((each) => isBetween(each, 1000)) ? 1 : undefined
  if (scale === undefined || numbers.length < 3) return undefined
  let rising = 0
  for (let at = 1; at < numbers.length; at++) if ((numbers[at] ?? 0) >= (numbers[at - 1] ?? 0)) rising++
  const share = rising / (numbers.length - 1)
  return share > 0.8 || share < 0.2 ? scale : undefined
}

function isBetween(value: number, scale: number): boolean {
  return value >= FIRST_SECOND * scale && value <= LAST_SECOND * scale
}
