/** One place of a pattern that has as many characters in every text. */
interface Slot {
  readonly length: number
  /** The sign itself; undefined where a set of characters is taken. */
  readonly literal: string | undefined
}

const TOKEN = /\^|\$|(\\d|\\w|\[(?:\\.|[^\]\\])+\])(?:\{(\d{1,2})\})?(?![{+*?])|\\?([-_./: #])(?![{+*?])|([A-Za-z0-9])(?![{+*?])/gy

/**
 * A text with the separators that a pattern has at fixed places: `AB1234` as `AB-1234` for `^[A-Z]{2}-\d{4}$`. Undefined for a pattern with places of other
 * lengths, and for a text that has more or fewer characters.
 */
export function inTemplate(text: string, pattern: string): string | undefined {
  const slots = slotsOf(pattern)
  const characters = [...text]
  // Other separators than those of the pattern are no missing ones.
  if (slots === undefined || text.length > LONGEST || !/^[A-Za-z\d]+$/.test(text)) return undefined
  let written = ''
  for (const { length, literal } of slots) {
    if (literal !== undefined && SEPARATOR.test(literal)) written += literal
    else {
      const taken = characters.splice(0, length)
      if (taken.length < length) return undefined
      written += literal !== undefined && taken[0]?.toLowerCase() === literal.toLowerCase() ? literal : taken.join('')
    }
  }
  return characters.length > 0 || written === text ? undefined : written
}

const LONGEST = 60
const SEPARATOR = /^[-_./: ]$/

function slotsOf(pattern: string): readonly Slot[] | undefined {
  if (!pattern.startsWith('^') || !pattern.endsWith('$') || pattern.length > LONGEST * 4) return undefined
  const slots: Slot[] = []
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < pattern.length;) {
    const found = TOKEN.exec(pattern)
    if (found === null) return undefined
    const [, set, length = '1', sign, letter] = found
    if (set !== undefined) slots.push({ length: Number(length), literal: undefined })
    else if (sign !== undefined || letter !== undefined) slots.push({ length: 1, literal: sign ?? letter })
  }
  return slots.some(({ literal }) => literal !== undefined && SEPARATOR.test(literal)) ? slots : undefined
}

/** Texts with one separator more, as a name that was written without it. */
export function withOneSeparator(text: string): readonly string[] {
  // Among digits alone, a separator may be a decimal sign.
  if (!/^(?=.*\d)(?=.*[A-Za-z])[A-Za-z\d]{4,16}$/.test(text)) return []
  return [' ', '-', '/', ':'].flatMap((sign) =>
    Array.from({ length: text.length - 1 }, (_each, at) => `${text.slice(0, at + 1)}${sign}${text.slice(at + 1)}`),
  )
}
