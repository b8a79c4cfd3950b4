import { sentencesOf } from './sentences.ts'
import { Table } from './table.ts'
import type { FoundView, Sentence } from './view.ts'

const FEWEST_ROWS = 4
const FEWEST_COLUMNS = 3
const LONGEST_LINE = 1000
/** So much of a text stands in such tables. */
const LIKE_SHARE = 0.7
/** A line of dashes for each column, with blanks between them. */
const RULER = /^\s*[-=]{2,}(?:\s+[-=]{1,}){2,}\s*$/

interface Column {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** Tables whose columns are as wide as the dashes below their names, on one page or on many; undefined where a text is mostly something else. */
export function ruledView(lines: readonly string[]): FoundView | undefined {
  if (!lines.some((line, at) => at > 0 && line.length <= LONGEST_LINE && RULER.test(line))) return undefined
  const tables = new Map<string, Table>()
  const sentences: Sentence[] = []
  let columns: readonly Column[] = []
  let table: Table | undefined
  let told = 0
  lines.forEach((line, at) => {
    if (line.trim() === '') {
      // A page ends where the next header stands, not at a blank line in it.
      const next = lines[at + 1] ?? ''
      if (next.trim() !== '' && !fits(next, columns)) table = undefined
      return
    }
    told++
    if (RULER.test(line.slice(0, LONGEST_LINE)) && at > 0) {
      columns = columnsOf(line, lines[at - 1] ?? '')
      const key = columns.map(({ name }) => name).join('\n')
      table = tables.get(key) ?? new Table(tables.size === 0 ? 'rows' : `rows ${tables.size + 1}`)
      tables.set(key, table)
      return
    }
    if (RULER.test((lines[at + 1] ?? '').slice(0, LONGEST_LINE))) return
    if (table === undefined || !fits(line, columns)) {
      table = undefined
      for (const text of sentencesOf(line)) sentences.push({ text, line: at + 1 })
      return
    }
    const row = table.addRow({ ref: at })
    for (const { name, from, to } of columns) {
      const cell = line.slice(from, to).trim()
      if (cell !== '') table.set(row, name, cell)
    }
  })
  const found = [...tables.values()].filter(({ rows, columns: own }) => rows >= FEWEST_ROWS && own.size >= FEWEST_COLUMNS)
  const rows = found.reduce((sum, each) => sum + each.rows, 0)
  if (rows < LIKE_SHARE * told * OF_PAGES) return undefined
  return {
    shape: 'table',
    tables: found,
    sentences,
    document: { tables: found.map(({ name }) => name) },
  }
}

/** Headers and rules of pages are no rows. */
const OF_PAGES = 0.8

/** From the beginning of the dashes of a column to those of the next one. */
function columnsOf(ruler: string, header: string): readonly Column[] {
  const starts = [...ruler.matchAll(/[-=]+/g)].map(({ index }) => index)
  return starts.map((from, at) => {
    const to = starts[at + 1] ?? Infinity
    return { from, to, name: header.slice(from, to).trim() || `column ${at + 1}` }
  })
}

/** Nothing goes over the border of a column. */
function fits(line: string, columns: readonly Column[]): boolean {
  return columns.length > 0 && line.trim() !== '' && columns.every(({ from }) => from === 0 || (line[from - 1] ?? ' ') === ' ')
}
