import { cellText } from '../view/table.ts'
import { type Fact, ORDER } from './fact.ts'
import { KIND_WEIGHT } from './kind-weights.ts'
import { oddCells } from './odd-cells.ts'
import type { NumberProfile } from './profile-column.ts'
import type { TableProfile } from './table-profile.ts'
import type { TaskWords } from './task-words.ts'

/** Tables of so few rows are said whole. */
const FEW_ROWS = 5
const FAR_FROM_MEDIAN = 8
const MOST_FAR = 6
const MOST_RARE = 5
const MOST_HIT_ROWS = 200
const MOST_LOOKED_AT = 20_000
/** The link to what follows. */
const ONWARD = /^(?:next|older|more|weiter|suivant|siguiente)\b|^[›»→]$/i

/** Rows that stand out: rare values, fields that are nearly always empty, numbers far from the others, and rows with the words of the task. */
export function rowFacts(profile: TableProfile, part: string, task: TaskWords): Fact[] {
  const { table } = profile
  const worths = new Map<number, number>()
  /** The columns by which a row stands out. */
  const reasons = new Map<number, string[]>()
  const raise: Raise = (row, worth, column) => {
    worths.set(row, Math.max(worths.get(row) ?? 0, worth))
    if (column !== undefined && worth > OF_AN_END) reasons.set(row, [...(reasons.get(row) ?? []), column])
  }
  if (table.rows <= FEW_ROWS) for (let row = 0; row < table.rows; row++) raise(row, 1.5)
  else {
    for (const column of profile.columns) {
      const { counts, filled, number, kind } = column
      const cells = table.columns.get(column.name) ?? []
      if (filled > 0 && filled <= Math.min(MOST_RARE, 0.02 * table.rows))
        cells.forEach((cell, row) => cell !== undefined && cell !== null && cell !== '' && raise(row, 2, column.name))
      if (kind === 'category' && counts !== undefined && counts.size <= 60)
        raiseRare(cells, counts, (row, worth) => raise(row, worth, column.name))
      if (kind !== 'number' && kind !== 'time') for (const { row, worth } of oddCells(cells)) raise(row, worth, column.name)
      if (column.time !== undefined && kind === 'time') {
        raise(column.time.last.row, OF_THE_LATEST)
        raise(column.time.first.row, OF_THE_EARLIEST)
      }
      if (number === undefined || kind !== 'number') continue
      raise(number.max.row, 0.45)
      raise(number.min.row, 0.25)
      for (const { row, distance } of farRows(number)) raise(row, Math.min(2, 0.8 + distance / 40), column.name)
    }
    if (task.words.size > 0) raiseHit(profile, task, raise)
    for (const cells of table.columns.values())
      if (table.name === 'links') cells.forEach((cell, row) => typeof cell === 'string' && ONWARD.test(cell) && raise(row, 3))
  }
  return [...worths].map(([row, worth]) => {
    const first = reasons.get(row) ?? []
    const text = profile.rowText(row, first)
    const short = profile.shortRow(row, first)
    // An odd name alone is an accident more often than not.
    const isNameOnly = first.length > 0 && profile.isNamedBy(first)
    return {
      text,
      ...(short === undefined || short.length >= text.length
        ? {}
        : {
            short,
            ...(table.lineOf === undefined
              ? { shortShare: OF_A_SHORT_ROW }
              : { shortShare: OF_A_LINE_WITHOUT_ITS_TIME, restShare: OF_ITS_TIME }),
          }),
      worth: KIND_WEIGHT.row * (isNameOnly ? OF_AN_ODD_NAME * worth : worth),
      part,
      order: ORDER.row,
    }
  })
}

const OF_AN_ODD_NAME = 0.5
const OF_THE_LATEST = 0.4
const OF_THE_EARLIEST = 0.3

type Raise = (row: number, worth: number, column?: string) => void

const OF_AN_END = 0.5
const OF_A_SHORT_ROW = 0.5
const OF_A_LINE_WITHOUT_ITS_TIME = 0.8
const OF_ITS_TIME = 0.25

function raiseRare(cells: readonly unknown[], counts: ReadonlyMap<string, number>, raise: Raise): void {
  const most = [...counts.values()][0] ?? 0
  const rare = new Set([...counts].filter(([, count]) => count <= 3 && count * 20 <= most).map(([value]) => value))
  if (rare.size === 0 || rare.size > MOST_RARE) return
  cells.forEach((cell, row) => rare.has(cellText(cell)) && raise(row, 2.2))
}

/** Numbers far from the others. Where many are far, the column is spread wide, and none of them stands out. */
function farRows({ values, median }: NumberProfile): readonly { readonly row: number; readonly distance: number }[] {
  const spread = medianOf(values.map(({ value }) => Math.abs(value - median)))
  if (spread === 0) return []
  const far = values
    .map(({ row, value }) => ({ row, distance: Math.abs(value - median) / spread }))
    .filter(({ distance }) => distance > FAR_FROM_MEDIAN)
  return far.length > Math.max(MOST_FAR, 0.01 * values.length) ? [] : far.toSorted((a, b) => b.distance - a.distance).slice(0, MOST_FAR)
}

/** Rows in which words of the task stand that few rows have. Of rows that are alike, the first ones say the most. */
function raiseHit({ table }: TableProfile, task: TaskWords, raise: Raise): void {
  const rows: { readonly row: number; readonly hits: readonly string[] }[] = []
  const frequency = new Map<string, number>()
  for (let row = 0; row < table.rows && row < MOST_LOOKED_AT; row++) {
    let text = ''
    for (const cells of table.columns.values()) if (typeof cells[row] === 'string') text += ` ${cells[row]}`
    const hits = text === '' ? [] : task.hitsIn(text)
    if (hits.length === 0) continue
    rows.push({ row, hits })
    for (const word of hits) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  }
  const seen = new Map<string, number>()
  const largest = Math.log(1 + table.rows)
  const scored = rows.map(({ row, hits }) => ({
    row,
    key: hits.join(' '),
    worth: hits.reduce((sum, word) => sum + Math.log(1 + table.rows / (frequency.get(word) ?? 1)) / largest, 0),
  }))
  for (const { row, key, worth } of scored.toSorted((a, b) => b.worth - a.worth).slice(0, MOST_HIT_ROWS)) {
    const before = seen.get(key) ?? 0
    seen.set(key, before + 1)
    raise(row, (0.2 + 1.2 * worth) * (before < 3 ? 1 : before < 8 ? 0.4 : 0.1))
  }
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
