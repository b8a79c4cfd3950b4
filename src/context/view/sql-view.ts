import { Table } from './table.ts'
import type { FoundView, Sentence } from './view.ts'

const LOOKED_AT = 400
const FEWEST_STATEMENTS = 3
const LONGEST_STATEMENT = 2_000_000
const NAME = '[`"[]?[\\w$]{1,80}[`"\\]]?(?:\\.[`"[]?[\\w$]{1,80}[`"\\]]?){0,2}'
const INSERT = new RegExp(`^\\s*INSERT\\s+(?:IGNORE\\s+)?INTO\\s+(${NAME})\\s*(\\([^)]{1,4000}\\))?\\s*VALUES\\s*(.*)$`, 'is')
const COPY = new RegExp(`^COPY\\s+(${NAME})\\s*(?:\\(([^)]{1,4000})\\))?\\s+FROM\\s+stdin`, 'i')
const CREATE = new RegExp(`^\\s*CREATE\\s+TABLE\\s+(?:IF NOT EXISTS\\s+)?(${NAME})\\s*\\(`, 'i')
const COLUMN = /^\s*([`"[]?\w{1,80}[`"\]]?)\s+[A-Za-z]/
const NO_COLUMN = /^\s*(?:PRIMARY|FOREIGN|UNIQUE|CONSTRAINT|KEY|INDEX|CHECK)\b/i

/** A dump of a database: a table for each of its tables. Undefined for anything else. */
export function sqlView(lines: readonly string[]): FoundView | undefined {
  const statements = lines.slice(0, LOOKED_AT).filter((line) => /^\s*INSERT\s+INTO\s/i.test(line) || COPY.test(line) || CREATE.test(line))
  if (statements.length < FEWEST_STATEMENTS && !statements.some((line) => !CREATE.test(line))) return undefined
  const reader = new DumpReader(lines)
  const view = reader.read()
  return view.tables?.some(({ rows }) => rows > 1) === true ? view : undefined
}

class DumpReader {
  readonly #lines: readonly string[]
  readonly #tables = new Map<string, Table>()
  readonly #columns = new Map<string, readonly string[]>()
  readonly #sentences: Sentence[] = []

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  read(): FoundView {
    for (let at = 0; at < this.#lines.length; at++) {
      const line = this.#lines[at] ?? ''
      if (line.trim() === '') continue
      const created = CREATE.exec(line.slice(0, 400))?.[1]
      const copied = COPY.exec(line.slice(0, 5000))
      if (created !== undefined) at = this.#create(created, at)
      else if (copied !== null) at = this.#copy(copied, at)
      else if (/^\s*INSERT\s/i.test(line)) at = this.#insert(at)
      else this.#sentences.push({ text: line.trim(), line: at + 1 })
    }
    const tables = [...this.#tables.values()].filter(({ rows }) => rows > 0)
    return {
      shape: 'mixed',
      tables,
      sentences: this.#sentences,
      document: Object.fromEntries(tables.map((table) => [table.name, rowsOf(table)])),
    }
  }

  #create(name: string, from: number): number {
    const columns: string[] = []
    const whole = /\((.*)\)[^()]*;\s*$/.exec(this.#lines[from] ?? '')?.[1]
    if (whole !== undefined) {
      // Commas in parentheses divide no columns: `numeric(8, 2)`.
      const parts = whole.replace(/\([^()]*\)/g, '').split(',')
      this.#columns.set(
        bare(name),
        parts.flatMap((part) => (NO_COLUMN.test(part) ? [] : bare(COLUMN.exec(part.slice(0, 200))?.[1] ?? '') || [])),
      )
      return from
    }
    let at = from + 1
    for (; at < this.#lines.length && !/^\s*\)/.test(this.#lines[at] ?? ''); at++) {
      const line = this.#lines[at] ?? ''
      const column = NO_COLUMN.test(line) ? undefined : COLUMN.exec(line.slice(0, 200))?.[1]
      if (column !== undefined) columns.push(bare(column))
      this.#sentences.push({ text: line.trim(), line: at + 1, place: bare(name) })
    }
    this.#columns.set(bare(name), columns)
    return at
  }

  #copy([, name = '', columns]: RegExpExecArray, from: number): number {
    const names = columns?.split(',').map(bare) ?? this.#columns.get(bare(name)) ?? []
    let at = from + 1
    for (; at < this.#lines.length && this.#lines[at] !== '\\.'; at++)
      this.#add(
        { name: bare(name), names, ref: at },
        (this.#lines[at] ?? '').split('\t').map((cell) => (cell === '\\N' ? undefined : cell)),
      )
    return at
  }

  /** One statement, which may go over many lines. */
  #insert(from: number): number {
    let last = this.#lines[from] ?? ''
    let length = last.length
    let at = from
    while (!last.trimEnd().endsWith(';') && at + 1 < this.#lines.length && length < LONGEST_STATEMENT) {
      const next = this.#lines[at + 1] ?? ''
      if (/^\s*INSERT\s/i.test(next)) break
      last = next
      length += next.length
      at++
    }
    const text = this.#lines.slice(from, at + 1).join('\n')
    const [, name, columns, values = ''] = INSERT.exec(text) ?? []
    if (name === undefined) {
      this.#sentences.push({ text: text.slice(0, 400).trim(), line: from + 1 })
      return at
    }
    const names = columns?.slice(1, -1).split(',').map(bare) ?? this.#columns.get(bare(name)) ?? []
    for (const { cells, lines } of tuplesOf(values)) this.#add({ name: bare(name), names, ref: from + lines }, cells)
    return at
  }

  #add(
    { name, names, ref }: { readonly name: string; readonly names: readonly string[]; readonly ref: number },
    cells: readonly (string | undefined)[],
  ): void {
    const table = this.#tables.get(name) ?? new Table(name)
    this.#tables.set(name, table)
    const row = table.addRow({ ref })
    cells.forEach((cell, index) => {
      if (cell !== undefined && cell !== '') table.set(row, names[index] ?? `column ${index + 1}`, cell)
    })
  }
}

/** `(1, 'a'), (2, NULL)`: the cells of each, and how many line breaks stand before it. */
function tuplesOf(text: string): { readonly cells: readonly (string | undefined)[]; readonly lines: number }[] {
  const tuples: { cells: (string | undefined)[]; lines: number }[] = []
  let lines = 0
  let cell = ''
  let isText = false
  let isQuoted = false
  let depth = 0
  const end = (): void => {
    const own = cell.trim()
    tuples.at(-1)?.cells.push(isText ? cell : /^null$/i.test(own) ? undefined : own)
    cell = ''
    isText = false
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '\n') lines++
    if (isQuoted) {
      if (character === '\\' && at + 1 < text.length) cell += text[++at]
      else if (character !== "'") cell += character
      else if (text[at + 1] === "'") cell += text[at++]
      else isQuoted = false
    } else if (character === "'" && depth > 0) {
      isQuoted = true
      isText = true
      cell = ''
    } else if (character === '(' && depth++ === 0) {
      tuples.push({ cells: [], lines })
      cell = ''
    } else if (character === ')' && --depth === 0) end()
    else if (character === ',' && depth === 1) end()
    else if (depth > 0 && !isText) cell += character
  }
  return tuples
}

function bare(name: string): string {
  return name.trim().replace(/[`"[\]]/g, '')
}

function rowsOf({ columns, refs }: Table): readonly Readonly<Record<string, unknown>>[] {
  return refs.map((_ref, row) => Object.fromEntries([...columns].map(([column, cells]) => [column, cells[row]])))
}
