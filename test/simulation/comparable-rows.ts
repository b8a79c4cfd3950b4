import type { Statement } from './statements/statement.ts'

/** Columns whose values are those of a clock, of a sequence, or drawn by the database: only whether they are there is compared. */
const OWN = new Set(['clock_base', 'time_left_ms', 'deadline', 'oldest', 'fence', 'job', 'job_id'])

type Compared = Pick<Statement, 'name' | 'text'>

/** Rows as two databases can be compared by them: the given columns, without times, in an order of their own unless the statement has one. */
export function comparableRows(rows: readonly object[], columns: readonly string[], { name, text }: Compared): readonly object[] {
  const isOwn = (column: string): boolean => OWN.has(column) || column.endsWith('_at') || (column === 'id' && name.endsWith(' jobs'))
  const comparable = (column: string, value: unknown): unknown => ((value ?? null) !== null && isOwn(column) ? 'some' : (value ?? null))
  const compared = rows.map((row) =>
    Object.fromEntries(columns.map((column) => [column, comparable(column, (row as Record<string, unknown>)[column])])),
  )
  if (/ORDER BY (?!created_(at|on) LIMIT)/.test(text)) return compared
  return compared.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
}

/** The columns of the first row, but for those that only say that something was done. */
export function columnsOf(rows: readonly object[]): readonly string[] {
  return Object.keys(rows[0] ?? {}).filter((column) => !column.startsWith('pg_') && column !== '?column?')
}
