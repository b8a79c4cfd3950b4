import { monthNamed, MONTHS, WEEKDAYS, weekdayNamed } from './calendar.ts'
import { currencySigned } from './money.ts'
import { type Unit, UNITS } from './unit-table.ts'

/** A listed value by its name. */
interface Named {
  readonly value: unknown
  readonly name: string
}

/**
 * The listed values that mean the same as a text by a standard: `Mon` and `monday`, `kilograms` and `kg`, `€` and `EUR`. All listed values must be names of that
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
  return sameUnit(text, names)
}

const MOST = 60

const KINDS: readonly ((text: string) => string | undefined)[] = [
  (text) => beginning(WEEKDAYS, text, 2) ?? nameAt(WEEKDAYS, weekdayNamed(text)),
  (text) => beginning(MONTHS, text, 3) ?? nameAt(MONTHS, less(monthNamed(text))),
  currencySigned,
  sizeNamed,
  compassPoint,
  quarterNamed,
]

const QUARTERS = ['first', 'second', 'third', 'fourth']

/** `Q2`, `2` and `second quarter`, where only quarters are listed. */
function quarterNamed(text: string): string | undefined {
  const [, digit, word] = /^(?:q(?:uarter)?\s?)?([1-4])$|^(first|second|third|fourth) quarter$/i.exec(text.trim()) ?? []
  return digit ?? (word === undefined ? undefined : String(QUARTERS.indexOf(word.toLowerCase()) + 1))
}

const POINTS = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw']
const POINT_NAMES = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest']

/** `N` and `north`, where only points of the compass are listed. */
function compassPoint(text: string): string | undefined {
  const lower = text.toLowerCase().replace(/[\s_-]+/g, '')
  return POINT_NAMES.includes(lower) ? lower : POINT_NAMES[POINTS.indexOf(lower)]
}

const SIZES = ['extra small', 'small', 'medium', 'large', 'extra large', 'extra extra large']
const SIGNS = ['xs', 's', 'm', 'l', 'xl', 'xxl']

/** `Medium` and `M`, where only sizes are listed. */
function sizeNamed(text: string): string | undefined {
  const lower = text
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .replace(/^x ?(?=small|large)/, 'extra ')
  return SIZES.includes(lower) ? lower : SIZES[SIGNS.indexOf(lower)]
}

function nameAt(names: readonly string[], index: number | undefined): string | undefined {
  return index === undefined ? undefined : names[index]
}

function less(month: number | undefined): number | undefined {
  return month === undefined ? undefined : month - 1
}

/** The only name that begins so, in at least so many letters. */
function beginning(names: readonly string[], text: string, least: number): string | undefined {
  const lower = text.toLowerCase().replace(/\.$/, '')
  const found = lower.length < least ? [] : names.filter((name) => name.startsWith(lower) || `${name}s` === lower)
  return found.length === 1 ? found[0] : undefined
}

/** The value that names the unit of the text. A letter is a unit only where all values name units of its kind. */
function sameUnit<N extends Named>(text: string, names: readonly N[]): readonly N[] {
  const found = unitsNamed(text).flatMap((unit) => {
    const units = names.map(({ name }) => unitsNamed(name).filter((each) => kindOf(each) === kindOf(unit)))
    const same = names.filter((_name, index) => units[index]?.length === 1 && units[index]?.[0] === unit)
    // Where other things are listed too, a whole word says which unit is meant.
    return units.every(({ length }) => length === 1) || (text.length > 2 && same.length === 1) ? same : []
  })
  return found.length === 1 ? found : []
}

const TEMPERATURES: ReadonlySet<string> = new Set(['celsius', 'fahrenheit', 'kelvin'])

/** What is measured, in whichever system. */
function kindOf({ dimension }: Unit): string {
  if (TEMPERATURES.has(dimension)) return 'temperature'
  return dimension === 'months' ? 'time' : dimension.replace(/^imperial /, '')
}

function unitsNamed(text: string): readonly Unit[] {
  const word = text.toLowerCase().replace(/^degrees?\s|^°\s?(?=\p{L}{2})/u, '')
  return UNITS.filter(({ words }) => words.includes(word))
}
