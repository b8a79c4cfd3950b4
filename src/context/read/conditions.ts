import { isRecord } from '../../schema/json-schema.ts'
import { measuredAlike } from '../view/measures.ts'
import { quantityOf } from '../view/quantity.ts'
import { cellText, isBlank } from '../view/table.ts'
import { momentOfNumber, timeOf, writtenTime } from '../view/time-of.ts'
import { patternOf } from './pattern-of.ts'

/** A value, values of which one is meant, or bounds and other conditions that must all hold. */
export type Condition =
  | string
  | number
  | boolean
  | null
  | readonly (string | number | boolean | null)[]
  | { readonly [comparison: string]: unknown }

/** Read once for all rows: a list of values costs no more for each row than one value. */
export function conditionOf(condition: Condition): (cell: unknown) => boolean {
  if (Array.isArray(condition)) return sameAs(condition)
  if (!isRecord(condition)) return sameAs([condition])
  const all = comparisonsOf(condition).map(({ kind, value }) => COMPARED[kind](value))
  return (cell) => all.every((holds) => holds(cell))
}

type Test = (cell: unknown) => boolean

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])
const notThose = (value: unknown): Test => {
  const isSame = sameAs(list(value))
  return (cell) => !isSame(cell)
}
const anyText = (value: unknown, test: (own: string, part: string) => boolean): Test => {
  const parts = list(value).map((each) => cellText(each).toLowerCase())
  return (cell) => parts.some((part) => test(cellText(cell).toLowerCase(), part))
}

const COMPARED = {
  gt: (value: unknown) => bounded(value, (difference) => difference > 0),
  gte: (value: unknown) => bounded(value, (difference) => difference >= 0),
  lt: (value: unknown) => bounded(value, (difference) => difference < 0),
  lte: (value: unknown) => bounded(value, (difference) => difference <= 0, true),
  is: (value: unknown) => sameAs(list(value)),
  not: notThose,
  contains: (value: unknown) => anyText(value, (own, part) => own.includes(part)),
  lacks: (value: unknown) => {
    const has = anyText(value, (own, part) => own.includes(part))
    return (cell: unknown) => !has(cell)
  },
  starts: (value: unknown) => anyText(value, (own, part) => own.startsWith(part)),
  ends: (value: unknown) => anyText(value, (own, part) => own.endsWith(part)),
  matches: (value: unknown) => {
    const pattern = patternOf(String(value))
    return (cell: unknown) => pattern.test(cellText(cell).slice(0, LONGEST_MATCHED))
  },
  exists: (value: unknown) => (cell: unknown) => isBlank(cell) === (value === false),
} as const satisfies Readonly<Record<string, (value: unknown) => Test>>

const LONGEST_MATCHED = 1000

/** The names of a comparison, without marks and blanks, beside its own. */
const COMPARISONS: Readonly<Record<keyof typeof COMPARED, string>> = {
  gt: '> greaterthan after above over morethan',
  gte: '>= ge min from since atleast',
  lt: '< lessthan before below under fewerthan',
  lte: '<= le max to until atmost',
  is: '= == === eq equals equal in anyof oneof value',
  not: '!= <> !== ne neq notequals notequal isnot notin nin noneof',
  contains: 'includes like ilike has icontains',
  lacks: 'notcontains excludes notlike doesnotcontain',
  starts: 'startswith prefix beginswith begins',
  ends: 'endswith suffix',
  matches: 'regex regexp match pattern',
  exists: 'present notnull',
}
const KIND_OF = new Map(
  Object.entries(COMPARISONS).flatMap(([kind, names]) => [kind, ...names.split(' ')].map((name) => [name, kind as keyof typeof COMPARED])),
)

interface Comparison {
  readonly kind: keyof typeof COMPARED
  readonly value: unknown
}

function comparisonsOf(condition: Readonly<Record<string, unknown>>): readonly Comparison[] {
  return Object.entries(condition).flatMap(([name, value]): readonly Comparison[] => {
    if (value === undefined) return []
    const plain = plainName(name)
    if (plain === 'between' || plain === 'range') {
      const [from, to] = list(value)
      return [
        { kind: 'gte', value: from },
        { kind: 'lte', value: to },
      ]
    }
    const kind = KIND_OF.get(plain)
    // `%ana%`, as databases have it.
    const isLike = kind === 'contains' && typeof value === 'string' && plain.endsWith('like')
    return kind === undefined ? [] : [{ kind, value: isLike ? value.replace(/^%|%$/g, '') : value }]
  })
}

function plainName(name: string): string {
  const letters = name.toLowerCase().replace(/[^a-z]+/g, '')
  return letters === '' ? name.trim() : letters
}

/** What a condition says that nobody understands: rows must not be counted as if it held. */
export function unknownComparisons(condition: Condition): readonly string[] {
  if (!isRecord(condition)) return []
  return Object.keys(condition).filter((name) => !['between', 'range'].includes(plainName(name)) && !KIND_OF.has(plainName(name)))
}

/** The same bound for all cells; one of a day alone goes to its end, and a time of day is compared with that of a moment. */
function bounded(bound: unknown, test: (difference: number) => boolean, isEnd = false): Test {
  const order = orderOf(bound)
  const clock = typeof bound === 'string' && CLOCK.test(bound.trim()) ? timeOf(bound.trim()) : undefined
  const end = isEnd && typeof bound === 'string' && A_DAY.test(bound.trim()) && order !== undefined ? order + DAY_MS - 1 : undefined
  const moment = typeof bound === 'string' && order !== undefined && order > A_YEAR && quantityOf(bound) === undefined
  return (cell) => {
    const measured = typeof bound === 'string' && typeof cell === 'string' ? measuredAlike(cell, bound) : undefined
    if (measured !== undefined) return test(measured[0] - measured[1])
    const own = (moment ? momentOf(cell) : undefined) ?? orderOf(cell)
    if (own === undefined || order === undefined) {
      return typeof cell === 'string' && test(cell < String(bound) ? -1 : cell > String(bound) ? 1 : 0)
    }
    if (typeof cell === 'string' && own > A_YEAR && clock !== undefined) return test(((writtenTime(cell) ?? own) % DAY_MS) - clock)
    return test(own - (end !== undefined ? end : order))
  }
}

/** Of a number of seconds since the epoch. */
function momentOf(cell: unknown): number | undefined {
  const value = quantityOf(cell)?.value
  return value === undefined ? undefined : momentOfNumber(value)
}

const CLOCK = /^\d{1,2}:\d\d(?::\d\d(?:\.\d{1,6})?)?$/
const A_DAY = /^\d{4}-\d\d-\d\d$/
const DAY_MS = 86_400_000

/** A condition that a text writes: `> 800`, `!= open`, `ORD-50*`, `a|b`. Undefined for a plain value. */
export function writtenCondition(condition: Condition): Condition | undefined {
  if (typeof condition !== 'string') return undefined
  const [, comparison, value = ''] = /^\s*(>=|<=|!=|<>|==?|>|<)\s*(\S.*)$/.exec(condition) ?? []
  if (comparison !== undefined) return { [comparison]: value.trim().replace(/^(["'])(.*)\1$/, '$2') }
  if (/\||\bOR\b/.test(condition)) return condition.split(/\s*(?:\|{1,2}|\bOR\b)\s*/).filter((each) => each !== '')
  const [, from, to] = /^(\S+)\s*(?:\.\.|…)\s*(\S+)$/.exec(condition) ?? []
  if (from !== undefined && to !== undefined) return { between: [from, to] }
  return /[*%]/.test(condition) && condition.replace(/[*%]/g, '').length >= 2
    ? { matches: `^${condition.replace(/%/g, '*').replaceAll('*', '.*')}$` }
    : undefined
}

/** One of the values of a cell that has several: `go` in `ts, go`. Undefined for other conditions. */
export function oneOfSeveral(condition: Condition): Test | undefined {
  const told = isRecord(condition)
    ? comparisonsOf(condition).flatMap(({ kind, value }) => (kind === 'is' || kind === 'contains' ? list(value) : []))
    : list(condition)
  const wanted = new Set(told.filter((each) => each !== null).map((each) => cellText(each).toLowerCase()))
  if (wanted.size === 0) return undefined
  return (cell) =>
    typeof cell === 'string' &&
    cell.includes(', ') &&
    cell
      .toLowerCase()
      .split(', ')
      .some((each) => wanted.has(each))
}

/** A day, a month, an hour: every moment in it is meant. Undefined for other conditions. */
export function periodOf(condition: Condition): Test | undefined {
  const wanted = (isRecord(condition) ? [] : list(condition)).map((each) => cellText(each).trim())
  if (wanted.length === 0 || !wanted.every((each) => PERIOD.test(each))) return undefined
  const prefixes = wanted.map((each) => each.replace(' ', 'T'))
  return (cell) => {
    const time = momentOf(cell) ?? (typeof cell === 'string' ? writtenTime(cell) : undefined)
    if (time === undefined || time < A_YEAR || Math.abs(time) > MOST_TIME) return false
    const iso = new Date(time).toISOString()
    return prefixes.some((prefix) => iso.startsWith(prefix))
  }
}

const MOST_TIME = 8.64e15
const PERIOD = /^(?:19|20)\d\d(?:-\d\d)?$|^\d{4}-\d\d(?:-\d\d(?:[T ]\d\d(?::\d\d)?)?)?$/

/** The same condition for a value that is written otherwise: with more around it, with other marks, at a time of that day. Undefined for bounds. */
export function looserOf(condition: Condition): ((cell: unknown) => boolean) | undefined {
  const told = isRecord(condition)
    ? comparisonsOf(condition).flatMap(({ kind, value }) => (kind === 'is' || kind === 'contains' ? list(value) : []))
    : list(condition)
  const all = told.filter((each) => each !== undefined && each !== null)
  if (all.length === 0) return undefined
  const texts = all.map((each) => bare(cellText(each))).filter((text) => text !== '')
  const days = new Set(all.flatMap((each) => dayOf(each) ?? []))
  const isSaid = all.map((each) => SAID.findIndex((words) => words.has(cellText(each).toLowerCase()))).filter((at) => at >= 0)
  return (cell) => {
    if (cell === undefined || cell === null || cell === '') return false
    const own = bare(cellText(cell))
    if (own !== '' && texts.some((text) => (text.length < FEWEST_WITHIN ? own === text : own.includes(text)))) return true
    if (isSaid.some((at) => SAID[at]?.has(cellText(cell).toLowerCase()) === true)) return true
    const day = days.size === 0 ? undefined : dayOf(cell)
    return day !== undefined && days.has(day)
  }
}

/** A shorter text stands in others by chance. */
const FEWEST_WITHIN = 3

const SAID: readonly ReadonlySet<string>[] = [
  new Set(['true', 'yes', 'y', 't', '1', 'on', 'enabled', 'active']),
  new Set(['false', 'no', 'n', 'f', '0', 'off', 'disabled', 'inactive']),
]

/** Letters and digits alone. */
function bare(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, '')
}

const A_YEAR = 366 * DAY_MS

function dayOf(cell: unknown): string | undefined {
  const time = typeof cell === 'string' && cell.length <= 40 && /\d/.test(cell) ? writtenTime(cell) : undefined
  // A time of day alone counts from the epoch: it is of no day.
  return time === undefined || Math.abs(time) < A_YEAR ? undefined : new Date(time).toISOString().slice(0, 10)
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

/** A number or a moment. */
export function orderOf(cell: unknown): number | undefined {
  return quantityOf(cell)?.value ?? (typeof cell === 'string' ? timeOf(cell) : undefined)
}
