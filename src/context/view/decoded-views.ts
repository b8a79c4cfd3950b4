import { Table } from './table.ts'
import type { Blob, OutputView, Sentence } from './view.ts'

const MOST_VIEWS = 20
const FEWEST_CHARACTERS = 20

/** What stands in encoded data: its tables and sentences, under the name of the file. */
export function decodedViews(
  blobs: readonly Blob[],
  viewOf: (text: string) => OutputView,
): { readonly tables: readonly Table[]; readonly sentences: readonly Sentence[] } {
  const tables: Table[] = []
  const sentences: Sentence[] = []
  for (const blob of blobs
    .filter(({ text = '', isInline }) => isInline !== true && text.length >= FEWEST_CHARACTERS)
    .slice(0, MOST_VIEWS)) {
    const place = nameOf(blob)
    const view = viewOf(blob.text ?? '')
    const known = new Map<Table, Table>()
    for (const table of view.tables) known.set(table, tableOf(table, { name: `${place}: ${table.name}`, known }))
    tables.push(...known.values())
    // Line 0: their lines are not those of the output.
    const isRead = view.tables.length > 0 || view.sentences.length > 0
    const own: readonly Sentence[] = isRead ? view.sentences : view.lines.map((text) => ({ text, line: 0 }))
    sentences.push(...own.map((each) => ({ ...each, line: 0, place: each.place === undefined ? place : `${place}, ${each.place}` })))
  }
  return { tables, sentences }
}

/** What a reader calls the data. */
export function nameOf({ name, number }: Blob): string {
  return name ?? `blob${number}`
}

/** The same rows. Their numbers are below zero: they are of lines that the output does not have. */
function tableOf(table: Table, { name, known }: { readonly name: string; readonly known: ReadonlyMap<Table, Table> }): Table {
  const { lineOf, sourceOf } = table
  const own = new Table(name, table.parent === undefined ? undefined : known.get(table.parent))
  table.refs.forEach((ref, row) => own.addRow({ ref: -1 - ref, parentRow: table.parentRows[row] ?? -1 }))
  for (const [column, cells] of table.columns) own.columns.set(column, cells)
  own.weight = table.weight
  own.leftOut = table.leftOut
  for (const column of table.carried) own.carried.add(column)
  if (lineOf !== undefined) own.lineOf = (ref) => lineOf(-1 - ref)
  if (sourceOf !== undefined) own.sourceOf = (ref) => sourceOf(-1 - ref)
  return own
}
