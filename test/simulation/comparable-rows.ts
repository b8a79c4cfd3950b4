/** Columns whose values are those of a clock or of a sequence: only whether they are there is compared. */
const OWN = new Set(['clock_base', 'time_left_ms', 'deadline', 'fence'])

/** Rows as two databases can be compared by them: the given columns, without times. */
export function comparableRows(rows: readonly object[], columns: readonly string[]): readonly object[] {
  return rows.map((row) =>
    Object.fromEntries(columns.map((column) => [column, comparable(column, (row as Record<string, unknown>)[column])])),
  )
}

function comparable(column: string, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (OWN.has(column) || column.endsWith('_at')) return 'some'
  return value
}

/** The columns of the first row, but for those that only say that something was done. */
export function columnsOf(rows: readonly object[]): readonly string[] {
  return Object.keys(rows[0] ?? {}).filter((column) => !column.startsWith('pg_') && column !== '?column?')
}
