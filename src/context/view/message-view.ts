import { sentencesOf } from './sentences.ts'
import { cellText, Table } from './table.ts'
import type { FoundView, Sentence } from './view.ts'

const HEADER = /^(From|To|Cc|Bcc|Date|Sent|Subject|Reply-To|Message-ID|In-Reply-To):\s*(.*)$/i
const ANY_HEADER = /^([A-Z][A-Za-z\d-]{1,40}):\s+(.*)$/
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
  let row = -1
  let body: string[] = []
  let bodyAt = 0
  let isHeader = false
  let column = ''
  const place = (): string => [table.cell(row, 'from'), table.cell(row, 'date')].filter((each) => each !== undefined).join(', ')
  const end = (): void => {
    if (row < 0) return
    body.forEach((line, index) => {
      if (line.trim() !== '' && !line.startsWith('>'))
        for (const text of sentencesOf(line)) sentences.push({ text, line: bodyAt + index + 1, place: place() })
    })
    body = []
  }
  lines.forEach((line, at) => {
    const header = HEADER.exec(line.slice(0, 500)) ?? (isHeader ? ANY_HEADER.exec(line.slice(0, 500)) : null)
    if (header !== null && (isHeader || /^from$/i.test(header[1] ?? '') || row < 0)) {
      if (!isHeader) {
        end()
        row = table.addRow({ ref: at })
        isHeader = true
      }
      column = (header[1] ?? '').toLowerCase().replace('sent', 'date')
      table.set(row, column, header[2])
      return
    }
    if (isHeader && /^[ \t]+\S/.test(line)) {
      table.set(row, column, `${cellText(table.cell(row, column))} ${line.trim()}`.slice(0, LONGEST_HEADER))
      return
    }
    if (isHeader) bodyAt = at
    isHeader = false
    body.push(line)
  })
  end()
  return { shape: 'mail', tables: [table], sentences, document: { messages: documentsOf(table) } }
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
