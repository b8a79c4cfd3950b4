import { linePairs, type Pair, separatedPairs } from './line-pairs.ts'
import { SECTION } from './record-blocks.ts'
import { Table } from './table.ts'
import type { FoundView, Sentence } from './view.ts'

const FEWEST_ROWS = 8
const FEWEST_PAIRS = 2
const LOOKED_AT = 200
const LONGEST_LINE = 2000
/** So many of the lines have several pairs, with keys that most of them share. */
const LIKE_SHARE = 0.7
const SHARED = 0.5
/** The branches of a drawn tree, or the mark of an item. */
const DRAWN = /^[\s│├└─┬╰╭|+`•*-]*/
const BRACKETED = /^(.{1,120}?)\s*[[({](.{3,2000})[\])}]$/
const LED = /^(.{1,80}?)(?::|\s[-–—>]{1,2})\s+(.{3,2000})$/

interface PairedLine {
  readonly name: string
  readonly pairs: readonly Pair[]
}

/** Lines of several pairs each, behind a name or without one, below lines that say what they belong to: trees, lists, answers of machines. */
export function pairedLines(lines: readonly string[]): FoundView | undefined {
  const sample = lines.filter((line) => line.trim() !== '').slice(0, LOOKED_AT)
  if (!isLike(sample.map(pairedLine))) return undefined
  const read = lines.map((line) => (line.trim() === '' ? undefined : pairedLine(line)))
  if (!isLike(read.filter((_each, at) => lines[at]?.trim() !== ''))) return undefined
  const table = new Table('records')
  const sentences: Sentence[] = []
  const marks: Sentence[] = []
  /** What the lines below belong to, by its indentation. */
  let above: { readonly indent: number; readonly pair: Pair }[] = []
  lines.forEach((line, at) => {
    if (line.trim() === '') return
    const own = read[at]
    const indent = DRAWN.exec(line)?.[0].length ?? 0
    above = above.filter((each) => each.indent < indent || (own !== undefined && each.indent === indent))
    if (own === undefined) {
      const text = line.slice(indent).trim()
      const [pair = [SECTION, text] as const] = linePairs(text)
      const hasRows = read.slice(at + 1, at + 3).some((each) => each !== undefined)
      if (hasRows && text.length <= 80) above = [...above.filter((each) => each.indent < indent), { indent, pair }]
      else sentences.push({ text, line: at + 1 })
      if (hasRows) marks.push({ text: text.slice(0, 80), line: at + 1 })
      return
    }
    const row = table.addRow({ ref: at })
    if (own.name !== '') table.set(row, 'name', own.name)
    for (const { pair } of above) table.set(row, pair[0], pair[1])
    for (const [key, value] of own.pairs) table.set(row, key, value)
  })
  return {
    shape: 'mixed',
    tables: [table],
    sentences,
    ...(marks.length > 0 ? { headings: marks } : {}),
    document: { records: recordsOf(table) },
  }
}

function isLike(read: readonly (PairedLine | undefined)[]): boolean {
  const rows = read.filter((each) => each !== undefined)
  if (rows.length < FEWEST_ROWS || rows.length < LIKE_SHARE * read.length) return false
  const counts = new Map<string, number>()
  for (const { pairs } of rows) for (const [key] of pairs) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts.values()].filter((count) => count >= SHARED * rows.length).length >= FEWEST_PAIRS
}

function pairedLine(whole: string): PairedLine | undefined {
  const line = whole.slice(0, LONGEST_LINE).replace(DRAWN, '').trim()
  const plain = separatedPairs(line)
  if (plain.length >= FEWEST_PAIRS) return { name: '', pairs: plain }
  for (const pattern of [BRACKETED, LED]) {
    const [, name = '', inside = ''] = pattern.exec(line) ?? []
    const pairs = inside === '' ? [] : separatedPairs(inside)
    if (pairs.length >= FEWEST_PAIRS) return { name: name.replace(/^\*\*(.*)\*\*$/, '$1'), pairs }
  }
  return undefined
}

function recordsOf(table: Table): readonly Readonly<Record<string, unknown>>[] {
  return table.refs.map((ref, row) => {
    const record: Record<string, unknown> = Object.create(null) as Record<string, unknown>
    record['line'] = ref + 1
    for (const [column, cells] of table.columns) if (cells[row] !== undefined) record[column] = cells[row]
    return record
  })
}
