import { Table } from './table.ts'
import type { FoundView, Sentence } from './view.ts'

const DELIMITERS = [',', '\t', ';', '|', '│'] as const
/** What draws a frame around cells. */
const BARS: readonly string[] = ['|', '│']
const RULE = /^[\s+|─━┌┬┐├┼┤└┴┘╞╪╡╔╦╗╠╬╣╚╩╝═╟╢╤╧-]+$/
const LOOKED_AT = 60
const LONGEST_LINE = 5000
const MOST_LINES_OF_A_FIELD = 200

interface Format {
  readonly delimiter: string
  readonly columns: number
}

/** A text of rows whose fields are divided by commas, tabs, semicolons or bars, quotes respected. */
export function delimitedView(lines: readonly string[]): FoundView | undefined {
  const format = formatOf(lines)
  if (format === undefined) return undefined
  const { from, to } = bodyOf(lines, format)
  const table = delimitedTable('rows', lines.slice(from, to), format, from)
  if (table === undefined) return undefined
  const around = [...lines.slice(0, from).map((text, at) => ({ text, at })), ...lines.slice(to).map((text, at) => ({ text, at: to + at }))]
  const sentences = around.flatMap(({ text, at }): Sentence[] => {
    const said = text
      .split(format.delimiter)
      .map((each) => each.trim())
      .filter((each) => each !== '')
      .join(' ')
    return said === '' || /^[-+=| ]+$/.test(said) ? [] : [{ text: said, line: at + 1 }]
  })
  return { shape: 'table', tables: [table], sentences, document: { rows: rowsOf(table) } }
}

const MOST_AROUND = 10
/** A row that adds up the others. */
export const TOTAL = /^\W*(?:grand\s+)?(?:total|sum|summe|gesamt|subtotal|totale|somme|suma)\b/i

/** The lines from the header to the last row: titles stand above, totals and notes below. */
function bodyOf(lines: readonly string[], { delimiter, columns }: Format): { readonly from: number; readonly to: number } {
  const filled = (at: number): number =>
    fieldsOf((lines[at] ?? '').slice(0, LONGEST_LINE), delimiter).fields.filter((field) => field.trim() !== '').length
  // What stands above the first line with a bar is a title.
  const firstBar = BARS.includes(delimiter) ? lines.findIndex((line) => line.trim().startsWith(delimiter)) : 0
  let from = Math.max(0, firstBar > MOST_AROUND ? 0 : firstBar)
  const isBelow = (at: number): boolean => filled(at) >= Math.max(2, 0.8 * columns)
  if (!isBelow(from)) {
    const found = lines.slice(0, MOST_AROUND).findIndex((_line, at) => isBelow(at))
    // A header may have names for all columns where the rows have gaps.
    if (found > 0) from = found
  }
  let to = lines.length
  for (let steps = 0; steps < MOST_AROUND && to > from + 3; steps++) {
    const line = lines[to - 1] ?? ''
    const isRow = filled(to - 1) >= Math.max(2, columns / 2) && !TOTAL.test(line)
    if (isRow) break
    to--
  }
  return to > from + 3 ? { from, to } : { from, to: lines.length }
}

/** The table in these lines; `first` is the number of the first line in the output. */
export function delimitedTable(name: string, lines: readonly string[], { delimiter, columns }: Format, first = 0): Table | undefined {
  const records = recordsOf(lines, delimiter, first)
  const isFramed = BARS.includes(delimiter)
  const [header, ...rows] = records.filter(({ fields }) => !isFramed || !fields.every((field) => /^\s*:?-*:?\s*$/.test(field)))
  if (header === undefined || rows.length === 0) return undefined
  const isNamed = hasHeader(header.fields, rows)
  const names = isNamed ? uniqueNames(header.fields) : Array.from({ length: columns }, (_each, index) => `column ${index + 1}`)
  const table = new Table(name)
  const named = header.fields.join('\n')
  for (const { fields, line } of isNamed ? rows : [header, ...rows]) {
    if (fields.length < 2 && fields[0]?.trim() === '') continue
    // Each page names the columns again.
    if (isNamed && fields.join('\n') === named) continue
    const row = table.addRow({ ref: line })
    fields.forEach((field, index) => {
      const cell = field.trim()
      const column = names[index] ?? `column ${index + 1}`
      if (cell !== '' && column !== '') table.set(row, column, cell)
    })
  }
  return table
}

/** The format of most of the first lines, if there is one. */
export function formatOf(lines: readonly string[]): Format | undefined {
  const sample = lines.filter((line) => line.trim() !== '' && !RULE.test(line)).slice(0, LOOKED_AT)
  if (sample.length < 3) return undefined
  const found = DELIMITERS.flatMap((delimiter): Format[] => {
    const counts = sample.map((line) => fieldsOf(plainNumbers(line.slice(0, LONGEST_LINE), delimiter), delimiter).fields.length)
    // A comma is in many lines of other kinds: there the first one must have as many.
    const columns = delimiter === ',' ? (counts[0] ?? 0) : usualOf(counts)
    if (columns < 2 || (columns === 2 && delimiter === ',' && sample.length < 6 && !endsInNumbers(sample))) return []
    if (delimiter === ',' && isSpoken(sample)) return []
    const same = counts.filter((count) => count === columns).length
    return same >= 0.85 * counts.length ? [{ delimiter, columns }] : []
  })
  const [first] = found
  // A comma in numbers may come once in each line too: more fields are the better reading of it.
  return first?.delimiter === ',' && sample.filter((line) => /\d,\d/.test(line)).length > sample.length / 2
    ? found.reduce((best, each) => (each.columns > best.columns ? each : best), first)
    : first
}

/** In a line with wide gaps the commas between digits are those of thousands. */
function plainNumbers(line: string, delimiter: string): string {
  return delimiter === ',' && /\S {3,}\S/.test(line) ? line.replace(/(?<=\d),(?=\d{3}(?!\d))/g, '') : line
}

/** Prose has commas too: its lines end in full stops. */
export function isSpoken(lines: readonly string[]): boolean {
  return lines.filter((line) => /[.!?]["')]?\s*$/.test(line)).length > lines.length / 2
}

/** The number that comes most often. */
function usualOf(counts: readonly number[]): number {
  const times = new Map<number, number>()
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1)
  return [...times].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0])[0]
}

/** Two fields and few lines may be prose with a comma in each; a number at the end of every line but the first is none. */
function endsInNumbers(lines: readonly string[]): boolean {
  return lines.slice(1).every((line) => NUMERIC.test(line.split(',').at(-1)?.trim() ?? ''))
}

/** The rows as records, for paths. */
function rowsOf(table: Table): readonly Readonly<Record<string, unknown>>[] {
  return table.refs.map((_ref, row) => {
    const record: Record<string, unknown> = {}
    for (const [column, cells] of table.columns)
      if (cells[row] !== undefined) Object.defineProperty(record, column, { value: cells[row], enumerable: true })
    return record
  })
}

interface DelimitedRecord {
  readonly fields: readonly string[]
  readonly line: number
}

function recordsOf(lines: readonly string[], delimiter: string, first: number): DelimitedRecord[] {
  const records: DelimitedRecord[] = []
  for (let at = 0; at < lines.length; at++) {
    const from = at
    let text = lines[at] ?? ''
    if (text.trim() === '' || (BARS.includes(delimiter) && RULE.test(text))) continue
    let read = fieldsOf(text, delimiter)
    while (read.isOpen && at + 1 < lines.length && at - from < MOST_LINES_OF_A_FIELD) {
      text += `\n${lines[++at]}`
      read = fieldsOf(text, delimiter)
    }
    // A quote that is never closed is a character.
    if (read.isOpen) {
      at = from
      read = { fields: (lines[at] ?? '').split(delimiter), isOpen: false }
    }
    records.push({ fields: framed(read.fields, delimiter), line: first + from })
  }
  return records
}

/** In a frame of bars the first and the last field are empty. */
function framed(fields: readonly string[], delimiter: string): readonly string[] {
  return BARS.includes(delimiter) && fields[0]?.trim() === '' && fields.at(-1)?.trim() === '' ? fields.slice(1, -1) : fields
}

function fieldsOf(text: string, delimiter: string): { readonly fields: readonly string[]; readonly isOpen: boolean } {
  if (!text.includes('"')) return { fields: text.split(delimiter), isOpen: false }
  const fields: string[] = []
  let field = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (isQuoted) {
      if (character !== '"') field += character
      else if (text[at + 1] === '"') {
        field += '"'
        at++
      } else isQuoted = false
    } else if (character === '"' && field.trim() === '') {
      field = ''
      isQuoted = true
    } else if (character === delimiter) {
      fields.push(field)
      field = ''
    } else field += character
  }
  fields.push(field)
  return { fields, isOpen: isQuoted }
}

const NUMERIC = /^[-+$€£]?\d[\d.,]*%?$/

/** A first row without numbers over rows with some is a header; so is one whose words do not come again. */
function hasHeader(first: readonly string[], rows: readonly DelimitedRecord[]): boolean {
  if (first.some((field) => NUMERIC.test(field.trim()))) return false
  const sample = rows.slice(0, 20)
  if (sample.some(({ fields }) => fields.some((field) => NUMERIC.test(field.trim())))) return true
  return !sample.some(({ fields }) => fields.some((field, column) => field !== '' && field === first[column]))
}

function uniqueNames(fields: readonly string[]): string[] {
  const taken = new Map<string, number>()
  return fields.map((field, index) => {
    const name = field.trim().replace(/^\uFEFF/, '') || `column ${index + 1}`
    const count = (taken.get(name) ?? 0) + 1
    taken.set(name, count)
    return count === 1 ? name : `${name} ${count}`
  })
}
