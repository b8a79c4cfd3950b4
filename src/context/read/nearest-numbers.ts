import { wordsOf } from '../facts/task-words.ts'
import { exactSum, quantityOf } from '../view/quantity.ts'
import { cellText, type Table } from '../view/table.ts'

const MOST_SHOWN = 10
const MOST_TABLES = 40
const LOOKED_AT = 50
const LONGEST_ROW = 160

export interface AskedNumbers {
  /** A column that is not there, in the words of the question. */
  readonly asked: string
  readonly verb: 'min' | 'max'
  /** The numbers were to be added. */
  readonly isAdded?: boolean
}

/** The extremes of the columns with numbers, those first whose names are nearest to what was asked for. */
export function nearestNumbers(tables: readonly Table[], { asked, verb, isAdded = false }: AskedNumbers): string[] {
  const words = new Set(wordsOf(asked))
  const near = tables.slice(0, MOST_TABLES).flatMap((table) =>
    [...table.columns].flatMap(([column, cells]) => {
      if (!isNumeric(cells)) return []
      const own = new Set([...wordsOf(column), ...wordsOf(table.name)])
      const hits = [...words].filter((word) => own.has(word)).length
      return [{ table, column, cells, hits }]
    }),
  )
  const shown = near.toSorted((a, b) => b.hits - a.hits || b.table.rows - a.table.rows).slice(0, MOST_SHOWN)
  const lengths = LENGTH.test(asked) ? longestTexts(tables, words, verb) : []
  const lines = shown.flatMap(({ table, column, cells }) => {
    const row = extremeRow(cells, verb)
    if (row === undefined) return []
    const added = isAdded ? `; sum ${exactSum(cells.flatMap((cell) => quantityOf(cell) ?? []))} over ${table.rows} rows` : ''
    return [`${verb} of ${column} in ${table.name}: ${cellText(cells[row])}, ${rowOf(table, row)}${added}`]
  })
  return lines.length + lengths.length === 0 ? [] : ['Numbers that there are:', ...lengths, ...lines]
}

const LENGTH = /\b(?:length|long|longest|characters|size)\b/i
const MOST_TEXTS = 3

/** The longest text of columns, or the shortest, those first that the question names. */
function longestTexts(tables: readonly Table[], words: ReadonlySet<string>, verb: 'min' | 'max'): string[] {
  const sign = verb === 'max' ? 1 : -1
  const near = tables.slice(0, MOST_TABLES).flatMap((table) =>
    [...table.columns].flatMap(([column, cells]) => {
      let best: { readonly row: number; readonly length: number } | undefined
      cells.forEach((cell, row) => {
        const { length } = typeof cell === 'string' ? cell : ''
        if (length > 0 && (best === undefined || sign * (length - best.length) > 0)) best = { row, length }
      })
      return best === undefined
        ? []
        : [
            {
              table,
              column,
              ...(best as { readonly row: number; readonly length: number }),
              hits: wordsOf(column).filter((word) => words.has(word)).length,
            },
          ]
    }),
  )
  return near
    .toSorted((a, b) => b.hits - a.hits || sign * (b.length - a.length))
    .slice(0, MOST_TEXTS)
    .map(({ table, column, row, length }) => `${verb} length of ${column} in ${table.name}: ${length} characters, ${rowOf(table, row)}`)
}

const MOST_VALUES = 8
const MOST_DIFFERENT = 60

/** The most frequent values of the columns that count something, those first whose names are nearest to what was asked for. */
export function nearestCategories(tables: readonly Table[], asked: string): string[] {
  const words = new Set(wordsOf(asked))
  const near = tables.slice(0, MOST_TABLES).flatMap((table) =>
    [...table.columns].flatMap(([column, cells]) => {
      const counts = new Map<string, number>()
      for (const cell of cells) {
        const text = cellText(cell)
        if (text !== '') counts.set(text, (counts.get(text) ?? 0) + 1)
        if (counts.size > MOST_DIFFERENT) return []
      }
      if (counts.size < 2) return []
      const own = new Set([...wordsOf(column), ...wordsOf(table.name)])
      return [{ table, column, counts, hits: [...words].filter((word) => own.has(word)).length }]
    }),
  )
  const shown = near.toSorted((a, b) => b.hits - a.hits || b.table.rows - a.table.rows).slice(0, MOST_SHOWN)
  const lines = shown.map(({ table, column, counts }) => {
    const most = [...counts].toSorted((a, b) => b[1] - a[1])
    const listed = most.slice(0, MOST_VALUES).map(([value, count]) => `${value.slice(0, 60)} ${count}`)
    return `${column} in ${table.name}: ${listed.join(', ')}${most.length > MOST_VALUES ? `, … ${most.length} values` : ''}`
  })
  return lines.length === 0 ? [] : ['Values that there are:', ...lines]
}

function isNumeric(cells: readonly unknown[]): boolean {
  const sample = cells.filter((cell) => cell !== undefined && cell !== null && cell !== '').slice(0, LOOKED_AT)
  return sample.length > 1 && sample.filter((cell) => quantityOf(cell) !== undefined).length >= 0.9 * sample.length
}

function extremeRow(cells: readonly unknown[], verb: 'min' | 'max'): number | undefined {
  const sign = verb === 'max' ? 1 : -1
  let best: { readonly row: number; readonly value: number } | undefined
  cells.forEach((cell, row) => {
    const value = quantityOf(cell)?.value
    if (value !== undefined && (best === undefined || sign * (value - best.value) > 0)) best = { row, value }
  })
  return best?.row
}

/** The row with its parent, in short. */
function rowOf(table: Table, row: number): string {
  const own = [...table.columns].flatMap(([name, cells]) =>
    cells[row] === undefined ? [] : [`${name}=${cellText(cells[row]).slice(0, 60)}`],
  )
  const parentRow = table.parentRows[row] ?? -1
  const above = table.parent === undefined || parentRow < 0 ? [] : [`of ${rowOf(table.parent, parentRow)}`]
  return [...above, ...own].join(', ').slice(0, 2 * LONGEST_ROW)
}
