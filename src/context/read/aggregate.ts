import { didYouMean } from '../../schema/did-you-mean.ts'
import { nearestNames } from '../../schema/nearest-names.ts'
import { isRecord } from '../../schema/json-schema.ts'
import { exactSum, figure, type Quantity, quantityIn, quantityOf } from '../view/quantity.ts'
import { SECTION } from '../view/record-blocks.ts'
import { measuresIn } from '../view/measures.ts'
import { cellText, isBlank, Table } from '../view/table.ts'
import { timeOf } from '../view/time-of.ts'
import type { OutputView } from '../view/view.ts'
import { wordsOf } from '../facts/task-words.ts'
import { nearestCategories, nearestNumbers } from './nearest-numbers.ts'
import { cellsNamed } from './cells-named.ts'
import { phraseTable } from './phrase-table.ts'

/** A question about a whole table. Without a verb, rows are counted. */
export interface Aggregate {
  /** The name of the table, as the outline has it. Without it, the first that has the columns. */
  readonly table?: string | undefined
  readonly where?: Readonly<Record<string, Condition>> | undefined
  readonly groupBy?: string | undefined
  readonly count?: boolean | undefined
  readonly sum?: string | undefined
  readonly avg?: string | undefined
  readonly min?: string | undefined
  readonly max?: string | undefined
  /** The most frequent values. */
  readonly top?: string | undefined
  readonly distinct?: string | undefined
}

/** A value, or bounds and lists of values. */
export type Condition =
  | string
  | number
  | boolean
  | null
  | {
      readonly gt?: string | number | undefined
      readonly lt?: string | number | undefined
      readonly gte?: string | number | undefined
      readonly lte?: string | number | undefined
      readonly not?: string | number | boolean | null | undefined
      readonly in?: readonly (string | number | boolean | null)[] | undefined
      readonly contains?: string | undefined
    }

const MOST_GROUPS = 60
const MOST_TOP = 20
const MOST_LARGEST = 3
const MOST_SHOWN = 20
const MOST_MISSING = 5
const VERBS = ['sum', 'avg', 'min', 'max', 'top', 'distinct'] as const

/** Counts, adds and compares over the rows of a table; what cannot be done says which tables and columns there are. */
export function aggregate({ tables, lines }: Pick<OutputView, 'tables' | 'lines'>, question: Aggregate): string {
  const named = [
    question.groupBy,
    question.sum,
    question.avg,
    question.min,
    question.max,
    question.top,
    question.distinct,
    ...Object.keys(question.where ?? {}),
  ].filter((name) => name !== undefined)
  const known = tableOf(tables, question, named)
  // Words that name no column may stand in the lines themselves.
  const numbers = new Set([question.sum, question.avg, question.min, question.max])
  const table = typeof known === 'string' ? (phraseTable({ lines }, named, (phrase) => numbers.has(phrase)) ?? known) : known
  if (typeof table === 'string') return table
  // Once for each name: cells that are made of others take as long as the table, and are asked for row by row.
  const read = new Map<string, readonly unknown[]>()
  const column = (name: string): readonly unknown[] => {
    const found = read.get(name) ?? cellsNamed(table, name) ?? []
    read.set(name, found)
    return found
  }
  const conditions = Object.entries(question.where ?? {}).map(([name, condition]) => ({
    cells: (typeof condition === 'string' ? cellsNamed(table, name, condition) : undefined) ?? column(name),
    holds: conditionOf(condition),
  }))
  const rows: number[] = []
  for (let row = 0; row < table.rows; row++) if (conditions.every(({ cells, holds }) => holds(cells[row]))) rows.push(row)
  const answer = (chosen: readonly number[]): string => answerOf(question, chosen, { table, column })
  const head = `${table.name}: ${rows.length} of ${table.rows} rows`
  if (question.groupBy === undefined) {
    const isPlain = VERBS.every((verb) => question[verb] === undefined) && question.count !== true && question.where !== undefined
    const shown = isPlain ? rows.slice(0, MOST_SHOWN).map((row) => rowText(table, row)) : []
    return [head, answer(rows), ...shown, ...(isPlain && rows.length > MOST_SHOWN ? [`… ${rows.length - MOST_SHOWN} more`] : [])].join('\n')
  }
  const groups = new Map<string, number[]>()
  const keys = column(question.groupBy)
  for (const row of rows) {
    const key = cellText(keys[row])
    const own = groups.get(key)
    if (own === undefined) groups.set(key, [row])
    else own.push(row)
  }
  const sorted = sortedGroups(groups, question, column)
  const shown = sorted.slice(0, MOST_GROUPS).map(([key, own]) => `${key === '' ? '(empty)' : key}: ${answer(own).replaceAll('\n', ', ')}`)
  return [
    `${head} in ${groups.size} groups`,
    ...shown,
    ...(sorted.length > MOST_GROUPS ? [`… ${sorted.length - MOST_GROUPS} more groups`] : []),
  ].join('\n')
}

/** By what was asked of them: the largest sum, mean or value first, the smallest for a minimum; else the largest group. */
function sortedGroups(
  groups: ReadonlyMap<string, readonly number[]>,
  { sum, avg, max, min }: Aggregate,
  column: (name: string) => readonly unknown[],
): readonly (readonly [string, readonly number[]])[] {
  const name = sum ?? avg ?? max ?? min
  const cells = name === undefined ? [] : column(name)
  const measure = (rows: readonly number[]): number => {
    const values = rows.flatMap((row) => orderOf(cells[row]) ?? [])
    if (name === undefined || values.length === 0) return name === undefined ? rows.length : -Infinity
    const total = values.reduce((all, value) => all + value, 0)
    if (sum !== undefined) return total
    if (avg !== undefined) return total / values.length
    return values.reduce((most, value) => (max === undefined ? Math.max(most, -value) : Math.max(most, value)), -Infinity)
  }
  return [...groups]
    .map(([key, rows]) => ({ key, rows, measure: measure(rows) }))
    .toSorted((a, b) => b.measure - a.measure || b.rows.length - a.rows.length)
    .map(({ key, rows }) => [key, rows] as const)
}

interface Columns {
  readonly table: Table
  readonly column: (name: string) => readonly unknown[]
}

function answerOf(question: Aggregate, rows: readonly number[], { table, column }: Columns): string {
  const answers: string[] = []
  const quantities = (name: string): { row: number; quantity: Quantity }[] => {
    const cells = column(name)
    const read = numberIn(cells)
    return rows.flatMap((row) => {
      const quantity = read(cells[row])
      return quantity === undefined ? [] : [{ row, quantity }]
    })
  }
  if (question.count === true || VERBS.every((verb) => question[verb] === undefined)) answers.push(`count ${rows.length}`)
  if (question.sum !== undefined)
    answers.push(`sum of ${question.sum} ${exactSum(quantities(question.sum).map(({ quantity }) => quantity))}`)
  if (question.avg !== undefined) {
    const own = quantities(question.avg)
    answers.push(
      `mean of ${question.avg} ${own.length === 0 ? 'none' : figure(Number(exactSum(own.map(({ quantity }) => quantity))) / own.length)}`,
    )
  }
  for (const [verb, name, sign] of [['min', question.min, -1] as const, ['max', question.max, 1] as const]) {
    if (name === undefined) continue
    const row = extremeOf(column(name), rows, sign)
    if (row === undefined) {
      answers.push(`${verb} of ${name} none`, ...nearestNumbers([table], { asked: name, verb }))
      continue
    }
    const text = cellText(column(name)[row])
    const same = rows.filter((each) => cellText(column(name)[each]) === text)
    const more = same.length === 1 ? '' : `; ${same.length} rows have it, the last one: ${rowText(table, same.at(-1) ?? row)}`
    answers.push(`${verb} of ${name} ${text} in ${rowText(table, row)}${more}${lineText(table, row)}`)
  }
  if (question.top !== undefined) answers.push(...topOf(question.top, rows, { table, column }))
  if (question.distinct !== undefined) {
    const values = new Set(rows.map((row) => cellText(column(question.distinct ?? '')[row])).filter((text) => text !== ''))
    answers.push(`${values.size} different ${question.distinct}${values.size <= MOST_GROUPS ? `: ${[...values].join(', ')}` : ''}`)
  }
  return answers.join('\n')
}

/** The most frequent values; of numbers also the largest, with their rows. */
function topOf(name: string, rows: readonly number[], { table, column }: Columns): string[] {
  const cells = column(name)
  const frequently = `top ${name}: ${frequent(cells, rows, MOST_TOP)}`
  const read = numberIn(cells)
  const numbers = rows.flatMap((row) => {
    const value = read(cells[row])?.value
    return value === undefined ? [] : [{ row, value }]
  })
  if (numbers.length < 0.9 * rows.filter((row) => !isBlank(cells[row])).length || numbers.length === 0) return [frequently]
  const largest = numbers.toSorted((a, b) => b.value - a.value).slice(0, MOST_LARGEST)
  const lines = largest.map(({ row }) => lineText(table, row)).join('')
  return [`largest ${name}: ${largest.map(({ row }) => rowText(table, row)).join('; ')}${lines}`, frequently]
}

/** How the numbers of a column are read: cells that are numbers, or texts with one number in each. */
function numberIn(cells: readonly unknown[]): (cell: unknown) => Quantity | undefined {
  const measured = measuresIn(cells)
  if (measured !== undefined) return measured
  let looked = 0
  for (const cell of cells) {
    if (isBlank(cell)) continue
    if (orderOf(cell) !== undefined) return quantityOf
    if (++looked === LOOKED_AT) break
  }
  return quantityIn
}

const LOOKED_AT = 60

function extremeOf(cells: readonly unknown[], rows: readonly number[], sign: 1 | -1): number | undefined {
  const read = numberIn(cells)
  let best: { row: number; value: number } | undefined
  for (const row of rows) {
    const value = read(cells[row])?.value ?? orderOf(cells[row])
    if (value !== undefined && (best === undefined || sign * (value - best.value) > 0)) best = { row, value }
  }
  return best?.row
}

function orderOf(cell: unknown): number | undefined {
  return quantityOf(cell)?.value ?? (typeof cell === 'string' ? timeOf(cell) : undefined)
}

function rowText(table: Table, row: number): string {
  return [...table.columns]
    .flatMap(([name, cells]) => (cells[row] === undefined ? [] : [`${name}=${cellText(cells[row]).slice(0, 80)}`]))
    .slice(0, 12)
    .join(', ')
}

/** The line that a row was made of: columns may not say all of it. */
function lineText({ sourceOf, lineOf, refs }: Table, row: number): string {
  const text = (sourceOf ?? lineOf)?.(refs[row] ?? 0)
  return text === undefined ? '' : `\n${text.slice(0, LONGEST_LINE)}`
}

const LONGEST_LINE = 300

function frequent(cells: readonly unknown[], rows: readonly number[], most: number): string {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(cellText(cells[row]), (counts.get(cellText(cells[row])) ?? 0) + 1)
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([value, count]) => `${value === '' ? '(empty)' : value} ${count}`)
    .join(', ')
}

/** Read once for all rows: a list of values costs no more for each row than one value. */
function conditionOf(condition: Condition): (cell: unknown) => boolean {
  if (!isRecord(condition)) return sameAs([condition])
  const { gt, lt, gte, lte, not, contains } = condition
  const among = condition['in']
  const isAmong = Array.isArray(among) ? sameAs(among) : () => true
  const isOther = not === undefined ? () => false : sameAs([not])
  const part = typeof contains === 'string' ? contains.toLowerCase() : ''
  const compare = (cell: unknown, bound: unknown, test: (difference: number) => boolean): boolean => {
    if (bound === undefined) return true
    const [a, b] = [orderOf(cell), orderOf(bound)]
    return a !== undefined && b !== undefined
      ? test(a - b)
      : typeof cell === 'string' && test(cell < String(bound) ? -1 : cell > String(bound) ? 1 : 0)
  }
  return (cell) =>
    compare(cell, gt, (difference) => difference > 0) &&
    compare(cell, lt, (difference) => difference < 0) &&
    compare(cell, gte, (difference) => difference >= 0) &&
    compare(cell, lte, (difference) => difference <= 0) &&
    !isOther(cell) &&
    isAmong(cell) &&
    (part === '' || cellText(cell).toLowerCase().includes(part))
}

function sameAs(wanted: readonly unknown[]): (cell: unknown) => boolean {
  const given = wanted.filter((each) => each !== null)
  const isEmpty = given.length < wanted.length
  const texts = new Set(given.map((each) => cellText(each).toLowerCase()))
  const numbers = new Set(given.flatMap((each) => quantityOf(each)?.value ?? []))
  return (cell) => {
    if (isEmpty && (cell === null || cell === undefined || cell === '')) return true
    if (texts.has(cellText(cell).toLowerCase())) return true
    const number = numbers.size === 0 ? undefined : quantityOf(cell)?.value
    return number !== undefined && numbers.has(number)
  }
}

/** A table with the rows of others that have the same columns: pages of one list. */
function withAlike(table: Table, tables: readonly Table[]): Table {
  const names = [...table.columns.keys()].join('\n')
  const alike = tables.filter((each) => [...each.columns.keys()].join('\n') === names)
  if (alike.length < 2) return table
  const all = new Table(`${table.name} and ${alike.length - 1} more with the same columns`)
  for (const each of alike) {
    each.refs.forEach((ref, at) => {
      const row = all.addRow({ ref })
      all.set(row, 'table', each.name)
      for (const [column, cells] of each.columns) if (cells[at] !== undefined) all.set(row, column, cells[at])
    })
  }
  return all
}

/** The rows under one heading, of a table that was made of several. */
function sectionOf(table: Table, lower: string): Table | undefined {
  const sections = table.columns.get(SECTION) ?? []
  const rows = table.refs.flatMap((_ref, row) => (cellText(sections[row]).toLowerCase().includes(lower) ? [row] : []))
  if (rows.length === 0) return undefined
  const own = new Table(cellText(sections[rows[0] ?? 0]))
  for (const row of rows) {
    const at = own.addRow({ ref: table.refs[row] ?? 0 })
    for (const [column, cells] of table.columns) if (cells[row] !== undefined) own.set(at, column, cells[row])
  }
  return own
}

function tableOf(
  tables: readonly Table[],
  { table: name, min, max, top, sum, avg }: Aggregate,
  columns: readonly string[],
): Table | string {
  const asked = max ?? top ?? min ?? sum ?? avg
  const numbers =
    asked === undefined
      ? undefined
      : { asked, verb: min === undefined ? ('max' as const) : ('min' as const), isAdded: asked === sum || asked === avg }
  if (tables.length === 0) return 'There are no tables in this output. Use query or page.'
  const lower = name?.toLowerCase()
  const isExact = (table: Table): boolean => columns.every((column) => table.columns.has(column))
  const wanted =
    lower === undefined
      ? tables
      : tables.filter(
          (table) =>
            table.name.toLowerCase() === lower ||
            table.name.toLowerCase().replace(/\[\]$/, '') === lower ||
            table.name.toLowerCase().includes(lower),
        )
  const inSection =
    wanted.length > 0 || lower === undefined
      ? undefined
      : tables.map((table) => sectionOf(table, lower)).find((table) => table !== undefined)
  if (inSection !== undefined && columns.every((column) => cellsNamed(inSection, column) !== undefined)) return inSection
  const words = new Set(columns.flatMap((column) => wordsOf(column)))
  const hits = (table: Table): number => new Set(wordsOf(table.name).filter((word) => words.has(word))).size
  // Of tables with these columns, the one that the question names: the time of a test is in the table of tests.
  const fitting = wanted
    .filter((table) => columns.every((column) => cellsNamed(table, column) !== undefined))
    .reduce<Table | undefined>(
      (best, table) => (best === undefined || (hits(table) > hits(best) && !isExact(best)) ? table : best),
      undefined,
    )
  if (fitting !== undefined)
    return lower === undefined
      ? withAlike(
          fitting,
          wanted.filter((table) => hits(table) === hits(fitting)),
        )
      : fitting
  const all = [...new Set(tables.flatMap((table) => [...table.columns.keys()]))]
  const missing = columns.filter((column) => !tables.some((table) => cellsNamed(table, column) !== undefined))
  const hint = missing
    .slice(0, MOST_MISSING)
    .map((column) => `There is no column '${column}'. ${didYouMean(nearestNames(column, all), '')}`)
    .join(' ')
  return [
    hint === '' ? 'No table has these columns together.' : hint,
    ...(numbers === undefined ? nearestCategories(tables, [name, ...columns].join(' ')) : nearestNumbers(tables, numbers)),
    'Tables:',
    ...tables.slice(0, 20).map((table) => `${table.name} (${table.rows} rows): ${[...table.columns.keys()].slice(0, 30).join(', ')}`),
  ].join('\n')
}
