import { cellText, type Table } from './table.ts'
import { timeOf } from './time-of.ts'

const LOOKED_AT = 20

/** The columns whose cells are moments. */
export function columnsOfTimes(table: Table): readonly (readonly [name: string, cells: readonly unknown[]])[] {
  return [...table.columns].filter(([, cells]) => {
    const sample = cells.filter((cell) => cell !== undefined && cell !== '').slice(0, LOOKED_AT)
    return sample.length > 0 && sample.every((cell) => timeOf(cellText(cell)) !== undefined)
  })
}

/** From the beginning of a row to its end, in seconds; undefined where a table has no columns of both. */
export function timeSpans(table: Table): readonly (number | undefined)[] | undefined {
  const times = columnsOfTimes(table)
  const [, ends] = times.find(([column]) => /end|until|finish|stop|to$/i.test(column)) ?? []
  const [, starts] = times.find(([column, cells]) => cells !== ends && /start|begin|from|time|since/i.test(column)) ?? []
  if (starts === undefined || ends === undefined) return undefined
  return starts.map((start, row) => {
    const [from, to] = [timeOf(cellText(start)), timeOf(cellText(ends[row]))]
    return from === undefined || to === undefined ? undefined : (to - from) / 1000
  })
}
