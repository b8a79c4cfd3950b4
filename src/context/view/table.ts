/** Above these, a table keeps what it has and says how much it left out. */
const MAX_COLUMNS = 120

export interface RowPlace {
  /** The number of the record or line that the row was made of. */
  readonly ref: number
  readonly parentRow?: number | undefined
}

/** Like things by their columns. A cell is undefined where a row has no such field. */
export class Table {
  readonly name: string
  readonly parent: Table | undefined
  /** The tables whose rows belong to rows of this one. */
  readonly children: Table[] = []
  readonly columns = new Map<string, unknown[]>()
  readonly refs: number[] = []
  /** For each row, that of the parent. */
  readonly parentRows: number[] = []
  /** How much of it is asked for beside other tables of the same size: 1, or less for the values in one kind of message. */
  weight = 1
  /** Columns of what records happen to carry, such as tags and headers: less is asked of each. */
  readonly carried = new Set<string>()
  /** The line that a row was made of, where its columns do not say all of it. */
  lineOf: ((ref: number) => string) | undefined
  /** The same where the columns say enough for an outline, but a reader may ask for the words. */
  sourceOf: ((ref: number) => string) | undefined
  /** Columns that did not find a place. */
  leftOut = 0

  constructor(name: string, parent?: Table) {
    this.name = name
    this.parent = parent
    parent?.children.push(this)
  }

  get rows(): number {
    return this.refs.length
  }

  /** The number of the new row. */
  addRow({ ref, parentRow = -1 }: RowPlace): number {
    this.refs.push(ref)
    this.parentRows.push(parentRow)
    return this.refs.length - 1
  }

  set(row: number, column: string, cell: unknown): void {
    let cells = this.columns.get(column)
    if (cells === undefined) {
      if (this.columns.size >= MAX_COLUMNS) {
        this.leftOut++
        return
      }
      cells = []
      this.columns.set(column, cells)
    }
    while (cells.length < row) cells.push(undefined)
    cells[row] = cell
  }

  cell(row: number, column: string): unknown {
    return this.columns.get(column)?.[row]
  }
}

/** A cell that says that there is nothing: a dash, `n/a`. */
export function isBlank(cell: unknown): boolean {
  return cell === undefined || cell === null || (typeof cell === 'string' && BLANK.test(cell))
}

const BLANK = /^(?:|[-–—]{1,3}|n\/?a|none|null|nil|\?)$/i

/** A cell as text, on one line. */
export function cellText(cell: unknown): string {
  if (typeof cell === 'string') return cell
  if (cell === null) return 'null'
  return cell === undefined ? '' : String(cell)
}
