import { linePairs } from './line-pairs.ts'
import { Table } from './table.ts'

const FEWEST_NAMES = 3
/** A line that stands in so many of the records names the columns of the lines below it. */
const OF_RECORDS = 0.4
const FEWEST_RECORDS = 4
const LONGEST_LINE = 400
const NAME = /^[\p{L}#%][\p{L}\d %/.#()_-]{0,30}$/u

/** What the table is called. */
export const INNER_ROWS = 'records.rows'

/** At least three names. */
const GAPS = /\S {2,}\S.*? {2,}\S/

interface Column {
  readonly name: string
  readonly from: number
}

/** The table that each record of a text has, under the same header: ports of a host, lines of an order. */
export class InnerTable {
  readonly table: Table
  readonly #columns: ReadonlyMap<string, readonly Column[]>
  #open: readonly Column[] = []

  constructor(lines: readonly string[], isHead: (line: string, at: number) => boolean, records: Table) {
    this.table = new Table(INNER_ROWS, records)
    this.#columns = headersOf(lines, isHead)
  }

  /** Whether the line is one of the table: its header, or a row with a cell in the first column. */
  take(line: string, at: number, parentRow: number): boolean {
    const header = this.#columns.get(line.trim())
    if (header !== undefined) {
      const indent = line.length - line.trimStart().length
      this.#open = header.map(({ name, from }) => ({ name, from: from + indent }))
      return true
    }
    if (this.#open.length === 0 || parentRow < 0) return false
    // A field of the record may stand below its table.
    if (!fits(line, this.#open) || linePairs(line).length > 0) {
      this.end()
      return false
    }
    const row = this.table.addRow({ ref: at, parentRow })
    this.#open.forEach(({ name, from }, index) => {
      const cell = line.slice(from, this.#open[index + 1]?.from).trim()
      if (cell !== '') this.table.set(row, name, cell)
    })
    return true
  }

  end(): void {
    this.#open = []
  }
}

/** Lines of names that come again in the records, each with where its names begin. */
function headersOf(lines: readonly string[], isHead: (line: string, at: number) => boolean): ReadonlyMap<string, readonly Column[]> {
  const counts = new Map<string, number>()
  for (const line of lines) {
    if (line.length > LONGEST_LINE || !GAPS.test(line) || /\d/.test(line)) continue
    counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1)
  }
  const named = [...counts].flatMap(([text, count]) => {
    const columns = [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: name, index }) => ({ name, from: index }))
    const isHeader = count >= FEWEST_RECORDS && columns.length >= FEWEST_NAMES && columns.every(({ name }) => NAME.test(name))
    return isHeader ? [{ text, count, columns }] : []
  })
  if (named.length === 0) return new Map()
  const records = lines.filter((line, at) => line.trim() !== '' && isHead(line, at)).length
  return new Map(named.flatMap(({ text, count, columns }) => (count >= OF_RECORDS * records ? [[text, columns] as const] : [])))
}

/** Cells in the first two columns, and nothing over the border of one. */
function fits(line: string, columns: readonly Column[]): boolean {
  const isFilled = ({ from }: Column, index: number): boolean => line.slice(from, columns[index + 1]?.from).trim() !== ''
  return columns.slice(0, 2).every(isFilled) && columns.every(({ from }) => from === 0 || (line[from - 1] ?? ' ') === ' ')
}
