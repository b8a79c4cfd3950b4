import { Table } from './table.ts'

const FEWEST_NAMES = 3
/** A line that stands in so many of the records names the columns of the lines below it. */
const OF_RECORDS = 0.4
const FEWEST_RECORDS = 4
const LONGEST_LINE = 400
const NAME = /^[\p{L}#%][\p{L}\d %/.#()_-]{0,30}$/u

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
    this.table = new Table('records.rows', records)
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
    if (!fits(line, this.#open)) {
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
  let records = 0
  lines.forEach((line, at) => {
    if (line.trim() === '' || line.length > LONGEST_LINE) return
    if (isHead(line, at)) records++
    else if (!/\d/.test(line)) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1)
  })
  const often = [...counts].filter(([, count]) => count >= Math.max(FEWEST_RECORDS, OF_RECORDS * records))
  return new Map(
    often.flatMap(([text]) => {
      const columns = [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: name, index }) => ({ name, from: index }))
      return columns.length >= FEWEST_NAMES && columns.every(({ name }) => NAME.test(name)) ? [[text, columns] as const] : []
    }),
  )
}

/** Cells in the first two columns, and nothing over the border of one. */
function fits(line: string, columns: readonly Column[]): boolean {
  const isFilled = ({ from }: Column, index: number): boolean => line.slice(from, columns[index + 1]?.from).trim() !== ''
  return columns.slice(0, 2).every(isFilled) && columns.every(({ from }) => from === 0 || (line[from - 1] ?? ' ') === ' ')
}
