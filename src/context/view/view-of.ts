import { toJsonText } from '../../schema/quote.ts'
import { alignedTable } from './aligned-table.ts'
import { takeOutBlobs } from './blobs.ts'
import { bracedView } from './braced-view.ts'
import { countedPaths } from './counted-paths.ts'
import { decodedViews } from './decoded-views.ts'
import { delimitedView, isSpoken } from './delimited-view.ts'
import { diffView, looksLikeDiff } from './diff-view.ts'
import { documentView, tryJson } from './document-view.ts'
import { headedRecords } from './headed-records.ts'
import { htmlView, looksLikeHtml } from './html-view.ts'
import { indentedView } from './indented-view.ts'
import { JsonTables } from './json-tables.ts'
import { INNER_ROWS } from './inner-table.ts'
import { leftLines } from './left-lines.ts'
import { linePairs } from './line-pairs.ts'
import { literalValue } from './literal-value.ts'
import { logShare } from './log-records.ts'
import { logView } from './log-view.ts'
import { mailLines } from './mail-encodings.ts'
import { markedRecords } from './marked-records.ts'
import { messageView } from './message-view.ts'
import { pairedLines } from './paired-lines.ts'
import { pathLines } from './path-lines.ts'
import { diagnosticsView, positionalView } from './positional-view.ts'
import { ruledView } from './ruled-view.ts'
import { prefixedLines } from './prefixed-lines.ts'
import { salvagedRecords } from './salvaged-records.ts'
import { repeatedLines } from './repeated-lines.ts'
import { segmentedView } from './segmented-view.ts'
import { sqlView } from './sql-view.ts'
import { sourceView } from './source-view.ts'
import { taggedRecords } from './tagged-records.ts'
import { tomlView } from './toml-view.ts'
import { toldValues } from './told-values.ts'
import type { FoundView, OutputView } from './view.ts'
import { quantityOf } from './quantity.ts'
import { timeOf } from './time-of.ts'
import { xmlValue } from './xml-value.ts'

/** An output: its text, and its value where it has one that is no text. */
export interface ViewedOutput {
  readonly text: string
  readonly value?: unknown
}

/** Looks at an output: which shape it has, and what stands in it. */
export function viewOf({ text, value }: ViewedOutput): OutputView {
  const isStructured = typeof value === 'object' && value !== null
  const { text: shown, blobs } = takeOutBlobs(isStructured ? toJsonText(value) : text)
  const written = shown.includes('\r') ? shown.replaceAll('\r\n', '\n') : shown
  const plain = written.split('\n')
  const read = mailLines(plain)
  const found = isStructured && blobs.length === 0 ? jsonView(value) : readShape(read === plain ? written : read.join('\n'))
  const isBlob = blobs.length > 0 && shown.replace(/<blob\d+ [^>]{1,80}>/g, '').trim() === ''
  const { tables: told = [], sentences = [] } = found
  const tables = [...told, ...leftLines(found, read)]
  const inner = decodedViews(blobs, (said) => viewOf({ text: said }))
  return {
    scalars: [],
    headings: [],
    notes: [],
    ...found,
    sentences: [...sentences, ...inner.sentences],
    tables: [...tables, ...toldValues(tables), ...inner.tables],
    ...(isBlob ? { shape: 'blob' as const } : {}),
    ...(isStructured ? { document: value } : { document: found.document }),
    text,
    lines: isStructured ? text.split('\n') : read,
    blobs,
  }
}

function readShape(text: string): FoundView {
  const lines = text.split('\n')
  const trimmed = text.trimStart()
  if (/^[[{]/.test(trimmed) && !/^\[\d/.test(trimmed.slice(0, 2) + trimmed.slice(2, 3))) {
    const found = readsAsJson(text, lines)
    if (found !== undefined) return found
  } else if (/^\[\d/.test(trimmed)) {
    const value = tryJson(text)
    if (value !== undefined) return jsonView(value)
  }
  if (looksLikeDiff(lines)) return diffView(lines)
  const toml = tomlView(lines)
  if (toml !== undefined) return toml
  const paths = pathLines(lines)
  if (paths !== undefined) return paths
  const ruled = ruledView(lines)
  if (ruled !== undefined) return ruled
  if (trimmed.startsWith('<')) {
    if (looksLikeHtml(text)) return htmlView(text)
    const value = xmlValue(text)
    if (value !== undefined) return { ...jsonView(value), shape: 'xml' }
  }
  if (looksLikeHtml(text)) return htmlView(text)
  const tree = indentedView(lines)
  if (tree !== undefined) return tree
  const source = sourceView(lines)
  if (source !== undefined) return source
  const records = markedRecords(lines)
  if (records !== undefined) return records
  const tagged = taggedRecords(lines)
  if (tagged !== undefined) return tagged
  const counted = countedPaths(lines)
  if (counted !== undefined) return counted
  const braced = bracedView(lines)
  if (braced !== undefined) return braced
  const dump = sqlView(lines)
  if (dump !== undefined) return dump
  if (hasTimedTables(lines) || hasTimedColumns(lines)) return documentView(lines)
  const diagnostics = diagnosticsView(lines)
  if (diagnostics !== undefined) return diagnostics
  const isLog = logShare(lines) >= 0.6
  if (arePairs(lines)) return mostTold(lines)
  if (!isLog) {
    const paired = pairedLines(lines)
    if (paired !== undefined) return paired
    const table = isMarkdown(lines) ? undefined : delimitedView(lines)
    const messages = messageView(lines)
    // People write commas too.
    const isTimed = messages?.tables?.some(({ columns }) => columns.has('time') || columns.has('date')) === true
    if (table !== undefined && isWellTold(table) && !isTimed) return table
    if (messages !== undefined) return messages
    if (table !== undefined) return betterThan(table, lines)
    const positional = isMarkdown(lines) || alignedTable('table', lines, 0) !== undefined ? undefined : positionalView(lines)
    if (positional !== undefined) return positional
  } else {
    const chat = messageView(lines)
    if (chat !== undefined) return chat
    return logView(lines)
  }
  return mostTold(lines)
}

const FEWEST_ROWS = 3

/** Rows that begin with a time, under a line that names their columns: samples of a machine, not messages. */
function hasTimedTables(lines: readonly string[]): boolean {
  return lines.slice(0, LOOKED_AT).some((line, at) => {
    const [first = '', ...names] = line.trim().split(/\s+/)
    if (names.length < FEWEST_ROWS || timeOf(first) === undefined || names.some((name) => /^\d/.test(name))) return false
    const rows = lines.slice(at + 1, at + 1 + FEWEST_ROWS).map((row) => row.trim().split(/\s+/))
    return rows.every(
      (row) =>
        row.length === names.length + 1 &&
        timeOf(row[0] ?? '') !== undefined &&
        row.filter((cell) => quantityOf(cell) !== undefined).length > names.length / 2,
    )
  })
}

const MOST_ABOVE_A_HEADER = 15
const ROWS_LOOKED_AT = 40
const FEWEST_NAMED = 4

/** A header over columns of which the first has times: a statement, not a log. */
function hasTimedColumns(lines: readonly string[]): boolean {
  return lines.slice(0, MOST_ABOVE_A_HEADER).some((line, at) => {
    if (!/\S {2,}\S/.test(line) || /\d/.test(line)) return false
    const rows = lines.slice(at, at + ROWS_LOOKED_AT)
    const end = rows.findIndex((row) => row.trim() === '')
    const table = alignedTable('rows', end < 0 ? rows : rows.slice(0, end), 0)
    const [first] = table?.columns.values() ?? []
    if (table === undefined || first === undefined || table.columns.size < FEWEST_NAMED || table.rows < FEWEST_ROWS) return false
    return first.every((cell) => typeof cell === 'string' && timeOf(cell) !== undefined)
  })
}

const FEWEST_HEADINGS = 3

/** Headings with room around them divide a text, whatever comes again in it. */
function isMarkdown(lines: readonly string[]): boolean {
  const headings = lines.filter(
    (line, at) => /^#{1,6} \S/.test(line) && ((lines[at + 1] ?? '').trim() === '' || (at > 0 && (lines[at - 1] ?? '').trim() === '')),
  ).length
  return headings >= FEWEST_HEADINGS && lines.some((line) => line.startsWith('##'))
}

const WORDS_OF_A_PARAGRAPH = 12

/** Paragraphs of sentences: what comes again in them are words, not values. */
function isProse(lines: readonly string[]): boolean {
  const told = lines.filter((line) => line.trim() !== '').slice(0, LOOKED_AT)
  const words = told.map((line) => line.trim().split(/\s+/).length).toSorted((a, b) => a - b)
  return isSpoken(told) && (words[Math.floor(words.length / 2)] ?? 0) >= WORDS_OF_A_PARAGRAPH
}

/** The reading of a text that finds the most in it; a simpler one unless another finds much more. */
function mostTold(all: readonly string[]): FoundView {
  const lines = withoutMarks(all)
  if (isMarkdown(lines) || isProse(lines)) return documentView(lines)
  const document = documentView(lines)
  const ofOneKind = linesOfOneKind(lines)
  const prefixed = ofOneKind === undefined ? prefixedLines(lines) : undefined
  if (prefixed !== undefined && cellsOf(prefixed) > cellsOf(document)) return prefixed
  if (ofOneKind !== undefined && cellsOf(ofOneKind) > cellsOf(document)) return ofOneKind
  const segmented = segmentedView(lines)
  if (segmented !== undefined && hasInnerRows(segmented)) return segmented
  const others = [headedRecords(lines), segmented].filter((view) => view !== undefined)
  const best = others.reduce<FoundView>(
    (most, view) => (cellsOf(view) > (hasMoreOf(view, most) ? 1 : 1.5) * cellsOf(most) ? view : most),
    document,
  )
  // What has several cells for each line is read well enough.
  if (cellsOf(best) > 2 * lines.length) return best
  const repeated = repeatedLines(lines)
  return repeated !== undefined && cellsOf(repeated) > 2.5 * cellsOf(best) ? repeated : best
}

/** Records that have a table each, under the same header. */
function hasInnerRows({ tables = [] }: FoundView): boolean {
  const [records, inner] = tables
  return records !== undefined && inner?.name === INNER_ROWS && inner.rows >= records.rows
}

const MARK = /^\s*[!*;%#.~]{1,2}\s*$/
const FEWEST_MARKS = 5

/** A line with a mark alone that comes again and again is what a blank line is elsewhere. */
function withoutMarks(lines: readonly string[]): readonly string[] {
  if (lines.filter((line) => line.length < 20 && MARK.test(line)).length < FEWEST_MARKS) return lines
  return lines.map((line) => (line.length < 20 && MARK.test(line) ? '' : line))
}

/** A delimiter that cuts lines in two may be any mark that all of them happen to have. */
function isWellTold({ tables = [] }: FoundView): boolean {
  return tables.some(({ columns }) => columns.size >= SEVERAL_COLUMNS)
}

function betterThan(table: FoundView, lines: readonly string[]): FoundView {
  const repeated = linesOfOneKind(lines)
  if (repeated !== undefined) return repeated
  const records = segmentedView(lines)
  return records !== undefined && isWellTold(records) && cellsOf(records) > cellsOf(table) ? records : table
}

const NEARLY_ALL_LINES = 0.9
const SEVERAL_COLUMNS = 3

/** A text whose lines are records of one kind; the first lines tell whether it is worth reading all of it so. */
function linesOfOneKind(lines: readonly string[]): FoundView | undefined {
  const first = lines.slice(0, LOOKED_AT)
  const sample = repeatedLines(first)
  if (sample === undefined || !isOneKind(sample, first)) return undefined
  const all = repeatedLines(lines)
  return all !== undefined && isOneKind(all, lines) ? all : undefined
}

/** Nearly every line is a record of one kind, with several values. */
function isOneKind({ tables = [] }: FoundView, lines: readonly string[]): boolean {
  const told = lines.filter((line) => line.trim() !== '').length
  return tables.some(({ rows, columns }) => rows >= NEARLY_ALL_LINES * told && columns.size >= SEVERAL_COLUMNS)
}

/** Both found the same records, and one of them found some more, or more in them. */
function hasMoreOf(view: FoundView, other: FoundView): boolean {
  const [own] = view.tables ?? []
  const [known] = other.tables ?? []
  // Headings name records better than their first lines do.
  if ((other.headings ?? []).length > 0) return false
  if (own === undefined || known === undefined || own.rows < known.rows || own.rows > 1.2 * known.rows) return false
  return own.columns.size >= known.columns.size
}

const LOOKED_AT = 400
const FEWEST_PAIRS = 24

/** Lines of `key: value` with short values: fields of records, not what people say to each other. */
function arePairs(lines: readonly string[]): boolean {
  const told = lines.filter((line) => line.trim() !== '').slice(0, LOOKED_AT)
  const values = told.flatMap((line) =>
    /^\S/.test(line)
      ? linePairs(line)
          .slice(0, 1)
          .map(([, value]) => value)
      : [],
  )
  const words = values.reduce((sum, value) => sum + value.split(/\s+/).length, 0)
  return values.length >= Math.max(FEWEST_PAIRS, 0.75 * told.length) && words < 3 * values.length
}

/** How much of an output is in tables. */
function cellsOf({ tables = [] }: FoundView): number {
  let cells = 0
  for (const { columns } of tables)
    for (const [name, column] of columns) {
      // A place without a name tells half as much, and one of two tells less than one of a record.
      const told = (/^(?:value|column) \d+$/.test(name) ? 0.5 : 1) * (columns.size > 2 ? 1 : 0.25)
      for (const cell of column) if (cell !== undefined) cells += told
    }
  return cells
}

function readsAsJson(text: string, lines: readonly string[]): FoundView | undefined {
  const value = tryJson(text)
  if (value !== undefined) return jsonView(value)
  const records = lines.filter((line) => line.trim() !== '')
  const sample = records.slice(0, 20).map(tryJson)
  if (records.length > 1 && sample.filter((each) => each !== undefined).length >= 0.8 * sample.length) {
    const values = records.map(tryJson)
    const broken = values.filter((each) => each === undefined).length
    const kept = values.filter((each) => each !== undefined)
    const found = jsonView(kept)
    const notes = broken === 0 ? [] : [`${broken} of ${records.length} lines are no JSON; search finds them.`]
    return { ...found, shape: 'ndjson', notes: [...(found.notes ?? []), ...notes] }
  }
  const literal = literalValue(text) ?? literalLines(records)
  if (literal !== undefined) return { ...jsonView(literal), shape: 'json' }
  const salvaged = salvagedRecords(text)
  if (salvaged.length < 2) return undefined
  const found = jsonView(salvaged)
  return { ...found, notes: [...(found.notes ?? []), `The JSON is broken or cut off: ${salvaged.length} whole records were read.`] }
}

/** A value on every line, as a loop prints them. */
function literalLines(records: readonly string[]): unknown {
  const [first = ''] = records
  if (records.length < 2 || literalValue(first) === undefined) return undefined
  const values = records.map(literalValue)
  return values.every((each) => each !== undefined) ? values : undefined
}

function jsonView(value: unknown): FoundView {
  const { tables, scalars, sentences, notes } = new JsonTables(value)
  return { shape: 'json', tables, scalars, sentences, document: value, notes: [...notes] }
}
