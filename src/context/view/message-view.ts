import { sentencesOf } from './sentences.ts'
import { cellText, Table } from './table.ts'
import type { FoundView, Sentence } from './view.ts'

const HEADER = /^(From|To|Cc|Bcc|Date|Sent|Subject|Reply-To|Message-ID|In-Reply-To):\s*(.*)$/i
const ANY_HEADER = /^([A-Z][A-Za-z\d-]{1,40}):(?:\s+(.*))?$/
const CHAT =
  /^(?:\[?((?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?[T ])?\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp][Mm])?)\]?\s*[-–]?\s*)?<?@?([\p{L}][\p{L}\d._ -]{0,30}(?: \([\p{L} .'-]{1,40}\))?)>?:\s+(\S.*)$/u
const LOOKED_AT = 300
const LONGEST_MESSAGE = 4000
const LONGEST_HEADER = 1000

/** A thread of mails, or a conversation; undefined for anything else. */
export function messageView(lines: readonly string[]): FoundView | undefined {
  const head = lines.slice(0, LOOKED_AT)
  const headers = head.filter((line) => HEADER.test(line)).length
  if (headers >= 3 && head.some((line) => /^From:/i.test(line)) && head.some((line) => /^(Subject|Date|Sent):/i.test(line)))
    return mailView(lines)
  const spoken = head.filter((line) => line.trim() !== '')
  const matching = spoken.filter((line) => CHAT.test(line))
  const speakers = new Set(matching.map((line) => CHAT.exec(line)?.[2]))
  const isTimed = matching.filter((line) => CHAT.exec(line)?.[1] !== undefined).length > matching.length / 2
  if (
    matching.length >= 5 &&
    // Levels of a log are no people.
    [...speakers].some((speaker) => /\p{Ll}|^\p{Lu}+ \p{Lu}+$/u.test(speaker ?? '')) &&
    matching.length >= 0.7 * spoken.length &&
    speakers.size <= Math.max(4, matching.length / 4) &&
    (isTimed || speakers.size >= 2)
  )
    return chatView(lines)
  return undefined
}

function mailView(lines: readonly string[]): FoundView {
  const table = new Table('messages')
  const sentences: Sentence[] = []
  const heads = headsOf(lines)
  heads.forEach(({ from, to }, at) => {
    const row = table.addRow({ ref: from })
    let column = ''
    for (const line of lines.slice(from, to)) {
      const header = ANY_HEADER.exec(line.slice(0, LONGEST_HEADER))
      if (header !== null) column = (header[1] ?? '').toLowerCase().replace(/^sent$/, 'date')
      const value = header === null ? `${cellText(table.cell(row, column))} ${line.trim()}`.trim().slice(0, LONGEST_HEADER) : header[2]
      if (column !== '' && !TRACE.has(column) && (header === null || table.cell(row, column) === undefined)) table.set(row, column, value)
    }
    const place = [nameOf(cellText(table.cell(row, 'from'))), table.cell(row, 'date')]
      .filter((each) => each !== '' && each !== undefined)
      .join(', ')
    const body = lines.slice(to, heads[at + 1]?.from ?? lines.length)
    const said = body.filter((line) => line.trim() !== '' && !line.startsWith('>') && !PART_OF_A_MAIL.test(line))
    const files = body.flatMap((line) => FILE.exec(line.slice(0, LONGEST_HEADER))?.[1] ?? [])
    if (files.length > 0) table.set(row, 'attachments', [...new Set(files)].join(', '))
    table.set(row, 'lines', said.length)
    table.set(
      row,
      'characters',
      said.reduce((sum, { length }) => sum + length, 0),
    )
    body.forEach((line, index) => {
      if (line.trim() !== '' && !line.startsWith('>') && !PART_OF_A_MAIL.test(line))
        for (const text of sentencesOf(line)) sentences.push({ text, line: to + index + 1, place })
    })
  })
  return { shape: 'mail', tables: [table], sentences, document: { messages: documentsOf(table) } }
}

/** Headers of those that handed a mail on: nobody asks for them. */
const TRACE = new Set(['received', 'return-path', 'mime-version', 'delivered-to'])

/** Between the parts of a mail, and what they say of themselves. */
const PART_OF_A_MAIL = /^(?:--\S|Content-[A-Z][A-Za-z-]{1,40}:|MIME-Version:|\s+(?:file)?name=|<blob\d+ )/i
const FILE = /^Content-Disposition:\s*attachment;.*filename\*?="?([^";]{1,120})|^\s+filename="?([^";]{1,120})/i

/** `Ana Lima` of `Ana Lima <ana@x.example>`. */
function nameOf(sender: string): string {
  return /^"?([^"<]+?)"?\s*<[^>]*>$/.exec(sender)?.[1] ?? sender
}

const MAILBOX = /^From \S+@\S+ /
const FEWEST_HEADERS = 2

/** Where the headers of each mail begin and end: lines of headers one below the other, among them who sent it. */
function headsOf(lines: readonly string[]): readonly { readonly from: number; readonly to: number }[] {
  const heads: { from: number; to: number }[] = []
  for (let at = 0; at < lines.length; at++) {
    const first = lines[at] ?? ''
    const isMailbox = MAILBOX.test(first)
    if (!isMailbox && !ANY_HEADER.test(first.slice(0, LONGEST_HEADER))) continue
    let to = at + 1
    const isHeader = (line: string): boolean => ANY_HEADER.test(line.slice(0, LONGEST_HEADER)) || /^[ \t]+\S/.test(line)
    while (to < lines.length && isHeader(lines[to] ?? '')) to++
    const known = lines.slice(at, to).filter((line) => HEADER.test(line.slice(0, LONGEST_HEADER)))
    if (known.some((line) => /^From:/i.test(line)) && known.length >= FEWEST_HEADERS) heads.push({ from: at, to })
    at = to - 1
  }
  return heads
}

function chatView(lines: readonly string[]): FoundView {
  const table = new Table('messages')
  const sentences: Sentence[] = []
  lines.forEach((line, at) => {
    const [, time, from, text] = CHAT.exec(line.slice(0, 4000)) ?? []
    if (from === undefined || text === undefined) {
      if (line.trim() === '') return
      const row = table.rows - 1
      sentences.push({ text: line, line: at + 1, place: String(table.cell(row, 'from') ?? '') })
      if (row < 0) return
      table.set(row, 'text', `${cellText(table.cell(row, 'text'))} ${line.trim()}`.slice(0, LONGEST_MESSAGE))
      table.set(row, 'lines', Number(table.cell(row, 'lines')) + 1)
      return
    }
    const row = table.addRow({ ref: at })
    if (time !== undefined) table.set(row, 'time', time)
    table.set(row, 'from', from)
    table.set(row, 'text', text)
    table.set(row, 'lines', 1)
    for (const said of sentencesOf(text)) sentences.push({ text: said, line: at + 1, place: time === undefined ? from : `${from} ${time}` })
  })
  return { shape: 'chat', tables: [table], sentences, document: { messages: documentsOf(table) } }
}

function documentsOf(table: Table): readonly Readonly<Record<string, unknown>>[] {
  return table.refs.map((ref, row) => ({
    line: ref + 1,
    ...Object.fromEntries([...table.columns].map(([column, cells]) => [column, cells[row]])),
  }))
}
