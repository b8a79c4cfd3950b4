import { Table } from './table.ts'

const LOOKED_AT = 60
const LONGEST_LINE = 400
/** A prompt or a title may stand above the header. */
const MOST_ABOVE = 3
/** A header has words; code and prompts have signs. */
const NAME = /^[\p{L}%#][\p{L}\d %./()#:_-]{0,39}$/u
const RULE = /^[-=+|\s]+$/

/** Columns as programs print them: every line leaves the same places blank, and a header names what stands between them. */
export function alignedTable(name: string, lines: readonly string[], first: number): Table | undefined {
  let best: Table | undefined
  for (let above = 0; above < MOST_ABOVE && lines.length - above > 2; above++) {
    const table = tableBelow(name, lines.slice(above), first + above)
    if (table !== undefined && table.columns.size > (best?.columns.size ?? 0)) best = table
  }
  return best
}

function tableBelow(name: string, lines: readonly string[], first: number): Table | undefined {
  const [header = '', ...rows] = lines
  const body = rows.filter((row) => row.trim() !== '' && !RULE.test(row))
  if (body.length < 2 || header.length > LONGEST_LINE || !/\S {2,}\S/.test(header)) return undefined
  const starts = startsOf(header, body.slice(0, LOOKED_AT))
  if (starts.length < 2) return undefined
  const names = starts.map((start, at) => header.slice(start, starts[at + 1]).trim())
  const fitting = body.slice(0, LOOKED_AT).filter((row) => starts.slice(1).every((start) => (row[start - 1] ?? ' ') === ' '))
  if (fitting.length < 0.9 * Math.min(body.length, LOOKED_AT) || !names.every((each) => NAME.test(each))) return undefined
  const table = new Table(name)
  rows.forEach((row, at) => {
    if (row.trim() === '' || RULE.test(row)) return
    const number = table.addRow({ ref: first + at + 1 })
    starts.forEach((start, index) => {
      const cell = row.slice(start, starts[index + 1]).trim()
      if (cell !== '') table.set(number, names[index] ?? '', cell)
    })
  })
  return table
}

/** Where columns begin: after a place that is blank in the header and in nearly all rows, before a word of the header. */
function startsOf(header: string, rows: readonly string[]): number[] {
  const width = Math.max(header.length, ...rows.map((row) => Math.min(row.length, LONGEST_LINE)))
  const used = Array.from({ length: width }, (_, at) => {
    if ((header[at] ?? ' ') !== ' ') return true
    return rows.filter((row) => (row[at] ?? ' ') !== ' ').length > 0.02 * rows.length
  })
  const starts: number[] = []
  let isOpen = false
  used.forEach((isUsed, at) => {
    if (isUsed && !isOpen) starts.push(at)
    isOpen = isUsed
  })
  // A part without a word of the header belongs to the column before it. So does one whose rows are empty.
  return starts.filter((start, index) => header.slice(start, starts[index + 1]).trim() !== '')
}
