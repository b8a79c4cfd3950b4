import { exactSum, figure, quantityOf } from '../view/quantity.ts'
import { cellText } from '../view/table.ts'
import { brief, type Fact, ORDER } from './fact.ts'
import type { ColumnProfile } from './profile-column.ts'
import type { TableProfile } from './table-profile.ts'

const MOST_CATEGORIES = 6
const MOST_NUMBERS = 5
const MOST_GROUPS = 60
const MOST_PAIRS = 48
/** Of more groups only the sums are said. */
const FEW_GROUPS = 12

/** Numbers by the values of a category, and categories by one another. */
export function groupFacts(profile: TableProfile, part: string): Fact[] {
  if (profile.table.rows < 6) return []
  const categories = profile.columns.filter(isCategory).slice(0, MOST_CATEGORIES)
  const numbers = profile.columns.filter(({ kind, counts }) => kind === 'number' && counts?.size !== 1).slice(0, MOST_NUMBERS)
  const facts: Fact[] = []
  for (const category of categories) {
    for (const number of numbers)
      if (number.name !== category.name)
        facts.push(...numberBy(profile, category, number).map((fact) => ({ ...fact, part, order: ORDER.group })))
  }
  categories.forEach((a, at) => {
    for (const b of categories.slice(at + 1)) {
      const text = categoryBy(profile, a, b)
      if (text !== undefined) facts.push({ text, worth: 0.8, part, order: ORDER.group })
    }
  })
  return facts
}

function isCategory({ kind, counts, filled }: ColumnProfile): boolean {
  if (counts === undefined || counts.size < 2 || counts.size > MOST_GROUPS || filled < 2 * counts.size) return false
  return kind === 'category' || (kind === 'number' && counts.size <= 8)
}

function numberBy({ table }: TableProfile, category: ColumnProfile, number: ColumnProfile): Pick<Fact, 'text' | 'worth' | 'short'>[] {
  const groups = new Map<string, NonNullable<ReturnType<typeof quantityOf>>[]>()
  for (const { row } of number.number?.values ?? []) {
    const key = cellText(table.cell(row, category.name))
    const quantity = quantityOf(table.cell(row, number.name))
    if (key === '' || quantity === undefined) continue
    const own = groups.get(key)
    if (own === undefined) groups.set(key, [quantity])
    else own.push(quantity)
  }
  if (groups.size < 2) return []
  const sums = [...groups].map(([key, own]) => {
    const sum = exactSum(own)
    return {
      key: brief(key, 40),
      sum,
      mean: Number(sum) / own.length,
      max: own.reduce((max, { value }) => Math.max(max, value), -Infinity),
    }
  })
  const bySum = sums.toSorted((a, b) => Number(b.sum) - Number(a.sum))
  const head = `sum of ${number.name} by ${category.name}`
  const short = `${head}: ${bySum.map(({ key, sum }) => `${key} ${sum}`).join(', ')}`
  if (bySum.length > FEW_GROUPS) return [{ text: short, worth: 1.1 }]
  return [
    {
      text: `${head}: ${bySum.map(({ key, sum, mean, max }) => `${key} ${sum} (mean ${figure(mean)}, max ${figure(max)})`).join(', ')}`,
      short,
      worth: 1.1,
    },
  ]
}

function categoryBy({ table }: TableProfile, a: ColumnProfile, b: ColumnProfile): string | undefined {
  // The one with fewer values outside: its names are said once.
  const [outer, inner] = (a.counts?.size ?? 0) <= (b.counts?.size ?? 0) ? [a, b] : [b, a]
  const groups = new Map<string, Map<string, number>>()
  let pairs = 0
  for (let row = 0; row < table.rows; row++) {
    const [x, y] = [cellText(table.cell(row, outer.name)), cellText(table.cell(row, inner.name))]
    if (x === '' || y === '') continue
    const own = groups.get(x) ?? new Map<string, number>()
    groups.set(x, own)
    if (!own.has(y)) pairs++
    own.set(y, (own.get(y) ?? 0) + 1)
  }
  if (pairs > MOST_PAIRS || groups.size < 2) return undefined
  const listed = [...groups].map(
    ([x, own]) =>
      `${brief(x, 30)} (${[...own]
        .toSorted((p, q) => q[1] - p[1])
        .map(([y, count]) => `${brief(y, 30)} ${count}`)
        .join(', ')})`,
  )
  return `${inner.name} by ${outer.name}: ${listed.join(', ')}`
}
