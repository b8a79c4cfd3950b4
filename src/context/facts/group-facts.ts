import { exactSum, figure, type Quantity } from '../view/quantity.ts'
import { cellText } from '../view/table.ts'
import { brief, type Fact, ORDER } from './fact.ts'
import { type Measure, measuresOf } from './important-columns.ts'
import { KIND_WEIGHT } from './kind-weights.ts'
import type { ColumnProfile } from './profile-column.ts'
import type { TableProfile } from './table-profile.ts'

const MOST_CATEGORIES = 6
const MOST_NUMBERS = 8
const MOST_GROUPS = 60
/** Of two categories together, so many values of each. */
const MOST_OF_A_SIDE = 10
/** Numbers are added for two categories together only in the first columns of tables that are not long. */
const FEW_CATEGORIES = 4
const FEW_NUMBERS = 3
const MOST_ADDED = 20_000
/** Of more groups only the sums are said. */
const FEW_GROUPS = 12
/** Of more groups the first ones and the last are worth the most. */
const MOST_AT_THE_ENDS = 4
const OF_THE_ENDS = 0.45

/** Numbers by the values of a category, and categories by one another. */
export function groupFacts(profile: TableProfile, part: string): Fact[] {
  if (profile.table.rows < 6) return []
  const categories = profile.columns.filter((column) => isCategory(column) && !profile.twins.has(column.name)).slice(0, MOST_CATEGORIES)
  const numbers = measuresOf(profile).slice(0, MOST_NUMBERS)
  const { fullest } = profile
  const facts: Fact[] =
    fullest === undefined
      ? []
      : [{ text: `rows for each: ${belowText(fullest.fewest)} to ${belowText(fullest.most)}`, worth: 1.2, part, order: ORDER.group }]
  for (const category of categories) {
    for (const measure of numbers)
      if (measure.column.name !== category.name)
        facts.push(...numberBy(profile, category, measure).map((fact) => ({ ...fact, part, order: ORDER.group })))
  }
  categories.forEach((a, at) => {
    for (const b of categories.slice(at + 1)) {
      // The one with fewer values outside: its names are said once.
      const [outer, inner] = (a.counts?.size ?? 0) <= (b.counts?.size ?? 0) ? [a, b] : [b, a]
      const pairs = pairsOf(profile, outer, inner)
      if (pairs === undefined) continue
      const said = (worth: number, text: string): Fact => ({ text, worth, part, order: ORDER.group })
      facts.push(said(0.8, `${inner.name} by ${outer.name}: ${listed(pairs, (rows) => String(rows.length))}`))
      if (at >= FEW_CATEGORIES || profile.table.rows > MOST_ADDED) continue
      for (const { column: number, isAdded } of numbers.slice(0, FEW_NUMBERS)) {
        if (!isAdded || number.name === outer.name || number.name === inner.name) continue
        const sum = sumOf(number)
        facts.push(said(0.6, `sum of ${number.name} by ${outer.name} and ${inner.name}: ${listed(pairs, sum)}`))
      }
    }
  })
  return facts
}

function belowText({ name, rows }: { readonly name?: string; readonly rows: number }): string {
  return name === undefined ? String(rows) : `${rows} (${name})`
}

function isCategory({ kind, counts, filled }: ColumnProfile): boolean {
  if (counts === undefined || counts.size < 2 || counts.size > MOST_GROUPS || filled < 2 * counts.size) return false
  return kind === 'category' || (kind === 'number' && counts.size <= 8)
}

type Said = Pick<Fact, 'text' | 'worth' | 'short' | 'shortShare'>

function numberBy(profile: TableProfile, category: ColumnProfile, { column: number, isAdded, weight }: Measure): Said[] {
  const { table } = profile
  const groups = new Map<string, { readonly row: number; readonly quantity: Quantity }[]>()
  for (const { row } of number.number?.values ?? []) {
    const key = cellText(table.cell(row, category.name))
    const quantity = number.number?.at(row)
    if (key === '' || quantity === undefined) continue
    const own = groups.get(key)
    if (own === undefined) groups.set(key, [{ row, quantity }])
    else own.push({ row, quantity })
  }
  if (groups.size < 2) return []
  const sums = [...groups].map(([key, own]) => {
    const sum = exactSum(own.map(({ quantity }) => quantity))
    const { row } = own.reduce((most, each) => (each.quantity.value > most.quantity.value ? each : most))
    return { key: brief(key, 40), sum, mean: Number(sum) / own.length, max: { row, text: cellText(table.cell(row, number.name)) } }
  })
  const order = (one: (typeof sums)[number]): number => (isAdded ? Number(one.sum) : one.mean)
  const sorted = sums.toSorted((a, b) => order(b) - order(a))
  const head = `${isAdded ? 'sum' : 'mean'} of ${number.name} by ${category.name}`
  const all = sorted.map(({ key, sum, mean }) => `${key} ${isAdded ? sum : figure(mean)}`)
  const ends = sorted.length > MOST_AT_THE_ENDS ? { short: `${head}: ${atTheEnds(all)}`, shortShare: OF_THE_ENDS } : {}
  const first: Said = { text: `${head}: ${all.join(', ')}`, ...ends, worth: 1.1 * weight }
  if (sorted.length > FEW_GROUPS) return [first]
  const most = (row: number, text: string): string => (profile.hasLabel ? `max ${text} ${profile.label(row)}` : `max ${text}`)
  const mean = (each: (typeof sums)[number]): string => (isAdded ? `mean ${figure(each.mean)}, ` : '')
  return [
    first,
    {
      text: `${number.name} by ${category.name}: ${sorted.map((each) => `${each.key} ${mean(each)}${most(each.max.row, each.max.text)}`).join('; ')}`,
      worth: KIND_WEIGHT.extremesByGroup * 0.7 * weight,
    },
  ]
}

/** Of many groups, the largest and the smallest are asked for. */
export function atTheEnds(all: readonly string[]): string {
  return all.length <= MOST_AT_THE_ENDS
    ? all.join(', ')
    : `most ${all.slice(0, MOST_AT_THE_ENDS - 1).join(', ')}; least ${all.at(-1) ?? ''}; ${all.length} groups`
}

type Pairs = ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>

/** The rows of each two values that come together. Of many values, those that come most often. */
function pairsOf({ table }: TableProfile, outer: ColumnProfile, inner: ColumnProfile): Pairs | undefined {
  const groups = new Map<string, Map<string, number[]>>()
  for (let row = 0; row < table.rows; row++) {
    const [x, y] = [cellText(table.cell(row, outer.name)), cellText(table.cell(row, inner.name))]
    if (x === '' || y === '') continue
    const own = groups.get(x) ?? new Map<string, number[]>()
    groups.set(x, own)
    const rows = own.get(y)
    if (rows === undefined) own.set(y, [row])
    else rows.push(row)
  }
  // Values that come once in every group say the same as the rows.
  const pairs = [...groups.values()].reduce((sum, own) => sum + own.size, 0)
  return groups.size < 2 || 2 * pairs > table.rows ? undefined : groups
}

function sumOf({ number }: ColumnProfile): (rows: readonly number[]) => string {
  return (rows) => exactSum(rows.flatMap((row) => number?.at(row) ?? []))
}

function listed(pairs: Pairs, said: (rows: readonly number[]) => string): string {
  const size = (own: ReadonlyMap<string, readonly number[]>): number => [...own.values()].reduce((sum, rows) => sum + rows.length, 0)
  const outer = [...pairs].toSorted((p, q) => size(q[1]) - size(p[1]))
  return shortened(
    outer.map(([x, own]) => {
      const inner = [...own].toSorted((p, q) => q[1].length - p[1].length)
      return `${brief(x, 30)} (${shortened(inner.map(([y, rows]) => `${brief(y, 30)} ${said(rows)}`))})`
    }),
  )
}

function shortened(all: readonly string[]): string {
  return all.length <= MOST_OF_A_SIDE ? all.join(', ') : `${all.slice(0, MOST_OF_A_SIDE).join(', ')}, … ${all.length - MOST_OF_A_SIDE} more`
}
