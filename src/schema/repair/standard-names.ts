import { MONTHS, WEEKDAYS } from './calendar.ts'
import { UNITS } from './unit-table.ts'

/** A listed value by its name. */
interface Named {
  readonly value: unknown
  readonly name: string
}

/**
 * The listed values that mean the same as a text by a standard: `Mon` and `monday`, `kilograms` and `kg`. All listed values must be names of that
 * kind, so that the list itself says what it lists.
 */
export function standardNames<N extends Named>(text: string, names: readonly N[]): readonly N[] {
  if (names.length < 2 || names.length > MOST) return []
  for (const kind of KINDS) {
    const wanted = kind(text)
    const known = names.map(({ name }) => kind(name))
    if (wanted === undefined || known.includes(undefined)) continue
    return names.filter((_name, index) => known[index] === wanted)
  }
  return []
}

const MOST = 60

const KINDS: readonly ((text: string) => string | undefined)[] = [
  (text) => beginning(WEEKDAYS, text, 2),
  (text) => beginning(MONTHS, text, 3),
  unitNamed,
]

/** The only name that begins so, in at least so many letters. */
function beginning(names: readonly string[], text: string, least: number): string | undefined {
  const lower = text.toLowerCase().replace(/\.$/, '')
  const found = lower.length < least ? [] : names.filter((name) => name.startsWith(lower) || `${name}s` === lower)
  return found.length === 1 ? found[0] : undefined
}

/** Words of two letters and more: `m` are metres, minutes or months. */
function unitNamed(text: string): string | undefined {
  const word = text.toLowerCase().replace(/^(?:degrees?|°)\s?/, '°')
  const bare = word.replace(/^°(?=\p{L}{2})/u, '')
  const found = UNITS.filter(({ words }) => words.includes(word) || (bare.length > 1 && words.includes(bare)))
  const [only] = found
  return found.length === 1 && (bare.length > 1 || only?.dimension === 'celsius' || only?.dimension === 'fahrenheit')
    ? `${only?.dimension} ${only?.name}`
    : undefined
}
