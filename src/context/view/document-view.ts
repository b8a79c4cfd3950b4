import { readJson } from '../../json/read-json.ts'
import { alignedTable } from './aligned-table.ts'
import { delimitedTable, formatOf, TOTAL } from './delimited-view.ts'
import { JsonTables } from './json-tables.ts'
import { logShare, logRecords } from './log-records.ts'
import { logView } from './log-view.ts'
import { groupTable, isTabular, lineGroups } from './line-groups.ts'
import { mergedTables, type PairBlock, readBlocks } from './record-blocks.ts'
import { bareValue } from './line-tokens.ts'
import { sentencesOf } from './sentences.ts'
import { Table } from './table.ts'
import type { FoundView, Sentence } from './view.ts'

const HEADING =
  /^(?:#{1,6}\s+(.+?)\s*#*|={2,}\s*(.+?)\s*={2,}|-{2,}\s+(.+?)\s+-{2,}|\*{2}(.+?)\*{2}:?|\[([^\]]{1,80})\]|([A-Z][A-Z0-9_/-]{1,30}(?: [A-Z0-9_/-]{1,30}){0,6}):?)$/
const PAIR = /^\s*[-*]?\s*([A-Za-z][\w .()/-]{0,40}?)\s*(?::|=|\.{3,})\s+(\S.{0,300})$/
/** `**key:** value`. */
const BOLD = /^\s*(?:[-*+]\s+)?\*\*([A-Za-z][^*:]{0,60}?)(?::\*\*|\*\*:)(?=\s)/
const COMMENT = /^\s*(?:[#;]|\/\/)/
/** Several pairs on a line, far from each other. */
const NEXT_PAIR = /\s{3,}(?=[A-Za-z][\w .()/-]{0,40}?\s?[:=]\s)/
const NUMBERED = /^(?:\d{1,3}(?:\.\d{1,3}){0,3}[.)]?|[IVX]{1,5}\.|§\s?\d+|[A-Z][A-Za-z]{3,12} (?:\d{1,3}|[A-Z]|[IVX]{1,5})[:.])\s+\S/
const UNDERLINE = /^\s*(?:-{3,}|={3,}|~{3,})\s*$/
const METRIC = /^([A-Za-z_:][\w:]{0,100})\{((?:[A-Za-z_]\w{0,60}="[^"]{0,200}",?\s?){0,30})\}\s+(\S{1,40})(?:\s+\d{1,16})?$/
const FAMILY = /^# (TYPE|HELP|UNIT) ([A-Za-z_:][\w:]{0,100}) (.{1,300})$/
const LABEL = /([A-Za-z_]\w{0,60})="([^"]{0,200})"/g
const FEWEST_ROWS = 3
const FEWEST_LIKES = 6
const NEARLY_ALL = 0.8
const LOOKED_AT = 60
const ALL = 1

/** Running text with whatever stands in it: headings, tables, JSON, runs of log lines, `key: value` lines. */
export function documentView(lines: readonly string[]): FoundView {
  const reader = new DocumentReader()
  for (const block of blocksOf(lines)) reader.read(block)
  return reader.view()
}

interface Block {
  readonly lines: readonly string[]
  /** The number of its first line, from 0. */
  readonly first: number
  readonly isHeading?: true | undefined
}

/** Blank lines and headings divide blocks, except inside of brackets and fences. */
function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  let own: string[] = []
  let first = 0
  let fence: string | undefined
  const end = (): void => {
    if (own.length > 0) blocks.push({ lines: own, first })
    own = []
  }
  lines.forEach((line, at) => {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1]
    if (mark !== undefined && (fence === undefined || fence === mark)) {
      end()
      fence = fence === undefined ? mark : undefined
      return
    }
    const isJson = /^\s*[[{]/.test(own[0] ?? '') && !/^[\]}]/.test(own.at(-1) ?? '')
    if (fence === undefined && !isJson && (line.trim() === '' || isHeading(lines, at))) {
      end()
      if (line.trim() !== '') blocks.push({ lines: [line], first: at, isHeading: true })
      return
    }
    if (own.length === 0) first = at
    own.push(line)
  })
  end()
  return blocks
}

class DocumentReader {
  readonly #tables: Table[] = []
  readonly #scalars: (readonly [string, unknown])[] = []
  readonly #sentences: Sentence[] = []
  readonly #headings: Sentence[] = []
  readonly #values: unknown[] = []
  readonly #metrics = new Map<string, Table>()
  readonly #metricTable = new Table('metrics')
  /** The row of each name. */
  readonly #families = new Map<string, number>()
  readonly #blocks: PairBlock[] = []
  #heading = ''
  /** The headings above, each below the one before it. */
  #above: { readonly level: number; readonly text: string }[] = []
  #parts = 0

  read(block: Block): void {
    const { lines, first } = block
    if (lines.length === 1 && FAMILY.test((lines[0] ?? '').slice(0, 2000))) return this.#readFamily(lines[0] ?? '', first)
    const heading = lines.length === 1 ? headingOf(lines[0] ?? '', block) : undefined
    if (heading !== undefined) {
      const level = levelOf(lines[0] ?? '')
      this.#above = [...this.#above.filter((each) => each.level < level), { level, text: heading }]
      this.#heading = heading
      this.#headings.push({ text: heading, line: first + 1, place: this.#above.length > 1 ? this.#place : undefined })
      return
    }
    if (
      this.#readJson(block) ||
      this.#readMetrics(block) ||
      this.#readLikes(block, ALL) ||
      this.#readTable(block) ||
      this.#readLog(block) ||
      this.#readPairs(block) ||
      this.#readLikes(block, NEARLY_ALL)
    )
      this.#parts++
    else this.#readText(block)
  }

  view(): FoundView {
    const isMixed = this.#parts > 0
    const { tables, scalars } = readBlocks(this.#blocks)
    this.#scalars.push(...scalars)
    return {
      shape: isMixed ? 'mixed' : this.#headings.length > 0 ? 'markdown' : 'prose',
      tables: [...mergedTables(this.#tables), ...tables, ...(this.#families.size > 1 ? [this.#metricTable] : [])],
      scalars: this.#scalars,
      sentences: this.#sentences,
      headings: this.#headings,
      document: { headings: this.#headings.map(({ text }) => text), values: this.#values, fields: Object.fromEntries(this.#scalars) },
    }
  }

  /** The heading that something stands under, with those above it. The title of the whole says nothing of it. */
  get #place(): string | undefined {
    const path = this.#above.length > 1 && this.#above[0]?.text === this.#headings[0]?.text ? this.#above.slice(1) : this.#above
    return path.length === 0 ? undefined : path.map(({ text }) => text).join(' > ')
  }

  #name(kind: string): string {
    return this.#heading === '' ? `${kind} ${this.#tables.length + 1}` : this.#heading.slice(0, 80)
  }

  #readJson({ lines, first }: Block): boolean {
    if (!/^\s*[[{]/.test(lines[0] ?? '')) return false
    const value = tryJson(lines.join('\n'))
    if (value === undefined) return false
    this.#values.push(value)
    const { tables, scalars, sentences } = new JsonTables(value)
    this.#tables.push(...tables)
    this.#scalars.push(
      ...scalars.map(([path, each]): readonly [string, unknown] => [this.#heading === '' ? path : `${this.#heading} ${path}`, each]),
    )
    this.#sentences.push(...sentences.map((each) => ({ ...each, line: first + 1 })))
    return true
  }

  /** `name{label="value"} 12`: a table for each name. */
  #readMetrics({ lines, first }: Block): boolean {
    const samples = lines.map((line) => METRIC.exec(line.slice(0, 2000)))
    const labelled = samples.filter((sample) => sample?.[2] !== undefined)
    if (labelled.length < 0.8 * lines.length) return false
    samples.forEach((sample, at) => {
      const [, name = '', labels = '', value = ''] = sample ?? []
      if (name === '') return
      const table = this.#metrics.get(name) ?? new Table(name)
      if (!this.#metrics.has(name)) this.#tables.push(table)
      this.#metrics.set(name, table)
      const family = this.#families.get(name.replace(/_(?:bucket|sum|count)$/, '')) ?? this.#families.get(name)
      if (family !== undefined) this.#metricTable.set(family, 'series', Number(this.#metricTable.cell(family, 'series') ?? 0) + 1)
      const row = table.addRow({ ref: first + at })
      for (const [, label = '', cell = ''] of labels.matchAll(LABEL)) table.set(row, label, cell)
      table.set(row, 'value', value)
    })
    return true
  }

  /** `# TYPE name counter`, `# HELP name what it counts`: a row for each name. */
  #readFamily(line: string, at: number): void {
    const [, said, name, text] = FAMILY.exec(line.slice(0, 2000)) ?? []
    if (said === undefined || name === undefined) return
    if (!this.#families.has(name)) {
      const row = this.#metricTable.addRow({ ref: at })
      this.#families.set(name, row)
      this.#metricTable.set(row, 'name', name)
    }
    this.#metricTable.set(this.#families.get(name) ?? 0, said.toLowerCase(), text)
  }

  #readTable(block: Block): boolean {
    const { first } = block
    const last = block.lines.findLastIndex((line) => UNDERLINE.test(line))
    const tail = block.lines.length - last - 1
    // What stands below the last rule of a long table are notes.
    const isNoted = last > 10 && tail > 0 && tail < 10
    const body = isNoted ? block.lines.slice(0, last) : block.lines
    const end = body.length > FEWEST_ROWS + 1 ? body.findLastIndex((line) => line.trim() !== '' && !UNDERLINE.test(line)) : -1
    // A row of sums is none of the rows.
    const totals = end > 0 && TOTAL.test(body[end] ?? '') ? [body[end] ?? ''] : []
    const lines = totals.length > 0 ? body.slice(0, end) : body
    if (lines.length < FEWEST_ROWS) return false
    const format = formatOf(lines)
    const table =
      format === undefined ? alignedTable(this.#name('table'), lines, first) : delimitedTable(this.#name('table'), lines, format, first)
    if (table === undefined || table.rows < 2) return false
    this.#tables.push(table)
    if (totals.length > 0) this.#readText({ lines: totals, first: first + lines.length })
    if (isNoted) this.#readText({ lines: block.lines.slice(last + 1), first: first + last + 1 })
    return true
  }

  #readLog({ lines, first }: Block): boolean {
    if (lines.length < FEWEST_ROWS || logShare(lines) < 0.6 || logRecords(lines).length < FEWEST_ROWS) return false
    const { tables = [], sentences = [] } = logView(lines, first)
    this.#tables.push(...tables)
    this.#sentences.push(...sentences.map((each) => ({ ...each, place: this.#place })))
    return true
  }

  #readPairs({ lines, first }: Block): boolean {
    const told = lines.map((line, at) => ({ line, at })).filter(({ line }) => !COMMENT.test(line) && !UNDERLINE.test(line))
    const read = told.map(({ line, at }) => ({ line, at, pairs: pairsOf(line.slice(0, 600)) }))
    const count = read.filter(({ pairs }) => pairs.length > 0).length
    if (count < Math.max(count > 1 || read.length > 1 ? 2 : 1, 0.7 * read.length)) return false
    for (const { line, at, pairs } of read)
      if (pairs.length === 0) this.#sentences.push({ text: line, line: first + at + 1, place: this.#place })
    this.#blocks.push({ heading: this.#heading, first, pairs: read.flatMap(({ pairs }) => pairs) })
    return true
  }

  /** Lines of one kind in the middle of a text: `ST015  Ghent, 450 users`. If the first is of their kind, and they have words in common, it names no columns. */
  #readLikes({ lines, first }: Block, share: number): boolean {
    if (lines.length < FEWEST_LIKES) return false
    // The first lines tell whether all of them are worth a look.
    const sample = lines.slice(0, LOOKED_AT).map((text, at) => ({ text: text.trim(), at }))
    if (sample.filter(({ text }) => pairsOf(text.slice(0, 600)).length > 0).length > sample.length / 2) return false
    if ((lineGroups(sample)[0]?.lines.length ?? 0) < share * sample.length) return false
    const [largest, ...others] = lineGroups(lines.map((text, at) => ({ text: text.trim(), at: first + at })))
    if (largest === undefined || largest.lines.length < share * lines.length || !isTabular(largest)) return false
    if (share === ALL && !largest.fixed.some((text) => text !== undefined && /\p{L}/u.test(text))) return false
    const table = groupTable(largest, this.#name('list'))
    if (table.columns.size < 2) return false
    this.#tables.push(table)
    for (const { lines: own } of others) for (const { text, at } of own) this.#sentences.push({ text, line: at + 1, place: this.#place })
    return true
  }

  #readText({ lines, first }: Block): void {
    const isList = lines.filter((line) => /^\s*(?:[-*+•]|\d{1,3}[.)])\s/.test(line)).length > lines.length / 2
    const place = this.#place
    if (isList || lines.every((line) => line.length < 60)) {
      lines.forEach((line, at) => {
        for (const text of sentencesOf(line)) this.#sentences.push({ text, line: first + at + 1, place })
      })
      return
    }
    // A sentence may go over several lines: its line is the one in which its first words stand.
    let at = 0
    for (const text of sentencesOf(lines.join('\n'))) {
      const start = text.slice(0, 20)
      const found = lines.findIndex((line, index) => index >= at && line.includes(start))
      if (found >= 0) at = found
      this.#sentences.push({ text, line: first + at + 1, place })
    }
  }
}

/** A line that is written as a heading, or is numbered or underlined and stands alone. */
function isHeading(lines: readonly string[], at: number): boolean {
  const line = lines[at]?.slice(0, 200) ?? ''
  if (UNDERLINE.test(line)) return false
  if (HEADING.test(line)) return true
  // Names with wide gaps between them are those of columns.
  const isShort = line.length < 80 && /^\S/.test(line) && !/[.:;,]$/.test(line) && !/\S {2,}\S.* {2,}\S/.test(line)
  if (!isShort) return false
  const isUnderlined = UNDERLINE.test(lines[at + 1] ?? '') && (lines[at - 1] ?? '').trim() === ''
  const standsAlone = (lines[at - 1] ?? '').trim() === '' && (lines[at + 1] ?? '').trim() === ''
  return isUnderlined || (standsAlone && NUMBERED.test(line))
}

/** `##` is below `#`, and `9.4` below `9.`. */
function levelOf(line: string): number {
  const hashes = /^#{1,6}(?=\s)/.exec(line)?.[0].length
  if (hashes !== undefined) return hashes
  const number = /^(\d{1,3}(?:\.\d{1,3}){0,3})[.)]?\s/.exec(line)?.[1]
  return number === undefined ? 1 : number.split('.').length
}

function pairsOf(line: string): (readonly [string, string])[] {
  return line.split(NEXT_PAIR).flatMap((part) => {
    const [, key, value] = PAIR.exec(part.slice(0, 400).replace(BOLD, '$1:')) ?? []
    return key === undefined || value === undefined ? [] : [[key, bareValue(value)] as const]
  })
}

function headingOf(line: string, { isHeading: isMarked }: Block): string | undefined {
  if (UNDERLINE.test(line)) return undefined
  const found = HEADING.exec(line.slice(0, 200))
  const text = found?.slice(1).find((each) => each !== undefined)
  return text === undefined ? (isMarked === true ? line.trim() : undefined) : text.replace(/^[*=#\s-]+|[*=#\s-]+$/g, '') || text
}

export function tryJson(text: string): unknown {
  try {
    return readJson(text).value
  } catch {
    return undefined
  }
}
