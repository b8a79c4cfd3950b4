import { didYouMean } from '../../schema/did-you-mean.ts'
import { nearestNames } from '../../schema/nearest-names.ts'
import { wordsOf } from '../facts/task-words.ts'
import { SECTION } from '../view/record-blocks.ts'
import { cellText, Table } from '../view/table.ts'
import { cellsNamed } from './cells-named.ts'

const MOST_MISSING = 5
const MOST_TABLES = 20
const MOST_COLUMNS = 30

/** The table that a question is about, or why there is none. */
export type TableNamed = { readonly table: Table; readonly note?: string } | { readonly missing: readonly string[]; readonly text: string }

export interface Asked {
  /** The name of a table, if one was given. */
  readonly name?: string | undefined
  readonly columns: readonly string[]
  /** How many rows of a table are asked for. Of several tables that have the columns, one that has such rows. */
  readonly rowsIn: (table: Table) => number
}

/** The table with the columns that were asked for, by its name or by words for it. */
export function tableNamed(tables: readonly Table[], { name, columns, rowsIn }: Asked): TableNamed {
  const lower = name?.toLowerCase()
  const wanted = name === undefined ? tables : tablesCalled(tables, name)
  const has = (table: Table): boolean => columns.every((column) => cellsNamed(table, column) !== undefined)
  if (wanted.length === 0 && lower !== undefined) {
    const inSection = tables.map((table) => sectionOf(table, lower)).find((table) => table !== undefined)
    if (inSection !== undefined && has(inSection)) return { table: inSection }
  }
  const found = bestOf(wanted.filter(has), columns, rowsIn)
  if (found !== undefined) return { table: name === undefined ? withAlike(found, alikeIn(wanted, found, columns)) : found }
  // The columns say more of what is meant than the name of the table.
  const elsewhere = name === undefined || columns.length === 0 ? undefined : bestOf(tables.filter(has), columns, rowsIn)
  if (elsewhere !== undefined) return { table: elsewhere, note: `There is no table '${name}' with these columns; this one has them.` }
  const all = [...new Set(tables.flatMap((table) => [...table.columns.keys()]))]
  const missing = columns.filter((column) => !tables.some((table) => cellsNamed(table, column) !== undefined))
  const hint = missing
    .slice(0, MOST_MISSING)
    .map((column) => `There is no column '${column}'. ${didYouMean(nearestNames(column, all), '')}`.trimEnd())
    .join(' ')
  return { missing, text: hint === '' ? 'No table has these columns together.' : hint }
}

/** The tables of an output with their columns, for one who asks for others. */
export function tablesListed(tables: readonly Table[]): string[] {
  return [
    'Tables:',
    ...tables
      .slice(0, MOST_TABLES)
      .map((table) => `${table.name} (${table.rows} rows): ${[...table.columns.keys()].slice(0, MOST_COLUMNS).join(', ')}`),
  ]
}

/** By the name, by a part of it, then by its words: `order lines` for `orders[].lines[]`. */
function tablesCalled(tables: readonly Table[], name: string): readonly Table[] {
  const lower = name.toLowerCase()
  const parts = tables.filter((table) => {
    const own = table.name.toLowerCase()
    return own.replace(/\[\]$/, '') === lower || own.includes(lower)
  })
  if (parts.length > 0) return parts
  const words = wordsOf(name)
  return words.length === 0
    ? []
    : tables.filter((table) => {
        const own = new Set(wordsOf(table.name))
        return words.every((word) => own.has(word))
      })
}

/** Of tables with these columns, the one that the question names: the time of a test is in the table of tests. */
function bestOf(fitting: readonly Table[], columns: readonly string[], rowsIn: (table: Table) => number): Table | undefined {
  const isExact = (table: Table): boolean => columns.every((column) => table.columns.has(column))
  const hits = hitsOf(columns)
  const best = fitting.reduce<Table | undefined>(
    (before, table) => (before === undefined || (hits(table) > hits(before) && !isExact(before)) ? table : before),
    undefined,
  )
  if (best === undefined || fitting.length === 1 || rowsIn(best) > 0) return best
  return fitting.find((table) => rowsIn(table) > 0) ?? best
}

function hitsOf(columns: readonly string[]): (table: Table) => number {
  const words = new Set(columns.flatMap((column) => wordsOf(column)))
  return (table) => new Set(wordsOf(table.name).filter((word) => words.has(word))).size
}

function alikeIn(tables: readonly Table[], table: Table, columns: readonly string[]): readonly Table[] {
  const hits = hitsOf(columns)
  return tables.filter((each) => hits(each) === hits(table))
}

/** A table with the rows of others that have the same columns: pages of one list. */
function withAlike(table: Table, tables: readonly Table[]): Table {
  const names = [...table.columns.keys()].join('\n')
  const alike = tables.filter((each) => [...each.columns.keys()].join('\n') === names)
  if (alike.length < 2) return table
  const all = new Table(`${table.name} and ${alike.length - 1} more with the same columns`)
  for (const each of alike) {
    each.refs.forEach((ref, at) => {
      const row = all.addRow({ ref })
      all.set(row, 'table', each.name)
      for (const [column, cells] of each.columns) if (cells[at] !== undefined) all.set(row, column, cells[at])
    })
  }
  return all
}

/** The rows under one heading, of a table that was made of several. */
function sectionOf(table: Table, lower: string): Table | undefined {
  const sections = table.columns.get(SECTION) ?? []
  const rows = table.refs.flatMap((_ref, row) => (cellText(sections[row]).toLowerCase().includes(lower) ? [row] : []))
  if (rows.length === 0) return undefined
  const own = new Table(cellText(sections[rows[0] ?? 0]))
  for (const row of rows) {
    const at = own.addRow({ ref: table.refs[row] ?? 0 })
    for (const [column, cells] of table.columns) if (cells[row] !== undefined) own.set(at, column, cells[row])
  }
  return own
}
