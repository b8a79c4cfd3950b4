import { Table } from './table.ts'
import type { FoundView, Sentence } from './view.ts'

const FIELD = /^(?:item\d{1,3}\.)?([A-Z][A-Z0-9-]{0,40})((?:;[^:]{1,200})?):(.*)$/

const SHORTEST_SENTENCE = 16

/** Records between `BEGIN:` and `END:`, as calendars and address books have them: a table for each kind. */
export function markedRecords(lines: readonly string[]): FoundView | undefined {
  if (!/^BEGIN:[A-Z]/.test(lines[0] ?? '')) return undefined
  const tables = new Map<string, Table>()
  const outer: { readonly table: Table; readonly scalar: readonly [string, unknown] }[] = []
  const sentences: Sentence[] = []
  const open: { readonly table: Table; readonly row: number }[] = []
  unfolded(lines).forEach(({ text, line }) => {
    const [, name, , value = ''] = FIELD.exec(text.slice(0, 4000)) ?? []
    if (name === undefined) return
    if (name === 'END') return void open.pop()
    if (name === 'BEGIN') {
      const table = tables.get(value) ?? new Table(value)
      tables.set(value, table)
      open.push({ table, row: table.addRow({ ref: line }) })
      return
    }
    const inside = open.at(-1)
    if (inside === undefined) return
    if (open.length === 1) outer.push({ table: inside.table, scalar: [name, value] })
    inside.table.set(inside.row, name, value)
    if (/^(?:SUMMARY|DESCRIPTION|NOTE|COMMENT)$/.test(name) && value.length >= SHORTEST_SENTENCE)
      sentences.push({ text: value, line: line + 1, place: String(inside.table.cell(inside.row, 'SUMMARY') ?? '') })
  })
  const found = [...tables.values()].filter(({ rows }) => rows > 1)
  if (found.length === 0) return undefined
  return {
    shape: 'mixed',
    tables: found,
    // What is around all records stands alone; the fields of records do not.
    scalars: outer.flatMap(({ table, scalar }) => (table.rows === 1 ? [scalar] : [])),
    sentences,
    document: Object.fromEntries(found.map((table) => [table.name, recordsOf(table)])),
  }
}

/** A line that begins with a space goes on with the one before. */
function unfolded(lines: readonly string[]): { readonly text: string; readonly line: number }[] {
  const whole: { text: string; line: number }[] = []
  lines.forEach((text, line) => {
    const last = whole.at(-1)
    if (/^[ \t]/.test(text) && last !== undefined) last.text += text.slice(1).trimEnd()
    else whole.push({ text: text.trimEnd(), line })
  })
  return whole
}

function recordsOf({ columns, refs }: Table): readonly Readonly<Record<string, unknown>>[] {
  return refs.map((_ref, row) => Object.fromEntries([...columns].map(([column, cells]) => [column, cells[row]])))
}
