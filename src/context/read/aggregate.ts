import { exactSum, figure, type Quantity, quantityIn, quantityOf } from '../view/quantity.ts'
import { measuresIn } from '../view/measures.ts'
import { cellText, isBlank, type Table } from '../view/table.ts'
import type { OutputView } from '../view/view.ts'
import { cellsNamed, columnRead } from './cells-named.ts'
import { coarserGroups } from './coarser-groups.ts'
import {
  type Condition,
  conditionOf,
  looserOf,
  oneOfSeveral,
  orderOf,
  periodOf,
  unknownComparisons,
  writtenCondition,
} from './conditions.ts'
import { tableLike } from './like-names.ts'
import { nearestCategories, nearestNumbers } from './nearest-numbers.ts'
import { phraseTable } from './phrase-table.ts'
import { lineText, rowsText, rowText } from './row-text.ts'
import { tableNamed, tablesListed } from './table-named.ts'

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

const MOST_GROUPS = 60
const MOST_TOP = 20
const MOST_LARGEST = 3
const MOST_SHOWN = 200
const MOST_VALUES = 12
const MOST_LISTED = 400
const VERBS = ['sum', 'avg', 'min', 'max', 'top', 'distinct'] as const

/** Counts, adds and compares over the rows of a table; what cannot be done says which tables and columns there are. */
export function aggregate({ tables, lines }: Pick<OutputView, 'tables' | 'lines'>, question: Aggregate): string {
  if (tables.length === 0) return 'There are no tables in this output. Use query or page.'
  const named = namesIn(question)
  const unknown = Object.entries(question.where ?? {}).flatMap(([name, condition]) =>
    unknownComparisons(condition).map((each) => `'${each}' of '${name}'`),
  )
  if (unknown.length > 0)
    return `In where, ${unknown.join(' and ')} is not understood, so no rows were chosen. Use a value, a list of values, or gt, gte, lt, lte, not, in, contains, startsWith, endsWith, matches, exists.`
  const known = tableNamed(tables, { name: question.table, columns: named, rowsIn: (table) => rowsOf(table, question).rows.length })
  if ('table' in known) {
    const answer = inWords(known.table, question) ?? answered(known.table, question) + rowsBelow(known.table, tables, question)
    return known.note === undefined ? answer : `${known.note}\n${answer}`
  }
  // Words that name no column may stand in the lines themselves.
  const { sum, avg, min, max, top } = question
  const numbers = new Set([sum, avg, min, max])
  const inLines = phraseTable({ lines }, named, (phrase) => numbers.has(phrase))
  if (inLines !== undefined) return answered(inLines, question)
  const asked = max ?? top ?? min ?? sum ?? avg
  const isAdded = asked === sum || asked === avg
  return [
    known.text,
    ...answeredByLike(tables, question, known.missing),
    ...(asked === undefined
      ? nearestCategories(tables, [question.table, ...named].join(' '))
      : nearestNumbers(tables, { asked, verb: min === undefined ? 'max' : 'min', isAdded })),
    ...tablesListed(tables),
  ].join('\n')
}

/** Where the chosen rows have nothing in the columns that are asked for, their lines may say it: `from 10.0.0.1`. */
function inWords(table: Table, question: Aggregate): string | undefined {
  const { where, sum, avg, min, max, ...others } = question
  const lineOf = table.sourceOf ?? table.lineOf
  const names = namesIn({ ...others, sum, avg, min, max })
  if (lineOf === undefined || where === undefined || names.length === 0) return undefined
  const { rows } = rowsOf(table, question)
  const isTold = names.some((name) => rows.some((row) => !isBlank((cellsNamed(table, name) ?? [])[row])))
  if (isTold) return undefined
  const lines = rows.map((row) => lineOf(table.refs[row] ?? 0).replace(LINE_NUMBER, ''))
  const numbers = new Set([sum, avg, min, max])
  const said = phraseTable({ lines }, names, (phrase) => numbers.has(phrase))
  if (said === undefined) return undefined
  return `${table.name}: ${rows.length} of ${table.rows} rows\n${answered(said, { ...others, sum, avg, min, max })}`
}

const LINE_NUMBER = /^line \d+: /

/** Where each group is one row, the rows that belong to it are what is counted. */
function rowsBelow(table: Table, tables: readonly Table[], question: Aggregate): string {
  const { groupBy } = question
  if (groupBy === undefined || VERBS.some((verb) => question[verb] !== undefined)) return ''
  const keys = cellsNamed(table, groupBy) ?? []
  if (new Set(keys.map(cellText)).size < table.rows) return ''
  return tables
    .filter((each) => each.parent === table && each.rows > 0)
    .slice(0, MOST_BELOW)
    .map((each) => `\n${answered(each, question)}`)
    .join('')
}

const MOST_BELOW = 3

function namesIn({ groupBy, sum, avg, min, max, top, distinct, where = {} }: Aggregate): string[] {
  return [groupBy, sum, avg, min, max, top, distinct, ...Object.keys(where)].filter((name) => name !== undefined)
}

/** The answer with the columns that are most like those that are not there. */
function answeredByLike(tables: readonly Table[], question: Aggregate, missing: readonly string[]): string[] {
  if (missing.length === 0) return []
  const { sum, avg, min, max, where = {} } = question
  const measured = new Set([sum, avg, min, max])
  const like = tableLike(
    tables,
    namesIn(question).filter((name) => !missing.includes(name)),
    missing.map((name) => ({ name, isMeasured: measured.has(name), condition: where[name] })),
  )
  if (like === undefined) return []
  const named = <T extends string | undefined>(name: T): string | T => (name === undefined ? name : (like.instead.get(name) ?? name))
  const { groupBy, top, distinct } = question
  const instead: Aggregate = {
    count: question.count,
    groupBy: named(groupBy),
    sum: named(sum),
    avg: named(avg),
    min: named(min),
    max: named(max),
    top: named(top),
    distinct: named(distinct),
    ...(question.where === undefined
      ? {}
      : { where: Object.fromEntries(Object.entries(where).map(([name, condition]) => [named(name), condition])) }),
  }
  const read = [...like.instead].map(([name, column]) => `'${column}' for '${name}'`).join(', ')
  return [`With ${read}:`, answered(like.table, instead)]
}

interface Rows {
  readonly rows: readonly number[]
  /** The conditions that no row fulfils, with the cells that they look at. */
  readonly unmet: readonly { readonly name: string; readonly cells: readonly unknown[]; readonly condition: Condition }[]
}

/** The rows that fulfil all conditions. */
function rowsOf(table: Table, { where = {} }: Aggregate, isLoose = false): Rows {
  const conditions = Object.entries(where).map(([name, condition]) => {
    const cells = (typeof condition === 'string' ? cellsNamed(table, name, condition) : undefined) ?? cellsNamed(table, name) ?? []
    const written = writtenCondition(condition)
    const listed = isListed(table, name)
    const exact = conditionOf(condition)
    // Words that no cell is may be a day, or a comparison.
    const ways = [
      exact,
      typeof condition === 'boolean' ? looserOf(condition) : periodOf(condition),
      written === undefined ? undefined : conditionOf(written),
    ].filter((way) => way !== undefined)
    const one = listed ? oneOfSeveral(condition) : undefined
    const fulfilled = one !== undefined && cells.some(one) ? either(exact, one) : ways.find((holds) => cells.some(holds))
    const isUnmet = fulfilled === undefined
    if (fulfilled !== undefined) return { name, cells, condition, isUnmet, holds: fulfilled }
    return { name, cells, condition, isUnmet, holds: isLoose && isUnmet ? (looserOf(condition) ?? exact) : exact }
  })
  const rows: number[] = []
  for (let row = 0; row < table.rows; row++) if (conditions.every(({ cells, holds }) => holds(cells[row]))) rows.push(row)
  return { rows, unmet: conditions.filter(({ isUnmet }) => isUnmet) }
}

function either(a: (cell: unknown) => boolean, b: (cell: unknown) => boolean): (cell: unknown) => boolean {
  return (cell) => a(cell) || b(cell)
}

/** Whether the cells of a column are lists of values, which have a table of their own. */
function isListed(table: Table, name: string): boolean {
  return listTable(table, name) !== undefined
}

function listTable(table: Table, name: string): Table | undefined {
  return table.children.find((each) => each.name === `${table.name}.${name}[]` && each.columns.has('value'))
}

/** What a table says to a question: of how many rows, then the answer. Where no row is meant, what the columns hold instead. */
function answered(table: Table, question: Aggregate): string {
  const { rows, unmet } = rowsOf(table, question)
  const answer = answeredOf(table, rows, question)
  if (rows.length > 0 || table.rows === 0) return answer
  const values = unmet.map(({ name, cells }) => `${name} has: ${valuesIn(cells)}`)
  const looser = rowsOf(table, question, true).rows
  if (looser.length === 0) return [answer, ...values].join('\n')
  return [answer, ...values, 'With what is written otherwise, or has more around it:', answeredOf(table, looser, question)].join('\n')
}

function valuesIn(cells: readonly unknown[]): string {
  const rows = cells.flatMap((cell, row) => (isBlank(cell) ? [] : [row]))
  const different = new Set(rows.map((row) => cellText(cells[row]))).size
  return `${frequent(cells, rows, MOST_VALUES)}${different > MOST_VALUES ? `, … ${different} values` : ''}`
}

function answeredOf(table: Table, rows: readonly number[], question: Aggregate): string {
  // Once for each name: cells that are made of others take as long as the table, and are asked for row by row.
  const read = new Map<string, readonly unknown[]>()
  const column = (name: string): readonly unknown[] => {
    const found = read.get(name) ?? cellsNamed(table, name) ?? []
    read.set(name, found)
    return found
  }
  const answer = (chosen: readonly number[]): string => answerOf(question, chosen, { table, column })
  const others = [...new Set(namesIn(question))].flatMap((name) => {
    const other = columnRead(table, name)
    return other === undefined ? [] : [`'${name}' read as ${other}`]
  })
  const head = `${table.name}: ${rows.length} of ${table.rows} rows${rows.length === 0 ? ', no rows match' : ''}${others.length === 0 ? '' : `; ${others.join(', ')}`}`
  if (question.groupBy === undefined) {
    const isPlain = VERBS.every((verb) => question[verb] === undefined) && question.count !== true && question.where !== undefined
    return [head, answer(rows), ...(isPlain ? rowsText(table, rows, MOST_SHOWN) : [])].join('\n')
  }
  const groups = new Map<string, number[]>()
  const keys = column(question.groupBy)
  for (const row of rows) {
    const key = cellText(keys[row])
    const own = groups.get(key)
    if (own === undefined) groups.set(key, [row])
    else own.push(row)
  }
  const isCounted = question.count === true || VERBS.every((verb) => question[verb] === undefined)
  const said = ([key, own]: readonly [string, readonly number[]]): string =>
    `${key === '' ? '(empty)' : key}: ${answer(own).replaceAll('\n', ', ')}${isCounted ? '' : ` (${own.length} ${own.length === 1 ? 'row' : 'rows'})`}`
  const sorted = sortedGroups(groups, question, column)
  const own = question.where === undefined && isCounted ? listTable(table, question.groupBy) : undefined
  const apart =
    own === undefined ? [] : [`each value by itself: ${frequent(own.columns.get('value') ?? [], [...own.refs.keys()], MOST_GROUPS)}`]
  const more = sorted.length - MOST_GROUPS
  const last = sorted.slice(-LEAST_SHOWN).map(said).join('; ')
  const coarser = coarserGroups(groups)
  const together =
    coarser === undefined ? [] : [`by ${coarser.name}:`, ...sortedGroups(coarser.groups, question, column).map(said), 'each:']
  return [
    `${head} in ${groups.size} groups`,
    ...apart,
    ...together,
    ...sorted.slice(0, MOST_GROUPS).map(said),
    ...(more > 0 ? [`… ${more} more groups, the last: ${last}`] : []),
  ].join('\n')
}

const LEAST_SHOWN = 3

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
    answers.push(`${values.size} different ${question.distinct}${values.size <= MOST_LISTED ? `: ${[...values].join(', ')}` : ''}`)
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

function frequent(cells: readonly unknown[], rows: readonly number[], most: number): string {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(cellText(cells[row]), (counts.get(cellText(cells[row])) ?? 0) + 1)
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([value, count]) => `${value === '' ? '(empty)' : value} ${count}`)
    .join(', ')
}
