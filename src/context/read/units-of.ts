import { toJsonText } from '../../schema/quote.ts'
import { isRecord } from '../../schema/json-schema.ts'
import { isNumber } from '../../json/json.ts'
import { nameOf } from '../view/decoded-views.ts'
import type { Table } from '../view/table.ts'
import type { OutputView } from '../view/view.ts'

/** What a search finds and shows as a whole: a record, a line, a sentence of a page. */
export interface Unit {
  readonly text: string
  /** Where it stands. */
  readonly place: string
  /** The record itself, if it is one. */
  readonly value?: unknown
  /** The line of the output, from 1. */
  readonly line?: number | undefined
}

const LARGEST_RECORD = 4000
/** What is shorter is shown whole, whatever is in it. */
const SMALL_PART = 1200
const MAX_DEPTH = 12

/** The units of an output. */
export function unitsOf(view: OutputView): readonly Unit[] {
  if (view.shape === 'json' || view.shape === 'ndjson' || view.shape === 'xml') return recordsOf(view.document)
  const decoded = decodedUnits(view)
  if (view.shape === 'html') return [...pageUnits(view), ...decoded]
  const places = placesOf(view)
  return [...view.lines.map((text, at) => ({ text, line: at + 1, place: `line ${at + 1}${places(at + 1)}` })), ...decoded]
}

/** The lines of what stands encoded in a text. */
function decodedUnits({ blobs }: OutputView): Unit[] {
  return blobs.flatMap((blob) =>
    blob.text === undefined || blob.isInline === true
      ? []
      : blob.text.split(/\r?\n/).map((text, at): Unit => ({ text, place: `${nameOf(blob)}, decoded line ${at + 1}` })),
  )
}

/** Records of lists, and values outside of lists. What is too large to be shown whole is taken apart. */
function recordsOf(document: unknown): Unit[] {
  const units: Unit[] = []
  const visit = (value: unknown, place: string, depth: number, crumb = ''): void => {
    const children = childrenOf(value, place)
    const text = depth === 0 && children.length > 0 ? undefined : toJsonText(value)
    const isRecordOfList = place.endsWith(']') && isRecord(value)
    const isWhole = children.every(([, each]) => typeof each !== 'object' || each === null) || isRecordOfList
    const isSmall = text !== undefined && text.length <= SMALL_PART && !Array.isArray(value)
    if (text !== undefined && (children.length === 0 || depth >= MAX_DEPTH || isSmall || (isWhole && text.length <= LARGEST_RECORD))) {
      units.push({ text, place: place === '' ? 'value' : `${place}${crumb === '' ? '' : ` (${crumb})`}`, value })
    } else {
      const own = crumbOf(value)
      const above = own === '' ? crumb : own
      for (const [path, each] of children) visit(each, path, depth + 1, above)
    }
  }
  visit(document, '', 0)
  return units
}

const MOST_OF_A_CRUMB = 4
const LONGEST_OF_A_CRUMB = 60

/** The short values of a record that is shown in parts: what its parts belong to. */
function crumbOf(value: unknown): string {
  if (!isRecord(value) || isNumber(value)) return ''
  const flat = Object.entries(value).flatMap(([key, each]): (readonly [string, unknown])[] =>
    isRecord(each) && !isNumber(each) ? Object.entries(each).map(([inner, below]) => [`${key}.${inner}`, below]) : [[key, each]],
  )
  return flat
    .filter(([, each]) => (typeof each === 'string' && each !== '' && each.length <= LONGEST_OF_A_CRUMB) || typeof each === 'number')
    .slice(0, MOST_OF_A_CRUMB)
    .map(([key, each]) => `${key}=${String(each)}`)
    .join(', ')
}

function childrenOf(value: unknown, place: string): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.map((each: unknown, at) => [`${place}[${at}]`, each])
  if (!isRecord(value) || isNumber(value)) return []
  return Object.entries(value).map(([key, each]) => [place === '' ? key : `${place}.${key}`, each])
}

function pageUnits(view: OutputView): Unit[] {
  const sentences = view.sentences.map(({ text, line, place }): Unit => ({
    text,
    line,
    place: place === undefined ? `line ${line}` : `${place}, line ${line}`,
  }))
  const rows = view.tables.flatMap((table) =>
    table.refs.map((ref, row): Unit => ({
      text: [...table.columns]
        .flatMap(([column, cells]) => (cells[row] === undefined ? [] : [`${column}: ${String(cells[row])}`]))
        .join(', '),
      line: ref + 1,
      place: `${table.name}, row ${row + 1}`,
    })),
  )
  const headings = view.headings.map(({ text, line }): Unit => ({ text, line, place: 'heading' }))
  const scalars = view.scalars.map(([path, value]): Unit => ({ text: `${path}: ${String(value)}`, place: 'meta' }))
  return [...headings, ...sentences, ...rows, ...scalars]
}

/** The file with its commit, the sender, the heading above a line. */
function placesOf({ shape, tables, headings, marks: given = headings }: OutputView): (line: number) => string {
  const table = shape === 'diff' ? tables.find(({ columns }) => columns.has('file')) : shape === 'mail' ? tables[0] : undefined
  const said = (own: Table, row: number, columns: readonly string[]): string =>
    columns
      .map((column) => own.cell(row, column))
      .filter(Boolean)
      .join(', ')
  const marks: { readonly line: number; readonly text: string }[] =
    table === undefined
      ? given.map(({ line, text, place }) => ({ line, text: place ?? text }))
      : table.refs.map((ref, row) => {
          const above = table.parent === undefined ? '' : said(table.parent, table.parentRows[row] ?? -1, ['commit', 'author', 'date'])
          const own = said(table, row, shape === 'diff' ? ['file'] : ['from', 'date'])
          return { line: ref + 1, text: above === '' ? own : `${own}, ${above}` }
        })
  if (marks.length === 0) return () => ''
  return (line) => {
    let low = 0
    let high = marks.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((marks[middle]?.line ?? 0) <= line) low = middle + 1
      else high = middle
    }
    const mark = marks[low - 1]
    return mark === undefined ? '' : `, ${mark.text}`
  }
}
