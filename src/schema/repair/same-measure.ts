import { numberWord } from './number-words.ts'
import { UNITS } from './unit-table.ts'
import { partsOf } from './units.ts'

/** A listed value by its name. */
interface Named {
  readonly value: unknown
  readonly name: string
}

/** The values that are as much as a text says, where every listed value is a measure of the same kind: `5 minutes` for `5m` beside `1h`, `2 hours` for `120 min`. */
export function sameMeasures<N extends Named>(text: string, names: readonly N[]): readonly N[] {
  const dimension = dimensionOf(names)
  const wanted = dimension === undefined ? undefined : stepsOf(text, dimension)
  return dimension === undefined || wanted === undefined ? [] : names.filter(({ name }) => stepsOf(name, dimension) === wanted)
}

/** Whether a text is a measure of another kind than the listed values: `5 metres` beside `5m` and `1h`. */
export function isOtherMeasure(text: string, names: readonly Named[]): boolean {
  const dimension = dimensionOf(names)
  return dimension !== undefined && partsOf(text) !== undefined && stepsOf(text, dimension) === undefined
}

/** The kind of measure of all listed values; undefined where one of them is none. */
function dimensionOf(names: readonly Named[]): string | undefined {
  const [first] = names
  if (names.length < 2 || names.length > MOST || first === undefined || !/\d/.test(first.name)) return undefined
  return DIMENSIONS.find((dimension) => names.every(({ name }) => stepsOf(name, dimension) !== undefined))
}

const DIMENSIONS = [...new Set(UNITS.map(({ dimension }) => dimension))]

const MOST = 40

function stepsOf(text: string, dimension: string): number | undefined {
  let steps = 0
  for (const { count, word } of partsOf(text) ?? [{ count: '', word: '' }]) {
    const unit = UNITS.find((each) => each.dimension === dimension && each.words.includes(word))
    const number = /^\d+(?:\.\d+)?$/.test(count) ? Number(count) : numberWord(count)
    if (unit === undefined || number === undefined) return undefined
    steps += number * unit.steps
  }
  return steps
}

/** The value of a number where all listed values are numbers with one ending: `1080` for `1080p` beside `720p`. */
export function withEnding<N extends Named>(text: string, names: readonly N[]): readonly N[] {
  const endings = new Set(names.map(({ name }) => /^\d+(?:\.\d+)?([a-z%]{1,4})$/i.exec(name)?.[1] ?? ''))
  const [ending = ''] = endings
  return names.length > 1 && endings.size === 1 && ending !== '' && /^\d/.test(text)
    ? names.filter(({ name }) => name === `${text}${ending}`)
    : []
}
