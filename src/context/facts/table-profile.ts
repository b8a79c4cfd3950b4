import { SECTION } from '../view/record-blocks.ts'
import { cellText, type Table } from '../view/table.ts'
import { brief } from './fact.ts'
import { twinsOf } from './twin-columns.ts'
import { type ColumnProfile, profileColumn } from './profile-column.ts'

const LABELS = [
  'name',
  'id',
  'key',
  'title',
  'label',
  'file',
  'path',
  'url',
  'sku',
  'code',
  'number',
  'ref',
  'email',
  'subject',
  'user',
  'host',
  'service',
  'time',
]
const MOST_FIELDS_OF_A_ROW = 14
const LONGEST_LINE = 300
const LONGEST_REASON = 160

/** A table with the profiles of its columns, and a way to name its rows. */
export class TableProfile {
  readonly table: Table
  readonly columns: readonly ColumnProfile[]
  readonly #label: ColumnProfile | undefined
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
    this.#label = labelOf(own, table.rows)
    this.#title = titleOf(own, table.rows, this.#label)
    this.#constants = new Set(this.columns.flatMap(({ name, counts, filled }) => (counts?.size === 1 && isMany(filled, table.rows) ? [name] : [])))
  }

  /** Columns that say the same as one before them in other words: a code and its name. Each with the column before it. */
  get twins(): ReadonlyMap<string, ColumnProfile> {
    return (this.#twins ??= twinsOf(this.table, this.columns))
  }

  get hasLabel(): boolean {
    return this.#label !== undefined
  }

  /** The name of a row for a reader: its label, below that of its parent. */
  label(row: number): string {
    const title = this.#title === undefined ? '' : brief(cellText(this.table.cell(row, this.#title.name)), 50)
    const name = this.#label === undefined ? '' : brief(cellText(this.table.cell(row, this.#label.name)), 60)
    const own = title === '' ? name : `${name} ${title}`.trim()
    const parentRow = this.table.parentRows[row] ?? -1
    const above = this.#parent === undefined || parentRow < 0 ? '' : this.#parent.label(parentRow)
    const section = brief(cellText(this.table.cell(row, SECTION)), 60)
    if (section !== '' && section !== own) return own === '' ? section : `${section} / ${own}`
    if (own === '' && above === '') return `row ${row + 1}`
    return above === '' ? own : own === '' ? above : `${above} / ${own}`
  }

  /** The row above with the most rows of this table, its name, and how many they are; undefined where all have as many. */
  get fullest(): { readonly name: string; readonly rows: number; readonly fewest: number } | undefined {
    if (this.#parent === undefined) return undefined
    const counts = new Map<number, number>()
    for (const row of this.table.parentRows) counts.set(row, (counts.get(row) ?? 0) + 1)
    const [first, ...others] = [...counts].filter(([row]) => row >= 0).toSorted((a, b) => b[1] - a[1])
    const last = others.at(-1)
    if (first === undefined || last === undefined || first[1] === last[1]) return undefined
    return { name: this.#parent.label(first[0]), rows: first[1], fewest: last[1] }
  }

  /** The text is the name of the row already, or the row has none. */
  isLabel(text: string, row: number): boolean {
    return this.#label === undefined || cellText(this.table.cell(row, this.#label.name)) === text
  }

  /** What a row is called, and by what it stands out. */
  shortRow(row: number, reasons: readonly string[]): string | undefined {
    if (this.table.lineOf !== undefined || reasons.length === 0 || !this.hasLabel) return undefined
    const label = this.label(row)
    const said = reasons.filter((column) => column !== this.#label?.name)
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

  column(name: string): ColumnProfile | undefined {
    return this.columns.find((each) => each.name === name)
  }
}

const FEW_ROWS = 6

function isMany(filled: number, rows: number): boolean {
  return filled === rows && rows > FEW_ROWS
}

const TITLES = /(?:^|[._\s])(?:name|title|summary|subject|label|fn|cn)$/i
/** Made for machines: no reader asks for it. */
const OPAQUE = /(?:cursor|hash|etag|token|digest|checksum|integrity|sha\d*)$/i

function titleOf(columns: readonly ColumnProfile[], rows: number, label: ColumnProfile | undefined): ColumnProfile | undefined {
  if (label === undefined || TITLES.test(label.name) || label.kind === 'time') return undefined
  return columns.find(
    ({ name, kind, filled, counts }) =>
      name !== label.name &&
      TITLES.test(name) &&
      kind !== 'number' &&
      kind !== 'time' &&
      filled >= 0.5 * rows &&
      (counts?.size ?? 0) > 0.3 * filled,
  )
}

function isNumeral(counts: ReadonlyMap<string, number> | undefined): boolean {
  for (const key of counts?.keys() ?? []) return /^\d+$/.test(key)
  return false
}

/** So many names of its own go before the name of what belongs to a record. */
const OF_ANOTHER = 6

/** A column that names rows: its values are different, and its name says so; else the time. */
function labelOf(columns: readonly ColumnProfile[], rows: number): ColumnProfile | undefined {
  const rank = ({ name, kind, counts }: ColumnProfile): number => {
    if (kind === 'time') return LABELS.length + 1
    if (OPAQUE.test(name)) return LABELS.length + 2
    const last =
      name
        .split(/[.\s_-]/)
        .at(-1)
        ?.toLowerCase() ?? ''
    const at = LABELS.indexOf(last)
    // A number that nothing says to be a name is one less than a moment.
    if (at < 0 && isNumeral(counts)) return LABELS.length + 1.5
    // What a record has of another one names it less than what it has itself.
    return at < 0 ? LABELS.length : at + (name.includes('.') ? OF_ANOTHER : 0)
  }
  const usable = columns.filter(({ kind, filled, isUnique, counts }) => {
    const differs = isUnique || (counts !== undefined && counts.size > 0.8 * filled)
    return filled >= 0.9 * rows && differs && kind !== 'text' && kind !== 'number'
  })
  const named = usable.toSorted((a, b) => rank(a) - rank(b))
  return named[0] ?? columns.find(({ kind }) => kind === 'time') ?? columns.find((each) => rank(each) < 4 && each.kind === 'category')
}
