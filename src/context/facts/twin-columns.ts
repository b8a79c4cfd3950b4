import { cellText, type Table } from '../view/table.ts'
import type { ColumnProfile } from './profile-column.ts'

const MOST_VALUES = 60
/** Fewer rows for each value may agree by accident. */
const FEWEST_ROWS_OF_A_VALUE = 3

/** The columns of which each value comes with one value of another column, and that with no other: said once, they are known. Names are said rather than codes. */
export function twinsOf(table: Table, columns: readonly ColumnProfile[]): ReadonlyMap<string, ColumnProfile> {
  const groups = new Map<string, ColumnProfile[][]>()
  for (const column of columns) {
    const { counts, filled, kind } = column
    if (kind !== 'category' || counts === undefined || counts.size < 2 || counts.size > MOST_VALUES) continue
    if (filled < FEWEST_ROWS_OF_A_VALUE * counts.size) continue
    const key = [...counts.values()].join(' ')
    const alike = groups.get(key) ?? []
    groups.set(key, alike)
    const own = alike.find(([first]) => first !== undefined && areTwins(table, first.name, column.name))
    if (own === undefined) alike.push([column])
    else own.push(column)
  }
  const twins = new Map<string, ColumnProfile>()
  for (const own of [...groups.values()].flat()) {
    const [said, ...others] = own.toSorted((a, b) => lengthOf(b) - lengthOf(a))
    if (said !== undefined) for (const { name } of others) twins.set(name, said)
  }
  return twins
}

function lengthOf({ counts }: ColumnProfile): number {
  return [...(counts?.keys() ?? [])].reduce((sum, value) => sum + value.length, 0)
}

function areTwins(table: Table, a: string, b: string): boolean {
  const [forth, back] = [new Map<string, string>(), new Map<string, string>()]
  for (let row = 0; row < table.rows; row++) {
    const [x, y] = [cellText(table.cell(row, a)), cellText(table.cell(row, b))]
    if ((forth.get(x) ?? y) !== y || (back.get(y) ?? x) !== x) return false
    forth.set(x, y)
    back.set(y, x)
  }
  return true
}
