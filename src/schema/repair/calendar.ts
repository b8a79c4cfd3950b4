/** A day of the calendar. */
export interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

const FIRST_YEAR = 1000
const LAST_YEAR = 9999

/** The day with this year, month and day; undefined if there is none. */
export function readDay([year = 0, month = 0, day = 0]: readonly number[]): Day | undefined {
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR && month >= 1 && month <= 12 && day >= 1)) return undefined
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate() ? { year, month, day } : undefined
}

export function dayText({ year, month, day }: Day): string {
  return `${year}-${pad(month)}-${pad(day)}`
}

export function pad(number: number): string {
  return String(number).padStart(2, '0')
}

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** The number of a month by its name or its first letters (`sept`); undefined for another word. */
export function monthNamed(word: string): number | undefined {
  return numberNamed(MONTHS, word, 1)
}

/** 0 for a Sunday. */
export function weekdayNamed(word: string): number | undefined {
  return numberNamed(WEEKDAYS, word, 0)
}

function numberNamed(names: readonly string[], word: string, first: number): number | undefined {
  const lower = word.toLowerCase().replace(/\.$/, '')
  if (lower.length < 3) return undefined
  const index = names.findIndex((name) => name === lower || (lower.length <= 5 && name.startsWith(lower)))
  return index === -1 ? undefined : index + first
}

export function weekdayOf({ year, month, day }: Day): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay()
}
