import { cellText } from '../view/table.ts'
import { type Fact, ORDER } from './fact.ts'
import type { TableProfile } from './table-profile.ts'
import type { TaskWords } from './task-words.ts'

/** Tables of so few rows are said whole. */
const FEW_ROWS = 5
const FAR_FROM_MEDIAN = 8
const MOST_RARE = 5
const MOST_HIT_ROWS = 200

/** Rows that stand out: rare values, fields that are nearly always empty, numbers far from the others, and rows with the words of the task. */
export function rowFacts(profile: TableProfile, part: string, task: TaskWords): Fact[] {
  const { table } = profile
  const worths = new Map<number, number>()
  const raise = (row: number, worth: number): void => void worths.set(row, Math.max(worths.get(row) ?? 0, worth))
  if (table.rows <= FEW_ROWS) for (let row = 0; row < table.rows; row++) raise(row, 1.5)
  else {
    for (const column of profile.columns) {
      const { counts, filled, number, kind } = column
      const cells = table.columns.get(column.name) ?? []
      if (filled > 0 && filled <= Math.min(MOST_RARE, 0.02 * table.rows)) cells.forEach((cell, row) => cell !== undefined && cell !== null && cell !== '' && raise(row, 1.2))
      if (kind === 'category' && counts !== undefined && counts.size <= 60) raiseRare(cells, counts, raise)
      if (number === undefined || kind !== 'number') continue
      raise(number.max.row, 0.45)
      raise(number.min.row, 0.25)
      const mad = medianOf(number.values.map(({ value }) => Math.abs(value - number.median)))
      if (mad === 0) continue
      for (const { row, value } of number.values) {
        const distance = Math.abs(value - number.median) / mad
        if (distance > FAR_FROM_MEDIAN) raise(row, Math.min(2, 0.8 + distance / 40))
      }
    }
    if (task.words.size > 0) raiseHit(profile, task, raise)
  }
  return [...worths].map(([row, worth]) => ({ text: profile.rowText(row), worth, part, order: ORDER.row }))
}

function raiseRare(cells: readonly unknown[], counts: ReadonlyMap<string, number>, raise: (row: number, worth: number) => void): void {
  const most = [...counts.values()][0] ?? 0
  const rare = new Set([...counts].filter(([, count]) => count <= 3 && count * 20 <= most).map(([value]) => value))
  if (rare.size === 0 || rare.size > MOST_RARE) return
  cells.forEach((cell, row) => rare.has(cellText(cell)) && raise(row, 1.4))
}

/** Rows in which rare words of the task stand. */
function raiseHit({ table }: TableProfile, task: TaskWords, raise: (row: number, worth: number) => void): void {
  const hits: { row: number; count: number }[] = []
  for (let row = 0; row < table.rows && row < 20_000; row++) {
    let text = ''
    for (const cells of table.columns.values()) if (typeof cells[row] === 'string') text += ` ${cells[row]}`
    const count = text === '' ? 0 : task.hits(text)
    if (count > 0) hits.push({ row, count })
  }
  if (hits.length > 0.2 * table.rows) return
  for (const { row, count } of hits.toSorted((a, b) => b.count - a.count).slice(0, MOST_HIT_ROWS)) raise(row, 0.5 + 0.5 * count)
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
