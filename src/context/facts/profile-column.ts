import { exactSum, type Quantity, quantityOf } from '../view/quantity.ts'
import { cellText, isBlank } from '../view/table.ts'
import { measuresIn } from '../view/measures.ts'
import { timeOf, unixScale } from '../view/time-of.ts'

const MAX_DISTINCT = 20_000
const LONG_CELL = 160

export interface NumberProfile {
  readonly min: Extreme
  readonly max: Extreme
  readonly sum: string
  readonly mean: number
  readonly median: number
  readonly p95: number
  readonly unit: string
  /** The number in a row. */
  readonly at: (row: number) => Quantity | undefined
  /** The numbers of the column with their rows. */
  readonly values: readonly { readonly row: number; readonly value: number }[]
}

interface Extreme {
  readonly row: number
  /** As the output writes it. */
  readonly text: string
  readonly value: number
}

export interface TimeProfile {
  readonly first: Extreme
  readonly last: Extreme
  /** The usual time between two rows, if there is one. */
  readonly stepMs?: number | undefined
  /** The moments of the column with their rows, the earliest first. */
  readonly values: readonly { readonly row: number; readonly at: number }[]
  /** Where more than one step is missing. */
  readonly gaps: readonly { readonly after: string; readonly before: string; readonly missing: number }[]
}

/** What a column holds. */
export interface ColumnProfile {
  readonly name: string
  readonly kind: 'number' | 'time' | 'category' | 'text' | 'id' | 'empty'
  readonly filled: number
  /** Every value with how often it comes, the most frequent first; undefined above 20,000 values, and for long texts. */
  readonly counts?: ReadonlyMap<string, number> | undefined
  readonly number?: NumberProfile | undefined
  readonly time?: TimeProfile | undefined
  readonly isUnique: boolean
}

/** Looks at the cells of a column once. */
export function profileColumn(name: string, cells: readonly unknown[]): ColumnProfile {
  const rows: number[] = []
  const counts = new Map<string, number>()
  let longest = 0
  let tooMany = false
  cells.forEach((cell, row) => {
    if (cell === undefined || cell === null || cell === '') return
    rows.push(row)
    const text = cellText(cell)
    longest = Math.max(longest, text.length)
    if (tooMany) return
    counts.set(text, (counts.get(text) ?? 0) + 1)
    tooMany = counts.size > MAX_DISTINCT
  })
  const filled = rows.length
  if (filled === 0) return { name, kind: 'empty', filled, isUnique: false }
  const isUnique = !tooMany && counts.size === filled && filled > 1
  const sorted = tooMany || longest > 4 * LONG_CELL ? undefined : new Map([...counts].toSorted((a, b) => b[1] - a[1]))
  const found = { name, filled, isUnique, counts: sorted }
  const told = rows.filter((row) => !isBlank(cells[row]))
  const time = timesOf(cells, told)
  if (time !== undefined) return { ...found, kind: 'time', time }
  const number = numbersOf(cells, told, quantityOf) ?? numbersOf(cells, told, measuresIn(cells))
  if (number !== undefined) {
    if (isCode(name, counts, number)) return { ...found, kind: 'category' }
    return isIdentifier(name, isUnique, number) ? { ...found, kind: 'id' } : { ...found, kind: 'number', number }
  }
  if (longest > LONG_CELL) return { ...found, kind: 'text' }
  if (isUnique || (sorted !== undefined && counts.size > 0.9 * filled && filled > 20))
    return { ...found, kind: filled > 8 ? 'id' : 'category' }
  return { ...found, kind: 'category' }
}

function numbersOf(
  cells: readonly unknown[],
  rows: readonly number[],
  quantityIn: ((cell: unknown) => Quantity | undefined) | undefined,
): NumberProfile | undefined {
  if (quantityIn === undefined) return undefined
  const read: Quantity[] = []
  const values: { row: number; value: number }[] = []
  const byRow: (Quantity | undefined)[] = []
  let unit: string | undefined
  for (const row of rows) {
    const quantity = quantityIn(cells[row])
    while (byRow.length < row) byRow.push(undefined)
    byRow.push(quantity)
    if (quantity === undefined || typeof cells[row] === 'boolean') continue
    unit ??= quantity.unit
    if (quantity.unit !== unit) continue
    read.push(quantity)
    values.push({ row, value: quantity.value })
  }
  if (values.length === 0 || values.length < 0.9 * rows.length) return undefined
  const sorted = values.toSorted((a, b) => a.value - b.value)
  const extreme = (at: number): Extreme => {
    const { row = 0, value = 0 } = sorted.at(at) ?? {}
    return { row, value, text: cellText(cells[row]) }
  }
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]?.value ?? 0
  const middle = sorted.length / 2
  const median = sorted.length % 2 === 1 ? at(0.5) : ((sorted[middle - 1]?.value ?? 0) + (sorted[middle]?.value ?? 0)) / 2
  const isMeasured = quantityIn !== quantityOf
  const sum = exactSum(read)
  // The first row of equals, not whichever the sort gives.
  const last = sorted.findIndex(({ value }) => value === sorted.at(-1)?.value)
  return {
    min: extreme(0),
    max: extreme(last),
    sum: isMeasured ? `${sum} ${unit ?? ''}` : sum,
    mean: Number(sum) / values.length,
    median,
    p95: at(0.95),
    unit: unit ?? '',
    at: (row) => byRow[row],
    values,
  }
}

/** A few whole numbers that come again and again, such as the status of an answer: nobody adds them. */
function isCode(name: string, counts: ReadonlyMap<string, number>, { values, min }: NumberProfile): boolean {
  return (
    counts.size <= MOST_CODES &&
    values.length > 2 * counts.size &&
    min.value >= 0 &&
    values.every(({ value }) => Number.isInteger(value)) &&
    (/(?:status|code|year|month|level|version|port|type|kind)(?: \d+)?$/i.test(name) || isOfEqualLength([...counts.keys()], values.length))
  )
}

/** Few numbers of three digits or more, all of the same length, each many times: numbers of accounts and districts. */
function isOfEqualLength(texts: readonly string[], rows: number): boolean {
  const [first = ''] = texts
  return (
    first.length >= 3 &&
    texts.length <= MOST_OF_EQUAL_LENGTH &&
    rows >= 20 * texts.length &&
    texts.every((text) => /^\d+$/.test(text) && text.length === first.length)
  )
}

const MOST_OF_EQUAL_LENGTH = 20

const MOST_CODES = 60

function isIdentifier(name: string, isUnique: boolean, { values }: NumberProfile): boolean {
  if (values.length < 3 || !values.every(({ value }) => Number.isInteger(value))) return false
  if (/(?:^|[^a-z])(?:port|pid|zip|phone|line)$/i.test(name.replace(/([a-z])([A-Z])/g, '$1 $2'))) return true
  if (/(?:^|[^a-z])(?:id|key|number|no|uuid|code|zip|phone|port|pid|line|index|row)$/i.test(name.replace(/([a-z])([A-Z])/g, '$1 $2')))
    return isUnique || /id$/i.test(name)
  if (/(?:nr|num|no|number)\.?$/i.test(name) && new Set(values.map(({ value }) => value)).size > 0.5 * values.length) return true
  if (!isUnique) return false
  if (areNumbersOfThings(values.map(({ value }) => value))) return true
  let rising = true
  for (let at = 1; at < values.length && rising; at++) rising = (values[at]?.value ?? 0) === (values[at - 1]?.value ?? 0) + 1
  return rising
}

const FEWEST_NUMBERS = 20
const SMALLEST_NUMBER = 10_000

/** Whole numbers of the same length, from five digits on, and no two alike: measures differ in their length. */
function areNumbersOfThings(values: readonly number[]): boolean {
  const [first = 0] = values
  const { length } = String(first)
  return (
    values.length >= FEWEST_NUMBERS &&
    first >= SMALLEST_NUMBER &&
    values.every((value) => value >= SMALLEST_NUMBER && String(value).length === length)
  )
}

const MOST_GAPS = 20

function timesOf(cells: readonly unknown[], rows: readonly number[]): TimeProfile | undefined {
  const times: { row: number; at: number }[] = []
  if (rows.length === 0) return undefined
  const [firstRow = 0] = rows
  const [firstCell] = [cells[firstRow]]
  const firstNumber = typeof firstCell === 'string' && timeOf(firstCell) !== undefined ? undefined : quantityOf(firstCell)
  if (firstNumber !== undefined) {
    const numbers = firstNumber.value < 0.9e9 ? [] : rows.flatMap((row) => quantityOf(cells[row])?.value ?? [])
    const scale = numbers.length === rows.length ? unixScale(numbers) : undefined
    if (scale === undefined) return undefined
    rows.forEach((row, index) => times.push({ row, at: (numbers[index] ?? 0) * scale }))
  } else {
    let odd = 0
    for (const row of rows) {
      const cell = cells[row]
      const at = typeof cell === 'string' ? timeOf(cell) : undefined
      if (at === undefined) odd++
      else times.push({ row, at })
      if (odd > 5 && odd > 0.1 * rows.length) return undefined
    }
    if (times.length === 0 || odd > 0.1 * rows.length) return undefined
  }
  const sorted = times.toSorted((a, b) => a.at - b.at)
  const extreme = (index: number): Extreme => {
    const { row = 0, at = 0 } = sorted.at(index) ?? {}
    return { row, value: at, text: cellText(cells[row]) }
  }
  const steps = sorted.slice(1).map(({ at }, index) => at - (sorted[index]?.at ?? 0))
  const stepMs = usualStep(steps)
  const gaps =
    stepMs === undefined
      ? []
      : steps.flatMap((step, index) =>
          step < 1.8 * stepMs
            ? []
            : [
                {
                  after: cellText(cells[sorted[index]?.row ?? 0]),
                  before: cellText(cells[sorted[index + 1]?.row ?? 0]),
                  missing: Math.round(step / stepMs) - 1,
                },
              ],
        )
  return { first: extreme(0), last: extreme(-1), stepMs, values: sorted, gaps: gaps.slice(0, MOST_GAPS) }
}

/** The step of nine in ten rows. */
function usualStep(steps: readonly number[]): number | undefined {
  if (steps.length < 5) return undefined
  const counts = new Map<number, number>()
  for (const step of steps) counts.set(step, (counts.get(step) ?? 0) + 1)
  const [step = 0, count = 0] = [...counts].toSorted((a, b) => b[1] - a[1])[0] ?? []
  return step > 0 && count >= 0.85 * steps.length ? step : undefined
}
