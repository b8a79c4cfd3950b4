import { cellText, type Table } from '../view/table.ts'

const LONGEST_CELL = 80
const MOST_COLUMNS = 12
const MOST_ABOVE = 4
/** More rows than these have their columns said once. */
const FEW_ROWS = 4
const LONGEST_LINE = 300

/** A row with its columns, and what it belongs to. */
export function rowText(table: Table, row: number): string {
  const own = [...table.columns]
    .flatMap(([name, cells]) => (isSaid(cells[row]) ? [`${name}=${cellText(cells[row]).slice(0, LONGEST_CELL)}`] : []))
    .slice(0, MOST_COLUMNS)
    .join(', ')
  const above = aboveText(table, row)
  return above === '' ? own : `${own} (of ${above})`
}

/** The row above, in short: what names it stands first. */
function aboveText({ parent, parentRows }: Table, row: number): string {
  const at = parentRows[row] ?? -1
  if (parent === undefined || at < 0) return ''
  const own = [...parent.columns].flatMap(([name, cells]) =>
    isSaid(cells[at]) ? [`${name}=${cellText(cells[at]).slice(0, LONGEST_CELL)}`] : [],
  )
  const above = aboveText(parent, at)
  return [...own.slice(0, MOST_ABOVE), ...(above === '' ? [] : [`of ${above}`])].join(', ')
}

function isSaid(cell: unknown): boolean {
  return cell !== undefined && cell !== ''
}

/** Rows one below the other, so many at most; the columns of more than a few are said once. */
export function rowsText(table: Table, rows: readonly number[], most: number): string[] {
  const more = rows.length > most ? [`… ${rows.length - most} more`] : []
  const shown = rows.slice(0, most)
  if (rows.length <= FEW_ROWS) return shown.map((row) => rowText(table, row) + lineText(table, row))
  const columns = [...table.columns].filter(([, cells]) => shown.some((row) => isSaid(cells[row]))).slice(0, MOST_COLUMNS)
  const text = (row: number): string => {
    const own = columns.map(([, cells]) => cellText(cells[row]).slice(0, LONGEST_CELL)).join(' | ')
    const above = aboveText(table, row)
    return above === '' ? own : `${own} (of ${above})`
  }
  return [columns.map(([name]) => name).join(' | '), ...shown.map(text), ...more]
}

/** The line that a row was made of: columns may not say all of it. */
export function lineText({ sourceOf, lineOf, refs }: Table, row: number): string {
  const text = (sourceOf ?? lineOf)?.(refs[row] ?? 0)
  return text === undefined ? '' : `\n${text.slice(0, LONGEST_LINE)}`
}
