import { Table } from './table.ts'
import type { FoundView, Sentence } from './view.ts'

const LONGEST_LINE = 4000
const FEWEST_RECORDS = 4
const MOST_TAGS = 80
/** So many of the lines begin with a tag. */
const LIKE_SHARE = 0.4
/** A tag that so many of the records have at most once is a field of them. */
const ONCE = 0.95
const LATEST_START = 12
const LOOKED_AT = 5
const MOST_FIELDS = 24
const LONGEST_TEXT = 400
const SHORTEST_SENTENCE = 16
/** `[White "Ana"]`; `PID|1||77`, `SF:a.c`, `NAD+BY+12'`; `TY  - JOUR`. */
const TAGS = [/^\[([A-Za-z]\w{0,40}) ()"(.*)"\]$/, /^([A-Z][A-Z\d_]{1,15})([:|+*=])(.*?)[~']?$/, /^([A-Z][A-Z\d])( {1,2}- )(.*)$/] as const

interface TaggedLine {
  readonly tag: string
  readonly mark: string
  readonly text: string
}

/** Records of lines that each begin with a tag, as messages of machines and files of exchange have them: a tag that comes once is a field, one that comes again a table. */
export function taggedRecords(lines: readonly string[]): FoundView | undefined {
  const first = lines.slice(0, LOOKED_AT)
  const pattern = TAGS.find((each) => first.some((line) => each.test(line.slice(0, LONGEST_LINE))) && isLike(lines, each))
  if (pattern === undefined) return undefined
  const read = lines.map((line) => taggedLine(line, pattern))
  const start = startOf(read)
  if (start === undefined) return undefined
  const records = recordsFrom(read, start)
  const isField = fieldsOf(read, records)
  const table = new Table('records')
  const inner = new Map<string, Table>()
  const sentences: Sentence[] = []
  const marks: Sentence[] = []
  records.forEach(({ from, to }) => {
    const row = table.addRow({ ref: from })
    const said: string[] = []
    for (let at = from; at < to; at++) {
      const own = read[at]
      const line = lines[at] ?? ''
      if (own === undefined) {
        if (line.trim() === '') continue
        said.push(line.trim())
        if (line.trim().length >= SHORTEST_SENTENCE) sentences.push({ text: line.trim(), line: at + 1, weight: OF_A_LINE })
      } else if (isField(own.tag)) setAll(table, row, own)
      else {
        const below = inner.get(own.tag) ?? new Table(`records.${own.tag}`, table)
        inner.set(own.tag, below)
        setAll(below, below.addRow({ ref: at, parentRow: row }), own)
      }
    }
    if (said.length > 0) table.set(row, 'text', said.join(' ').slice(0, LONGEST_TEXT))
    marks.push({ text: (lines[from] ?? '').trim().slice(0, 80), line: from + 1 })
  })
  return {
    shape: 'mixed',
    tables: [table, ...inner.values()],
    sentences,
    marks,
    document: {
      records: table.refs.map((_ref, row) =>
        Object.fromEntries([...table.columns].flatMap(([name, cells]) => (cells[row] === undefined ? [] : [[name, cells[row]]]))),
      ),
    },
  }
}

const OF_A_LINE = 0.5

function isLike(lines: readonly string[], pattern: RegExp): boolean {
  let told = 0
  let tagged = 0
  const tags = new Set<string>()
  for (const line of lines) {
    if (line.trim() === '') continue
    told++
    const own = taggedLine(line, pattern)
    if (own === undefined) continue
    tagged++
    tags.add(own.tag)
    if (tags.size > MOST_TAGS) return false
  }
  return tagged >= LIKE_SHARE * told && tags.size >= 3 && tagged >= FEWEST_RECORDS * tags.size
}

function taggedLine(line: string, pattern: RegExp): TaggedLine | undefined {
  const [, tag, mark = '', text = ''] = pattern.exec(line.slice(0, LONGEST_LINE).trimEnd()) ?? []
  return tag === undefined ? undefined : { tag, mark, text }
}

/** The first tag that comes again and again; what stands before it is the head of the whole. */
function startOf(read: readonly (TaggedLine | undefined)[]): string | undefined {
  const counts = new Map<string, number>()
  for (const own of read) if (own !== undefined) counts.set(own.tag, (counts.get(own.tag) ?? 0) + 1)
  const first = read.slice(0, LATEST_START).find((own) => own !== undefined && (counts.get(own.tag) ?? 0) >= FEWEST_RECORDS)
  return first?.tag
}

function recordsFrom(read: readonly (TaggedLine | undefined)[], start: string): readonly { readonly from: number; readonly to: number }[] {
  const starts = read.flatMap((own, at) => (own?.tag === start ? [at] : []))
  return starts.map((from, index) => ({ from, to: starts[index + 1] ?? read.length }))
}

function fieldsOf(
  read: readonly (TaggedLine | undefined)[],
  records: readonly { readonly from: number; readonly to: number }[],
): (tag: string) => boolean {
  const again = new Map<string, number>()
  for (const { from, to } of records) {
    const seen = new Set<string>()
    const twice = new Set<string>()
    for (const own of read.slice(from, to)) {
      if (own === undefined) continue
      if (seen.has(own.tag)) twice.add(own.tag)
      seen.add(own.tag)
    }
    for (const tag of twice) again.set(tag, (again.get(tag) ?? 0) + 1)
  }
  return (tag) => (again.get(tag) ?? 0) <= (1 - ONCE) * records.length
}

/** The parts of a line by its own mark, or by commas behind a colon; a line of one part is the value of its tag. */
function setAll(table: Table, row: number, { tag, mark, text }: TaggedLine): void {
  const parts =
    mark === '|' || mark === '+' || mark === '*'
      ? text.split(mark)
      : mark === ':' && /^[^\s,]{1,80}(?:,[^\s,]{0,80})+$/.test(text)
        ? text.split(',')
        : [text]
  if (parts.length === 1) return void (text !== '' && table.set(row, tag, text))
  parts.slice(0, MOST_FIELDS).forEach((part, index) => {
    if (part !== '') table.set(row, `${tag}.${index + 1}`, part)
  })
}
