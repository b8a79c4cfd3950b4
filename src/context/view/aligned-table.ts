import { Table } from './table.ts'
import { timeOf } from './time-of.ts'

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
  const end = rows.findIndex((row) => row.trim() === '')
  const sample = spread(end < 2 ? body : rows.slice(0, end).filter((row) => !RULE.test(row)))
  const starts = startsOf(header, sample)
  if (starts.length < 2) return undefined
  const names = starts.map((start, at) => {
    const own = header.slice(start, starts[at + 1]).trim()
    // A header may begin with the time at which it was printed.
    return at === 0 && timeOf(own) !== undefined ? 'time' : own
  })
  const fitting = sample.filter((row) => starts.slice(1).every((start) => (row[start - 1] ?? ' ') === ' '))
  if (fitting.length < 0.9 * sample.length || !names.every((each) => NAME.test(each))) return undefined
  const table = new Table(name)
  rows.forEach((row, at) => {
    if (row.trim() === '' || RULE.test(row)) return
    const number = table.addRow({ ref: first + at + 1 })
    const own = startsIn(row, starts)
    own.forEach((start, index) => {
      const cell = row.slice(start, own[index + 1]).trim()
      if (cell !== '') table.set(number, names[index] ?? '', cell)
    })
  })
  return table
}

/** Rows from the whole of a table: later ones may be wider. */
function spread(rows: readonly string[]): readonly string[] {
  if (rows.length <= LOOKED_AT) return rows
  return Array.from({ length: LOOKED_AT }, (_, at) => rows[Math.floor((at * rows.length) / LOOKED_AT)] ?? '')
}

/** Where the cells of a row begin. A word that goes over a border is of the column before if it begins with it, else of the one after. */
function startsIn(row: string, starts: readonly number[]): readonly number[] {
  const isFilled = (at: number): boolean => at >= 0 && at < row.length && row[at] !== ' '
  return starts.map((start, index) => {
    if (index === 0 || !isFilled(start - 1) || !isFilled(start)) return start
    let from = start - 1
    while (isFilled(from - 1)) from--
    if (from > (starts[index - 1] ?? 0)) return from
    let to = start
    while (isFilled(to)) to++
    return to
  })
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
