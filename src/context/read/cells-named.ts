import { wordsOf } from '../facts/task-words.ts'
import { NAME_PARTS } from '../view/name-parts.ts'
import { cellText, type Table } from '../view/table.ts'
import { timeSpans } from '../view/time-spans.ts'
import { cellsTogether, computedCells, countsBelow, partsOfTime } from './derived-cells.ts'

/**
 * The cells of a column, by its name or by words for it: of the table itself, of the rows that it belongs to, or a part of its time. Of several
 * columns that may be meant, the one in which a value stands that is asked for.
 */
export function cellsNamed(table: Table, name: string, asked?: string): readonly unknown[] | undefined {
  return (
    (asked === undefined ? undefined : cellsWith(table, name, asked.toLowerCase())) ??
    table.columns.get(name) ??
    composed(table, name) ??
    ownCells(table, name) ??
    parentCells(table, name) ??
    namesOfParents(table, name) ??
    partsOfTime(table, name, (part) => ownCells(table, part)) ??
    spansOf(table, name) ??
    countsBelow(table, name) ??
    partsOfNames(table, name) ??
    wholeLines(table, name)
  )
}

/** What is made of several columns, or of a part of one that the name has beside it. */
function composed(table: Table, name: string): readonly unknown[] | undefined {
  if (!/[^\p{L}\d_]/u.test(name) || columnOf(table, name, true) !== undefined) return undefined
  const cellsOf = (part: string): readonly unknown[] | undefined => cellsNamed(table, part)
  return (
    (PART_OF.test(name) ? partsOfTime(table, name, (part) => ownCells(table, part)) : undefined) ??
    computedCells(name, cellsOf) ??
    cellsTogether(name, cellsOf)
  )
}

const PART_OF =
  /^(?:year|quarter|month|week|day|date|hour|minute|weekday)s?(?:\(| of | in )|(?:[._ ]| by )(?:year|quarter|month|week|day|date|hour|minute|weekday)$/i

/** The column that was read for a name, where that is not plain: `customer.name` for `customer`. */
export function columnRead(table: Table, name: string): string | undefined {
  if (table.columns.has(name) || composed(table, name) !== undefined || columnOf(table, name, true) !== undefined) return undefined
  return columnOf(table, name)
}

function ownCells(table: Table, name: string): readonly unknown[] | undefined {
  const column = columnOf(table, name)
  return column === undefined ? undefined : table.columns.get(column)
}

/** Where the column of that name does not have a value, another one whose name has it in it. */
function cellsWith(table: Table, name: string, asked: string): readonly unknown[] | undefined {
  const has = (cells: readonly unknown[]): boolean => cells.some((cell) => cellText(cell).toLowerCase() === asked)
  const own = ownCells(table, name)
  if (own === undefined || has(own)) return own
  const wanted = plain(name)
  return [...table.columns].find(([column, cells]) => column.split('.').some((part) => plain(part) === wanted) && has(cells))?.[1]
}

/** What the rows above say holds for those below them. */
function parentCells({ parent, parentRows }: Table, name: string): readonly unknown[] | undefined {
  if (parent === undefined) return undefined
  const cells = ownCells(parent, name) ?? parentCells(parent, name)
  return cells === undefined ? undefined : parentRows.map((row) => (row < 0 ? undefined : cells[row]))
}

const NAMES = ['name', 'id', 'key', 'title', 'number', 'code', 'commit']

/** `order` for the lines of orders: what the rows above are called. */
function namesOfParents({ parent, parentRows }: Table, name: string): readonly unknown[] | undefined {
  if (parent === undefined) return undefined
  const [asked] = wordsOf(name).slice(-1)
  if (asked === undefined || wordsOf(parent.name).at(-1) !== asked) {
    const above = namesOfParents(parent, name)
    return above === undefined ? undefined : parentRows.map((row) => (row < 0 ? undefined : above[row]))
  }
  const own = NAMES.find((column) => parent.columns.has(column)) ?? [...parent.columns.keys()][0]
  const cells = own === undefined ? undefined : parent.columns.get(own)
  return cells === undefined ? undefined : parentRows.map((row) => (row < 0 ? undefined : cells[row]))
}

/** `message`: the lines themselves, where rows were made of lines. */
function wholeLines({ lineOf: shown, sourceOf: lineOf = shown, refs }: Table, name: string): readonly unknown[] | undefined {
  return lineOf !== undefined && /^(?:message|msg|text|line|log|content)$/i.test(name) ? refs.map(lineOf) : undefined
}

/** `duration`: from the beginning of a row to its end, in seconds. */
function spansOf(table: Table, name: string): readonly unknown[] | undefined {
  return /^(?:duration|length|elapsed|lasted|took)\b/i.test(name) ? timeSpans(table) : undefined
}

const PARTED = 0.9
const LOOKED_AT = 100

/** `folder`, `host`: of the first column whose names have one. */
function partsOfNames(table: Table, name: string): readonly unknown[] | undefined {
  const asked = plain(name)
  const parts = NAME_PARTS.filter((part) => part.name === asked || part.also.includes(asked))
  for (const { of } of parts) {
    for (const cells of table.columns.values()) {
      const told = cells.filter((cell) => typeof cell === 'string' && cell !== '').slice(0, LOOKED_AT)
      if (told.length < PARTED * Math.min(cells.length, LOOKED_AT) || told.length === 0) continue
      const parted = told.filter((cell) => of(cellText(cell)) !== undefined).length
      if (parted >= PARTED * told.length) return cells.map((cell) => of(cellText(cell)))
    }
  }
  return undefined
}

/** By its name, without case, by its last part, by a part of it, in this order; marks do not count. */
function columnOf(table: Table, name: string, isWhole = false): string | undefined {
  const names = [...table.columns.keys()]
  const lower = name.toLowerCase()
  const whole =
    names.find((each) => each === name) ??
    names.find((each) => each.toLowerCase() === lower) ??
    names.find((each) => each.toLowerCase().split(/[.\s]/).at(-1) === lower) ??
    names.find((each) => plain(each) === plain(name)) ??
    names.find((each) => plain(each.split('.').at(-1) ?? '') === plain(name.split('.').at(-1) ?? ''))
  if (whole !== undefined || isWhole) return whole
  return (
    names.find((each) => SPOKEN.test(each) && plain(each.split('.').at(-2) ?? '') === plain(name)) ??
    names.find((each) => each.toLowerCase().includes(lower)) ??
    names.find((each) => isSaidBy(name, each))
  )
}

/** What a reader calls a thing, beside its code. */
const SPOKEN = /\.(?:text|value|label|name|title|display\w*)$/i

/** Whether all words of a column are among the words of a question. */
function isSaidBy(asked: string, column: string): boolean {
  const words = new Set(wordsOf(asked))
  const own = wordsOf(column)
  return words.size > 1 && own.length > 0 && own.every((word) => words.has(word))
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\d]+/gu, '')
}
