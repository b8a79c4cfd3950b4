import { Table } from './table.ts'

const LOOKED_AT = 40

/** Columns that begin at the same place in each line, below a header: as programs print them. */
export function alignedTable(name: string, lines: readonly string[], first: number): Table | undefined {
  const [header = '', ...rows] = lines
  const starts = startsOf(header)
  if (starts.length < 2 || rows.length < 2 || header.length > 1000) return undefined
  const body = rows.filter((row) => row.trim() !== '' && !/^[-=+\s]+$/.test(row))
  const sample = body.slice(0, LOOKED_AT)
  const fitting = sample.filter((row) =>
    starts.slice(1).every((start) => row.length <= start || row[start - 1] === ' ' || row[start - 1] === undefined),
  )
  const divided = sample.filter((row) => / {2,}/.test(row.trim()))
  if (fitting.length < 0.8 * sample.length || divided.length < 0.6 * sample.length) return undefined
  const table = new Table(name)
  const names = starts.map((start, index) => header.slice(start, starts[index + 1]).trim())
  lines.slice(1).forEach((row, at) => {
    if (row.trim() === '' || /^[-=+\s]+$/.test(row)) return
    const number = table.addRow({ ref: first + at + 1 })
    starts.forEach((start, index) => {
      const cell = row.slice(start, starts[index + 1]).trim()
      if (cell !== '') table.set(number, names[index] ?? '', cell)
    })
  })
  return table
}

/** Where the words of a header begin that stand two spaces apart. */
function startsOf(header: string): number[] {
  const starts: number[] = []
  for (const { index } of header.slice(0, 1000).matchAll(/(?:^|\s{2,})(?=\S)/g)) {
    const start = index + (/^\s*/.exec(header.slice(index))?.[0].length ?? 0)
    starts.push(start)
  }
  return starts
}
