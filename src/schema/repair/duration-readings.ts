import { UNITS } from './unit-table.ts'
import { partsOf } from './units.ts'

const LETTERS: readonly { readonly letter: string; readonly words: RegExp; readonly unit?: string; readonly isTime: boolean }[] = [
  { letter: 'Y', words: /^(?:y|yrs?|years?)$/, isTime: false },
  { letter: 'M', words: /^(?:months?|mo)$/, isTime: false },
  { letter: 'W', words: /^(?:w|wks?|weeks?)$/, unit: 'w', isTime: false },
  { letter: 'D', words: /^(?:d|days?)$/, unit: 'd', isTime: false },
  { letter: 'H', words: /^(?:h|hrs?|hours?)$/, unit: 'h', isTime: true },
  { letter: 'M', words: /^(?:m|mins?|minutes?)$/, unit: 'min', isTime: true },
  { letter: 'S', words: /^(?:s|secs?|seconds?)$/, unit: 's', isTime: true },
]

/** Whether a word is the unit in one of the languages that the table knows. */
function isUnit(word: string, unit: string | undefined): boolean {
  return unit !== undefined && UNITS.some(({ name, dimension, words }) => dimension === 'time' && name === unit && words.includes(word))
}

/** A text such as `1 hour 15 minutes` or `1:15:00` as a duration of ISO 8601. Each part keeps its unit. */
export function isoDuration(text: string, numberIn: (text: string) => number | undefined): string | undefined {
  const fraction = /^PT(\d+\.\d+)([HM])$/i.exec(text)
  if (fraction !== null) return smallest({ count: Number(fraction[1]), place: /h/i.test(fraction[2] ?? '') ? 4 : 5 })
  if (/^p\d|^pt\d/i.test(text)) return text.toUpperCase()
  const clock = /^(\d{1,3}):([0-5]\d):([0-5]\d)$/.exec(text)
  if (clock !== null) return written(clock.slice(1).map((count, index) => ({ count: Number(count), place: 4 + index })))
  const parts = partsOf(text)?.map(({ count, word }) => ({
    count: numberIn(count),
    place: LETTERS.findIndex(({ words, unit }) => words.test(word) || isUnit(word, unit)),
  }))
  if (parts === undefined || !parts.every(isCounted)) return undefined
  const [only] = parts
  if (parts.length === 1 && only !== undefined && !Number.isInteger(only.count)) return smallest(only)
  const isOrdered = parts.every(({ place }, index) => index === 0 || place > (parts[index - 1]?.place ?? -1))
  return isOrdered && parts.every(({ count }) => Number.isSafeInteger(count)) ? written(parts) : undefined
}

/** Seconds in a minute, minutes in an hour. A fraction of a day may mean a day of work. */
const STEP = 60

/** `1.5 hours` in whole hours and minutes, if they are whole. */
function smallest({ count, place }: Counted): string | undefined {
  const below = LETTERS[place]?.isTime === true ? LETTERS[place + 1] : undefined
  const rest = Number(((count % 1) * STEP).toPrecision(12))
  if (below === undefined || !Number.isInteger(rest)) return undefined
  return written([
    { count: Math.floor(count), place },
    { count: rest, place: place + 1 },
  ])
}

interface Counted {
  readonly count: number
  readonly place: number
}

function isCounted(part: { readonly count: number | undefined; readonly place: number }): part is Counted {
  return part.count !== undefined && Number.isFinite(part.count) && part.count >= 0 && part.place !== -1
}

function written(parts: readonly Counted[]): string | undefined {
  let text = 'P'
  let hasTime = false
  for (const { count, place } of parts) {
    const letter = LETTERS[place]
    if (letter === undefined || count === 0) continue
    if (letter.isTime && !hasTime) text += 'T'
    hasTime ||= letter.isTime
    text += `${count}${letter.letter}`
  }
  return text === 'P' ? 'PT0S' : text
}
