import { SECTION } from '../view/record-blocks.ts'
import { withoutTime } from '../view/log-records.ts'
import { cellText, type Table } from '../view/table.ts'
import { brief } from './fact.ts'
import { twinsOf } from './twin-columns.ts'
import { type ColumnProfile, profileColumn } from './profile-column.ts'
import { labelsOf, OPAQUE, titleOf } from './row-labels.ts'

const MOST_FIELDS_OF_A_ROW = 14
const LONGEST_LINE = 300
const LONGEST_REASON = 160
const LONGEST_LABEL = 70
/** Of a name that is made of several. */
const LONGEST_PART = 40

/** A row of the table above, and how many rows it has. */
interface RowsBelow {
  readonly name?: string
  readonly rows: number
}

/** A table with the profiles of its columns, and a way to name its rows. */
export class TableProfile {
  readonly table: Table
  readonly columns: readonly ColumnProfile[]
  /** What names a row: one column, or several together. */
  readonly #labels: readonly ColumnProfile[]
  /** What a row is called, beside an identifier that says nothing to a reader. */
  readonly #title: ColumnProfile | undefined
  readonly #parent: TableProfile | undefined
  /** Columns that say the same of all rows: once is enough. */
  readonly #constants: ReadonlySet<string>
  #twins: ReadonlyMap<string, ColumnProfile> | undefined

  constructor(table: Table, parent?: TableProfile) {
    this.table = table
    this.#parent = parent
    this.columns = Array.from(table.columns, ([name, cells]) => profileColumn(name, cells))
    const own = this.columns.filter(({ name }) => !table.carried.has(name))
    this.#labels = labelsOf(table, own)
    this.#title = this.#labels.length > 1 ? undefined : titleOf(own, table.rows, this.#labels[0])
    this.#constants = new Set(
      this.columns.flatMap(({ name, counts, filled }) => (counts?.size === 1 && isMany(filled, table.rows) ? [name] : [])),
    )
  }

  /** Columns that say the same as one before them in other words: a code and its name. Each with the column before it. */
  get twins(): ReadonlyMap<string, ColumnProfile> {
    return (this.#twins ??= twinsOf(this.table, this.columns))
  }

  get hasLabel(): boolean {
    return this.#labels.length > 0
  }

  /** The name of a row for a reader: its label, below that of its parent. */
  label(row: number): string {
    const title = this.#title === undefined ? '' : brief(cellText(this.table.cell(row, this.#title.name)), 50)
    const name = this.#labels
      .map((column) => brief(cellText(this.table.cell(row, column.name)), this.#labels.length > 1 ? LONGEST_PART : LONGEST_LABEL))
      .join(' ')
      .trim()
    const own = title === '' ? name : `${name} ${title}`.trim()
    const parentRow = this.table.parentRows[row] ?? -1
    const above = this.#parent === undefined || parentRow < 0 ? '' : this.#parent.label(parentRow)
    const section = brief(cellText(this.table.cell(row, SECTION)), 60)
    if (section !== '' && section !== own) return own === '' ? section : `${section} / ${own}`
    if (own === '' && above === '') return `row ${row + 1}`
    return above === '' ? own : own === '' ? above : `${above} / ${own}`
  }

  /** The rows above with the most and the fewest rows of this table, and how many they are; undefined where all have as many. Of several with as few, none is named. */
  get fullest(): { readonly most: RowsBelow; readonly fewest: RowsBelow } | undefined {
    if (this.#parent === undefined) return undefined
    const counts = new Map<number, number>()
    for (const row of this.table.parentRows) counts.set(row, (counts.get(row) ?? 0) + 1)
    const [first, ...others] = [...counts].filter(([row]) => row >= 0).toSorted((a, b) => b[1] - a[1])
    const last = others.at(-1)
    if (first === undefined || last === undefined || first[1] === last[1]) return undefined
    const named = ([row, rows]: readonly [number, number]): RowsBelow => ({ name: this.#parent?.label(row) ?? '', rows })
    const isAlone = others.at(-2)?.[1] !== last[1]
    return { most: named(first), fewest: isAlone ? named(last) : { rows: last[1] } }
  }

  /** The text is the name of the row already, or the row has none. */
  isLabel(text: string, row: number): boolean {
    return this.#labels.length === 0 || this.#labels.some((column) => cellText(this.table.cell(row, column.name)) === text)
  }

  /** Whether columns do no more than name rows. */
  isNamedBy(columns: readonly string[]): boolean {
    return columns.every((column) => this.#labels.some(({ name }) => name === column))
  }

  /** What a row is called, and by what it stands out. */
  shortRow(row: number, reasons: readonly string[]): string | undefined {
    if (this.table.lineOf !== undefined) return brief(withoutTime(this.table.lineOf(this.table.refs[row] ?? 0)), LONGEST_LINE)
    if (reasons.length === 0 || !this.hasLabel) return undefined
    const label = this.label(row)
    const said = [...new Set(reasons)].filter((column) => !this.#labels.some(({ name }) => name === column))
    // A name alone says nothing.
    if (said.length === 0) return undefined
    return `${label}: ${said.map((column) => `${column}=${brief(cellText(this.table.cell(row, column)), LONGEST_REASON)}`).join(', ')}`
  }

  /** A row as `field=value` pairs, without what is empty, and without what only machines read, unless the row stands out by it. */
  rowText(row: number, reasons: readonly string[] = []): string {
    if (this.table.lineOf !== undefined) return brief(this.table.lineOf(this.table.refs[row] ?? 0), LONGEST_LINE)
    const names = [...this.table.columns.keys()]
    const shown = names.filter((column) => reasons.includes(column) || (!OPAQUE.test(column) && !this.#constants.has(column)))
    const kept = new Set(
      [...reasons, ...shown.filter((column) => cellText(this.table.cell(row, column)) !== '')].slice(0, MOST_FIELDS_OF_A_ROW),
    )
    const fields = names.flatMap((column) => {
      const text = kept.has(column) ? cellText(this.table.cell(row, column)) : ''
      return text === '' ? [] : [`${column}=${brief(text, reasons.includes(column) ? LONGEST_REASON : 80)}`]
    })
    const parentRow = this.table.parentRows[row] ?? -1
    const above = this.#parent === undefined || parentRow < 0 ? '' : `${this.#parent.label(parentRow)}: `
    return above + fields.join(', ')
  }

  /** The table of the rows that these belong to. */
  get parent(): TableProfile | undefined {
    return this.#parent
  }

  /** The columns that name a row together, without a moment. */
  get nameColumns(): readonly ColumnProfile[] {
    return this.#labels.filter(({ kind }) => kind !== 'time')
  }

  column(name: string): ColumnProfile | undefined {
    return this.columns.find((each) => each.name === name)
  }
}

const FEW_ROWS = 6

function isMany(filled: number, rows: number): boolean {
  return filled === rows && rows > FEW_ROWS
}
