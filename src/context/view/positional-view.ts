import { type LocatedLine, locatedLine } from './located-line.ts'
import { quantityOf } from './quantity.ts'
import { Table } from './table.ts'
import { timeOf } from './time-of.ts'
import type { FoundView, Sentence } from './view.ts'

const LOOKED_AT = 400
const LONGEST_LINE = 2000
const FEWEST_LINES = 12
const MOST_FIELDS = 60
/** So many of the lines have the same number of fields. */
const SAME_SHARE = 0.6
const FIELD = /"(?:[^"\\]|\\.){0,1000}"|\[[^\]]{0,200}\]|\S+/g
const ADDRESS = /^(\d{1,3}(?:\.\d{1,3}){3})(?::(\d{1,5}))?$/
const REQUEST = /^([A-Z]{3,7}) (\S{1,1000})(?: HTTP\/[\d.]+)?$/
const MODE = /^[-bcdlps][-rwxsStT]{9}[.+@]?$/
/** Dots from a name to its value: a list, not places. */
const LEADER = /^\.{3,}$/

/** Lines whose fields mean something by their place, without a header: logs of proxies, listings, what a search in code prints. */
export function positionalView(lines: readonly string[]): FoundView | undefined {
  return locatedView(lines) ?? fieldsView(lines)
}

const FEWEST_DIAGNOSTICS = 0.1

/** What a compiler says of places in files, among the commands that it ran and the code that it shows. */
export function diagnosticsView(lines: readonly string[]): FoundView | undefined {
  const sample = lines.filter((line) => line.trim() !== '').slice(0, LOOKED_AT)
  const found = sample.filter((line) => locatedLine(line)?.severity !== undefined).length
  return sample.length < FEWEST_LINES || found < Math.max(FEWEST_DIAGNOSTICS * sample.length, 3) ? undefined : locatedTable(lines)
}

/** `file:line: text`, as compilers and searches write it. */
function locatedView(lines: readonly string[]): FoundView | undefined {
  const sample = lines.filter((line) => line.trim() !== '').slice(0, LOOKED_AT)
  if (sample.length < FEWEST_LINES || sample.filter((line) => locatedLine(line) !== undefined).length < 0.8 * sample.length)
    return undefined
  return locatedTable(lines)
}

function locatedTable(lines: readonly string[]): FoundView {
  const table = new Table('lines')
  const sentences: Sentence[] = []
  lines.forEach((line, at) => {
    const located = locatedLine(line)
    if (located === undefined) {
      if (line.trim() !== '') sentences.push({ text: line, line: at + 1 })
      return
    }
    addLocated(table, located, at)
    sentences.push({ text: located.text, line: at + 1, place: `${located.file}:${located.line}` })
  })
  return { shape: 'mixed', tables: [table], sentences, document: { lines: recordsOf(table) } }
}

/** A row for what is said of a place in a file. */
function addLocated(table: Table, { file, line, column, severity, code, text }: LocatedLine, ref: number): void {
  const row = table.addRow({ ref })
  table.set(row, 'file', file)
  table.set(row, 'folder', file.split('/').slice(0, -1).join('/'))
  table.set(row, 'type', file.split('.').at(-1))
  table.set(row, 'line', line)
  if (column !== undefined) table.set(row, 'column', column)
  if (severity !== undefined) table.set(row, 'severity', severity)
  if (code !== undefined) table.set(row, 'code', code)
  table.set(row, 'text', text)
}

function fieldsView(lines: readonly string[]): FoundView | undefined {
  const filled = lines.filter((line) => line.trim() !== '')
  const sample = filled.slice(0, LOOKED_AT).map((line) => fieldsOf(line))
  if (sample.length < FEWEST_LINES || sample.filter((fields) => fields.some((field) => LEADER.test(field))).length > sample.length / 2)
    return undefined
  const counts = new Map<number, number>()
  for (const { length } of sample) counts.set(length, (counts.get(length) ?? 0) + 1)
  const [width, same] = [...counts].toSorted((a, b) => b[1] - a[1])[0] ?? [0, 0]
  if (width < 4 || width > MOST_FIELDS || same < SAME_SHARE * sample.length) return undefined
  const rows = sample.filter(({ length }) => length === width)
  const kinds = Array.from({ length: width }, (_, at) => kindOf(rows.map((row) => row[at] ?? '')))
  if (kinds.filter((kind) => kind !== 'word').length < Math.max(2, width / 4)) return undefined
  const names = namesOf(kinds)
  const table = new Table('lines')
  const sentences: Sentence[] = []
  let section = ''
  lines.forEach((line, at) => {
    if (line.trim() === '') return
    const fields = fieldsOf(line)
    if (fields.length !== width || !isLike(fields, kinds)) {
      // A line with few fields above rows names what follows.
      if (fields.length <= 2 && line.trimEnd().endsWith(':')) section = line.trim().slice(0, -1)
      else sentences.push({ text: line.trim(), line: at + 1, place: section || undefined })
      return
    }
    const row = table.addRow({ ref: at })
    if (section !== '') table.set(row, 'section', section)
    fields.forEach((field, index) => setField(table, row, { field, name: names[index] ?? '', kind: kinds[index] ?? 'word' }))
  })
  if (table.rows < FEWEST_LINES) return undefined
  return { shape: 'mixed', tables: [table], sentences, document: { lines: recordsOf(table) } }
}

type Kind = 'time' | 'address' | 'request' | 'mode' | 'status' | 'number' | 'quoted' | 'path' | 'word'

function fieldsOf(line: string): string[] {
  return line.slice(0, LONGEST_LINE).match(FIELD) ?? []
}

function bare(field: string): string {
  return /^["[]/.test(field) && field.length > 1 ? field.slice(1, -1) : field
}

function isOf(kind: Kind, field: string): boolean {
  const own = bare(field)
  switch (kind) {
    case 'address':
      return ADDRESS.test(own)
    case 'mode':
      return MODE.test(own)
    case 'request':
      return REQUEST.test(own)
    case 'status':
      return /^[1-5]\d\d$/.test(own)
    case 'number':
      return quantityOf(own) !== undefined || own === '-'
    case 'time':
      return timeOf(own) !== undefined
    case 'quoted':
      return field.startsWith('"')
    case 'path':
      return /^[\w.@:-]*\//.test(own)
    default:
      return true
  }
}

function kindOf(fields: readonly string[]): Kind {
  const kinds: readonly Kind[] = ['address', 'mode', 'request', 'status', 'number', 'time', 'quoted', 'path']
  return kinds.find((kind) => fields.filter((field) => isOf(kind, field)).length >= 0.9 * fields.length) ?? 'word'
}

function isLike(fields: readonly string[], kinds: readonly Kind[]): boolean {
  return fields.filter((field, at) => isOf(kinds[at] ?? 'word', field)).length >= 0.8 * fields.length
}

/** What the places are called: by what stands there, and by how such lines are usually made. */
function namesOf(kinds: readonly Kind[]): string[] {
  if (kinds[0] === 'mode' && kinds.length >= 8) {
    const names = ['mode', 'links', 'owner', 'group', 'size']
    return kinds.map((_kind, at) => names[at] ?? (at === kinds.length - 1 ? 'name' : 'date'))
  }
  const addresses = ['client', 'target']
  const taken = new Map<string, number>()
  return kinds.map((kind, at) => {
    const seen = taken.get(kind) ?? 0
    taken.set(kind, seen + 1)
    if (kind === 'address') return addresses[seen] ?? `address ${seen + 1}`
    if (kind === 'time' || kind === 'status' || kind === 'request') return seen === 0 ? kind : `${kind} ${seen + 1}`
    return `${kind === 'number' ? 'number' : 'field'} ${at + 1}`
  })
}

function setField(
  table: Table,
  row: number,
  { field, name, kind }: { readonly field: string; readonly name: string; readonly kind: Kind },
): void {
  const own = bare(field)
  if (own === '' || own === '-') return
  if (kind === 'address') {
    const [, address, port] = ADDRESS.exec(own) ?? []
    table.set(row, name, address ?? own)
    if (port !== undefined) table.set(row, `${name} port`, port)
  } else if (kind === 'request') {
    const [, method, path] = REQUEST.exec(own) ?? []
    table.set(row, 'method', method ?? own)
    if (path !== undefined) table.set(row, 'path', path)
  } else {
    const before = name === 'date' ? table.cell(row, name) : undefined
    table.set(row, name, typeof before === 'string' ? `${before} ${own}` : own)
    if (name === 'name' && /\.\w{1,8}$/.test(own)) table.set(row, 'type', own.split('.').at(-1))
  }
}

function recordsOf(table: Table): readonly Readonly<Record<string, unknown>>[] {
  return table.refs.map((_ref, row) => Object.fromEntries([...table.columns].map(([column, cells]) => [column, cells[row]])))
}
