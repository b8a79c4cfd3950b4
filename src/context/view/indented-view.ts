import { JsonTables } from './json-tables.ts'
import type { FoundView, Sentence } from './view.ts'

const LOOKED_AT = 400
const LONGEST_LINE = 1000
const FEWEST_LINES = 12
const MAX_DEPTH = 40
/** So many of the lines are keys, values or items. */
const LIKE_SHARE = 0.9
const COMMENT = /^\s*(?:#|\/\/|;)/
const ENTRY = /^(\s*)((?:-\s+)*)(?:"([^"]{1,200})"|'([^']{1,200})'|([^\s"'#:[\]{}][^:#{}]{0,150}?))\s*:(?:\s+(.*))?$/
const ITEM = /^(\s*)-\s+(.*)$/

interface Open {
  readonly indent: number
  readonly value: Record<string, unknown> | unknown[]
  readonly path: string
}

/** Settings as a tree by their indentation, as YAML writes them; undefined for anything else. */
export function indentedView(lines: readonly string[]): FoundView | undefined {
  const isText = textLines(lines)
  const told = lines.filter((line, at) => !isText.has(at) && line.trim() !== '' && !COMMENT.test(line) && line.trim() !== '---')
  const sample = told.slice(0, LOOKED_AT).map((line) => line.slice(0, LONGEST_LINE))
  if (sample.length < FEWEST_LINES) return undefined
  const entries = sample.filter((line) => ENTRY.test(line) || ITEM.test(line))
  const isNested = sample.filter((line) => /^\s+\S/.test(line)).length > sample.length / 4
  const opens = sample.filter((line) => /:\s*$/.test(line)).length
  if (entries.length < LIKE_SHARE * sample.length || !isNested || opens < 2) return undefined
  const { root, headings, repeated } = readDocuments(lines)
  // Keys that come again in one place are records, not settings.
  if (repeated > 0.02 * told.length) return undefined
  const { tables, scalars, sentences } = new JsonTables(root)
  return { shape: 'mixed', tables, scalars, sentences, marks: headings, document: root }
}

const TEXT = /:\s+[|>][+-]?\d?\s*$/

/** The lines that are the text of a key above them: `key: |`. */
function textLines(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>()
  let indent: number | undefined
  lines.forEach((line, at) => {
    if (indent !== undefined && (line.trim() === '' || line.search(/\S/) > indent)) return void found.add(at)
    indent = TEXT.test(line.slice(0, LONGEST_LINE)) ? line.search(/\S/) : undefined
  })
  return found
}

/** A text of several documents, with `---` between them, is a list of them. */
function readDocuments(lines: readonly string[]): ReturnType<typeof readTree> {
  const starts = lines.flatMap((line, at) => (line.trim() === '---' ? [at] : []))
  const bounds = [...new Set([0, ...starts.map((at) => at + 1), lines.length + 1])]
  const parts = bounds.slice(0, -1).map((from, at) => ({ from, lines: lines.slice(from, (bounds[at + 1] ?? 0) - 1) }))
  const filled = parts.filter(({ lines: own }) => own.some((line) => ENTRY.test(line.slice(0, LONGEST_LINE))))
  if (filled.length < 2) return readTree(lines)
  const read = filled.map(({ from, lines: own }) => ({ from, ...readTree(own) }))
  return {
    root: read.map(({ root }) => root),
    headings: read.map(({ from, root }) => ({ text: titleOf(root), line: from + 1 })),
    repeated: read.reduce((sum, { repeated }) => sum + repeated, 0),
  }
}

/** The first short values of a document: its kind and its name. */
function titleOf(root: unknown): string {
  const { kind, metadata, name = (metadata as { readonly name?: unknown } | undefined)?.name } = root as Record<string, unknown>
  const known = [kind, name].filter((each) => typeof each === 'string')
  return known.length > 0 ? known.join(' ') : 'document'
}

function readTree(lines: readonly string[]): { readonly root: unknown; readonly headings: readonly Sentence[]; readonly repeated: number } {
  const root: Record<string, unknown> = {}
  const headings: Sentence[] = []
  let repeated = 0
  const open: Open[] = [{ indent: -1, value: root, path: '' }]
  /** The key whose value stands on the lines below. */
  let waiting: { readonly indent: number; readonly key: string; readonly owner: Open } | undefined
  const ownerAt = (indent: number, isItem: boolean): Open => {
    if (waiting !== undefined && (indent > waiting.indent || (isItem && indent === waiting.indent))) {
      const value: Open['value'] = isItem ? [] : {}
      const path = waiting.owner.path === '' ? waiting.key : `${waiting.owner.path}.${waiting.key}`
      assign(waiting.owner.value, waiting.key, value)
      open.push({ indent: isItem ? indent - 0.5 : indent, value, path })
    }
    waiting = undefined
    while (open.length > 1 && (open.at(-1)?.indent ?? 0) > indent) open.pop()
    return open.at(-1) ?? { indent: -1, value: root, path: '' }
  }
  const isText = textLines(lines)
  lines.forEach((whole, at) => {
    const line = whole.slice(0, LONGEST_LINE)
    if (isText.has(at)) {
      const before = waiting === undefined ? undefined : (waiting.owner.value as Record<string, unknown>)[waiting.key]
      if (waiting !== undefined)
        assign(waiting.owner.value, waiting.key, typeof before === 'string' ? `${before}\n${line.trim()}` : line.trim())
      return
    }
    if (line.trim() === '' || COMMENT.test(line) || line.trim() === '---') return
    let indent = line.search(/\S/)
    let rest = line.trim()
    if (rest.startsWith('- ') || rest === '-') {
      const list = ownerAt(indent, true)
      rest = rest.slice(1).trim()
      if (!Array.isArray(list.value)) return
      if (!ENTRY.test(rest)) return void list.value.push(scalarOf(rest))
      const record: Record<string, unknown> = {}
      list.value.push(record)
      indent += 2
      if (open.length < MAX_DEPTH) open.push({ indent, value: record, path: `${list.path}[${list.value.length - 1}]` })
    }
    const [, , , double, single, bare, value = ''] = ENTRY.exec(rest) ?? []
    const key = double ?? single ?? bare
    if (key === undefined) return
    const owner = ownerAt(indent, false)
    if (!Array.isArray(owner.value) && Object.hasOwn(owner.value, key)) repeated++
    const told = value.replace(/\s+#.*$/, '').trim()
    if (told === '' || /^[|>][+-]?$/.test(told)) {
      waiting = { indent, key, owner }
      assign(owner.value, key, null)
      headings.push({ text: owner.path === '' ? key : `${owner.path}.${key}`, line: at + 1 })
    } else assign(owner.value, key, scalarOf(told))
  })
  return { root, headings, repeated }
}

function assign(owner: Open['value'], key: string, value: unknown): void {
  if (Array.isArray(owner)) return
  Object.defineProperty(owner, key, { value, enumerable: true, configurable: true, writable: true })
}

function scalarOf(text: string): unknown {
  const quoted = /^(["'])(.*)\1$/.exec(text)
  if (quoted !== null) return quoted[2]
  if (/^-?\d{1,15}(?:\.\d{1,10})?$/.test(text) && !/^-?0\d/.test(text)) return Number(text)
  const flow = /^\{(.{1,300})\}$/.exec(text)
  if (flow !== null) return flowOf(flow[1] ?? '')
  return text === 'true' ? true : text === 'false' ? false : text === 'null' || text === '~' ? null : text
}

/** `{ cpu: 500m, memory: 512Mi }`; what is nested in it stays a text. */
function flowOf(text: string): unknown {
  if (/[{[]/.test(text)) return `{${text}}`
  const record: Record<string, unknown> = {}
  for (const part of text.split(',')) {
    const [, key, value] = /^\s*["']?([\w.-]{1,100})["']?\s*:\s*(.*?)\s*$/.exec(part) ?? []
    if (key === undefined || value === undefined) return `{${text}}`
    Object.defineProperty(record, key, { value: scalarOf(value), enumerable: true, configurable: true, writable: true })
  }
  return record
}
