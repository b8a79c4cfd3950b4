import { partsOf } from './units.ts'

const LETTERS: readonly { readonly letter: string; readonly words: RegExp; readonly isTime: boolean }[] = [
  { letter: 'Y', words: /^(?:y|yrs?|years?)$/, isTime: false },
  { letter: 'M', words: /^(?:months?|mo)$/, isTime: false },
  { letter: 'W', words: /^(?:w|wks?|weeks?)$/, isTime: false },
  { letter: 'D', words: /^(?:d|days?)$/, isTime: false },
  { letter: 'H', words: /^(?:h|hrs?|hours?)$/, isTime: true },
  { letter: 'M', words: /^(?:m|mins?|minutes?)$/, isTime: true },
  { letter: 'S', words: /^(?:s|secs?|seconds?)$/, isTime: true },
]

/** A text such as `1 hour 15 minutes` or `1:15:00` as a duration of ISO 8601. Each part keeps its unit. */
export function isoDuration(text: string, numberIn: (text: string) => number | undefined): string | undefined {
  if (/^p\d|^pt\d/i.test(text)) return text.toUpperCase()
  const clock = /^(\d{1,3}):([0-5]\d):([0-5]\d)$/.exec(text)
  if (clock !== null) return written(clock.slice(1).map((count, index) => ({ count: Number(count), place: 4 + index })))
  const parts = partsOf(text)?.map(({ count, word }) => ({
    count: numberIn(count),
    place: LETTERS.findIndex(({ words }) => words.test(word)),
  }))
  if (parts === undefined || !parts.every(isCounted)) return undefined
  const isOrdered = parts.every(({ place }, index) => index === 0 || place > (parts[index - 1]?.place ?? -1))
  return isOrdered ? written(parts) : undefined
}

interface Counted {
  readonly count: number
  readonly place: number
}

function isCounted(part: { readonly count: number | undefined; readonly place: number }): part is Counted {
  return part.count !== undefined && Number.isSafeInteger(part.count) && part.count >= 0 && part.place !== -1
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
