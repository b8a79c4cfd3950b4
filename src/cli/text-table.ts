import { fitted } from '../telemetry/one-line.ts'
import { printable } from '../tool/printable.ts'

export interface TableOptions {
  /** The last column is cut to fit in so many columns. */
  readonly width?: number | undefined
  /** Paints a cell once its width is settled. */
  readonly paint?: ((text: string, cell: { readonly row: number; readonly column: number }) => string) | undefined
}

const GAP = '  '
const LEAST_LAST = 20

/** Rows as aligned columns, each row on one line. */
export function textTable(rows: readonly (readonly string[])[], { width, paint = (text) => text }: TableOptions = {}): string {
  const cells = rows.map((row) => row.map(printable))
  const widths = (cells[0] ?? []).map((_cell, column) => Math.max(...cells.map((row) => [...(row[column] ?? '')].length)))
  const before = widths.slice(0, -1).reduce((sum, each) => sum + each + GAP.length, 0)
  const last = Math.min(widths.at(-1) ?? 0, Math.max((width ?? Infinity) - before, LEAST_LAST))
  return cells
    .map((row, index) =>
      row
        .map((cell, column) => {
          const text = column === row.length - 1 ? fitted(cell, last).trimEnd() : fitted(cell, widths[column] ?? 0)
          return paint(text, { row: index, column })
        })
        .join(GAP)
        .trimEnd(),
    )
    .join('\n')
}
