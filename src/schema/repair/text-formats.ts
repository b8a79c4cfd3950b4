import { readDay } from './calendar.ts'

const MAIL = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i
const ZONE = /^(?:z|[+-]\d\d:\d\d)$/i
const CLOCK = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?/

/** Formats that a repairer can decide. A text of any other format fits. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDay,
  time: isTime,
  'date-time': isInstant,
  duration: (text) => /^P(?!$)(?:(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?|(?:\d+W)?)$/.test(text),
  email: (text) => MAIL.test(text) && !text.includes('..') && !text.startsWith('.') && !text.includes('.@'),
  uri: isLink,
  url: isLink,
  'uri-reference': (text) => !/[\s<>"{}|\\^`]/.test(text),
  uuid: (text) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text),
  ipv4: (text) => /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text),
  ipv6: (text) => text.includes(':') && /^[0-9a-f:.]{2,45}$/i.test(text) && URL.canParse(`http://[${text}]`),
  hostname: (text) =>
    text.length <= 253 && /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*\.?$/i.test(text),
}

const LONGEST = 10_000

/** Whether a text has the format. The validators of the package treat formats as descriptions; a repairer treats them as rules. */
export function fitsFormat(text: string, format: string): boolean {
  const is = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  return is === undefined || (text.length <= LONGEST && is(text))
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && readDay(text.split('-').map(Number)) !== undefined
}

function isTime(text: string): boolean {
  const clock = CLOCK.exec(text)
  if (clock === null || !ZONE.test(text.slice(clock[0].length))) return false
  const [, hour, minute, second] = clock
  return Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 60
}

/** As lenient as the usual validators: a space may stand for the T. */
function isInstant(text: string): boolean {
  return /[t\s]/i.test(text.charAt(10)) && isDay(text.slice(0, 10)) && isTime(text.slice(11))
}

function isLink(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i.test(text) && (!text.includes('://') || URL.canParse(text)) && /^[\x21-\x7e]+$/.test(text)
}
