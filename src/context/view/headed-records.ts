import { sentencesOf } from './sentences.ts'
import { Table } from './table.ts'
import type { FoundView, Sentence } from './view.ts'

const LOOKED_AT = 3000
const FEWEST_RECORDS = 8
const LATEST_START = 12
const MOST_LINES = 80
const MOST_WORDS = 6
const PAIR = /^\s*([A-Za-z][\w -]{0,40}?):\s+(\S.{0,300})$/
const SPAN = /^(\d[\d:.,]{3,15})\s+-->\s+(\d[\d:.,]{3,15})/
const SPOKEN = /^<v(?:\.\w{1,20})?\s+([^>]{1,80})>(.*?)(?:<\/v>)?$/
const CHANGED = /^(\d+|-)\t(\d+|-)\t(\S.*)$/
const LONGEST_TEXT = 400

/** Records that begin with a line of one kind, such as commits and captions: their fields, and what they say. */
export function headedRecords(lines: readonly string[]): FoundView | undefined {
  const head = headOf(lines)
  if (head === undefined) return undefined
  const table = new Table('records')
  const changes = new Table('records.lines', table)
  const sentences: Sentence[] = []
  const marks: Sentence[] = []
  let row = -1
  let said: string[] = []
  const end = (): void => {
    if (row >= 0 && said.length > 0) table.set(row, 'text', said.join(' ').slice(0, LONGEST_TEXT))
    said = []
  }
  lines.forEach((whole, at) => {
    const line = whole.slice(0, 2000)
    if (keyOf(line) === head) {
      end()
      row = table.addRow({ ref: at })
      const words = line.trim().split(/\s+/)
      words.forEach((word, index) => {
        if (/\d/.test(word)) table.set(row, nameOf(words, index), word)
      })
      marks.push({ text: line.trim().slice(0, 80), line: at + 1 })
      return
    }
    if (line.trim() === '') return
    if (row < 0) return void sentences.push({ text: line.trim(), line: at + 1 })
    const span = SPAN.exec(line)
    if (span !== null) return void (table.set(row, 'time', span[1]), table.set(row, 'end', span[2]))
    const [, added, removed, file] = CHANGED.exec(line) ?? []
    if (file !== undefined) {
      const own = changes.addRow({ ref: at, parentRow: row })
      changes.set(own, 'added', added)
      changes.set(own, 'removed', removed)
      changes.set(own, 'file', file)
      return
    }
    const pair = said.length === 0 ? PAIR.exec(line) : null
    if (pair !== null) return void table.set(row, (pair[1] ?? '').toLowerCase(), pair[2])
    const [, speaker, spoken] = SPOKEN.exec(line) ?? []
    if (speaker !== undefined) table.set(row, 'from', speaker)
    const text = (spoken ?? line).trim()
    said.push(text)
    const place = [table.cell(row, 'from'), table.cell(row, 'time')].filter((each) => each !== undefined).join(' ') || marks.at(-1)?.text
    for (const sentence of sentencesOf(text)) sentences.push({ text: sentence, line: at + 1, place })
  })
  end()
  return {
    shape: 'mixed',
    tables: [table, ...(changes.rows > 0 ? [changes] : [])],
    sentences,
    marks,
    document: {
      records: table.refs.map((ref, each) => ({
        line: ref + 1,
        ...Object.fromEntries([...table.columns].map(([column, cells]) => [column, cells[each]])),
      })),
    },
  }
}

/** The kind of line that records begin with: it comes early, comes again and again, and each time names another thing. */
function headOf(lines: readonly string[]): string | undefined {
  const kinds = new Map<string, { first: number; last: number; count: number; readonly texts: Set<string> }>()
  lines.slice(0, LOOKED_AT).forEach((line, at) => {
    const key = keyOf(line)
    if (key === undefined) return
    const kind = kinds.get(key) ?? { first: at, last: at, count: 0, texts: new Set<string>() }
    kinds.set(key, kind)
    kind.count++
    kind.last = at
    kind.texts.add(line)
  })
  const fitting = [...kinds].filter(([, { first, last, count, texts }]) => {
    const gap = (last - first) / Math.max(1, count - 1)
    return count >= FEWEST_RECORDS && first <= LATEST_START && gap >= 2 && gap <= MOST_LINES && texts.size >= 0.8 * count
  })
  return fitting.toSorted((a, b) => a[1].first - b[1].first)[0]?.[0]
}

/** The words of a line with its values masked; undefined for lines that cannot begin a record. */
function keyOf(line: string): string | undefined {
  if (!/^\S/.test(line) || line.length > 120) return undefined
  const words = line.trim().split(/\s+/)
  if (words.length > MOST_WORDS || !words.some((word) => /\d/.test(word)) || CHANGED.test(line)) return undefined
  return words.map((word) => (/\d/.test(word) ? '*' : word)).join(' ')
}

function nameOf(words: readonly string[], at: number): string {
  const before = (words[at - 1] ?? '').replace(/[^\p{L}\d-]+/gu, '')
  return before === '' || /\d/.test(before) ? 'number' : before.toLowerCase()
}
