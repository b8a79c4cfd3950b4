const DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i
const TIME_OF_DAY = /^(\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?$/

/** A point on a line of time. Only moments of one scale can be compared: nobody knows how a local time relates to one with an offset. */
export interface Moment {
  readonly scale: 'number' | 'date' | 'local' | 'instant' | 'time of day'
  readonly at: number
}

/** Reads a number, a `Date`, or a text in the notation of ISO 8601; undefined for anything else. */
export function momentOf(value: unknown): Moment | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? { scale: 'number', at: value } : undefined
  if (value instanceof Date) return moment('instant', value.getTime())
  if (typeof value !== 'string') return undefined
  const [, date, time, offset] = DATE.exec(value) ?? []
  if (date !== undefined) {
    if (!isOfCalendar(date)) return undefined
    if (time === undefined) return moment('date', Date.parse(date))
    const zone = offset === undefined ? 'Z' : offset.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
    return moment(offset === undefined ? 'local' : 'instant', Date.parse(`${date}T${time}${zone}`))
  }
  const [, hours, minutes, seconds = '0'] = TIME_OF_DAY.exec(value) ?? []
  if (hours === undefined || Number(minutes) > 59 || Number(seconds) >= 60) return undefined
  const at = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return at > SECONDS_OF_DAY ? undefined : moment('time of day', at)
}

/** 24:00 is the end of a day. */
const SECONDS_OF_DAY = 86_400

/** `Date.parse` takes the 30th of February for a day in March. */
function isOfCalendar(date: string): boolean {
  const at = Date.parse(date)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date)
}

function moment(scale: Moment['scale'], at: number): Moment | undefined {
  return Number.isNaN(at) ? undefined : { scale, at }
}
