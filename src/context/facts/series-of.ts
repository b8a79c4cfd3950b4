import { cellText } from '../view/table.ts'
import type { TableProfile } from './table-profile.ts'

/** Rows that follow one another: all of a table, or those of one thing in it. */
export interface Series {
  /** Whose rows they are; empty where all of the table are one. */
  readonly name: string
  /** In the order of their time, or as they stand. */
  readonly rows: readonly number[]
}

const MOST_SERIES = 60
const FEWEST_ROWS = 6
const MOST_ROWS = 100_000
const known = new WeakMap<TableProfile, readonly Series[]>()

/** The series of a table: the rows of each row above, or of each thing that comes again and again at other times. */
export function seriesOf(profile: TableProfile): readonly Series[] {
  const before = known.get(profile)
  if (before !== undefined) return before
  const found = findSeries(profile)
  known.set(profile, found)
  return found
}

function findSeries(profile: TableProfile): readonly Series[] {
  const { table, columns, parent } = profile
  if (table.rows < FEWEST_ROWS || table.rows > MOST_ROWS) return []
  const time = columns.find((column) => column.kind === 'time' && !table.carried.has(column.name))?.time
  const order =
    time === undefined || time.values.length < 0.9 * table.rows ? table.refs.map((_ref, row) => row) : time.values.map(({ row }) => row)
  const hasParents = parent !== undefined && table.parentRows.some((row) => row > 0)
  const names = hasParents ? [] : profile.nameColumns
  if (!hasParents && time === undefined) return []
  // Things with a name of their own for each row are no series.
  const keyOf = (row: number): string =>
    hasParents ? String(table.parentRows[row]) : names.map(({ name }) => cellText(table.cell(row, name))).join(' ')
  const groups = new Map<string, number[]>()
  for (const row of order) {
    const key = keyOf(row)
    const own = groups.get(key)
    if (own !== undefined) own.push(row)
    else if (groups.size >= MOST_SERIES) return hasParents ? [] : [{ name: '', rows: order }]
    else groups.set(key, [row])
  }
  const long = [...groups.values()].filter(({ length }) => length >= FEWEST_ROWS)
  if (long.length === 0) return hasParents ? [] : [{ name: '', rows: order }]
  if (groups.size === 1) return [{ name: '', rows: order }]
  return long.map((rows) => {
    const [first = 0] = rows
    const name = hasParents ? parent.label(table.parentRows[first] ?? 0) : keyOf(first)
    return { name, rows }
  })
}
