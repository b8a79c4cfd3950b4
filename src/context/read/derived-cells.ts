import { isStopWord, wordsOf } from '../facts/task-words.ts'
import { quantityOf } from '../view/quantity.ts'
import { cellText, type Table } from '../view/table.ts'
import { momentOfNumber, writtenTime } from '../view/time-of.ts'
import { columnsOfTimes } from '../view/time-spans.ts'

type Cells = readonly unknown[]

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const iso = (length: number) => (time: Date) => time.toISOString().slice(0, length)

const PARTS: Readonly<Record<string, (time: Date) => string>> = {
  year: iso(4),
  quarter: (time) => `${time.getUTCFullYear()}-Q${1 + Math.floor(time.getUTCMonth() / 3)}`,
  month: iso(7),
  week: (time) => `${iso(10)(new Date(time.getTime() - ((time.getUTCDay() + 6) % 7) * 86_400_000))} (week from Monday)`,
  day: iso(10),
  date: iso(10),
  hour: iso(13),
  minute: iso(16),
  weekday: (time) => DAYS[time.getUTCDay()] ?? '',
}
const ALSO: Readonly<Record<string, string>> = {
  monthly: 'month',
  daily: 'day',
  hourly: 'hour',
  weekly: 'week',
  dow: 'weekday',
  dayofweek: 'weekday',
  yearly: 'year',
}

/** `hour`, `day of created_at`, `created_at.month`, `date(created)`: of the column that is named, else of the first one with times. */
export function partsOfTime(table: Table, name: string, cellsOf: (name: string) => Cells | undefined): Cells | undefined {
  const words = name.toLowerCase().match(/[\p{L}\d]+/gu) ?? []
  const isOfWeek = /\bday of (?:the )?week\b/i.test(name)
  const found = isOfWeek ? 'weekday' : words.map((word) => ALSO[word] ?? word).find((word) => Object.hasOwn(PARTS, word))
  const part = PARTS[found ?? '']
  if (part === undefined) return undefined
  const others = name.replace(new RegExp(`\\b(?:${found}|${Object.keys(ALSO).join('|')}|week|of|the|by|per|in)\\b`, 'giu'), ' ')
  const left = others.match(/[\p{L}\d_][\p{L}\d_.]*/gu) ?? []
  const named = left.length === 0 ? undefined : cellsOf(left.join(' '))
  const times = [...columnsOfTimes(table).map(([, cells]) => cells), ...[...table.columns.values()].filter(isOfMoments)]
  const cells =
    named !== undefined && times.includes(named)
      ? named
      : left.every(isStopWord) || named === undefined
        ? (times.find(isDated) ?? times[0])
        : undefined
  return cells?.map((cell) => {
    const time = momentOfNumber(quantityOf(cell)?.value ?? 0) ?? writtenTime(cellText(cell))
    return time === undefined || Math.abs(time) > MOST_TIME ? undefined : part(new Date(time))
  })
}

/** Spans and times of day are of no day. */
function isDated(cells: Cells): boolean {
  const first = cells.find((cell) => cell !== undefined && cell !== '')
  return momentOfNumber(quantityOf(first)?.value ?? 0) !== undefined || (writtenTime(cellText(first)) ?? 0) > A_YEAR
}

const A_YEAR = 366 * 86_400_000

/** Numbers of seconds or milliseconds since the epoch. */
function isOfMoments(cells: Cells): boolean {
  const sample = cells.filter((cell) => cell !== undefined).slice(0, LOOKED_AT)
  return sample.length >= FEWEST_MOMENTS && sample.every((cell) => momentOfNumber(quantityOf(cell)?.value ?? 0) !== undefined)
}

const LOOKED_AT = 40
const FEWEST_MOMENTS = 3
const MOST_TIME = 8.64e15

const OPERATORS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '*': (a, b) => a * b,
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '/': (a, b) => a / b,
}

/** `quantity * price`: computed row by row. */
export function computedCells(name: string, cellsOf: (name: string) => Cells | undefined): Cells | undefined {
  const [, left = '', sign = '', right = ''] =
    /^([^*×+/]+?)\s*(?:([*+/])|\s([x×-])\s)\s*([^*×+/]+)$/u.exec(name)?.filter((each) => each !== undefined) ?? []
  const operator = OPERATORS[/[x×]/.test(sign) ? '*' : sign]
  if (operator === undefined) return undefined
  const [a, b] = [left, right].map((each) => (/^\d+(?:\.\d+)?$/.test(each.trim()) ? Number(each) : cellsOf(each.trim())))
  if (a === undefined || b === undefined || (typeof a === 'number' && typeof b === 'number')) return undefined
  const rows = Array.isArray(a) ? a.length : Array.isArray(b) ? b.length : 0
  const valueAt = (cells: Cells | number, row: number): number | undefined =>
    typeof cells === 'number' ? cells : quantityOf(cells[row])?.value
  return Array.from({ length: rows }, (_, row) => {
    const [x, y] = [valueAt(a, row), valueAt(b, row)]
    const value = x === undefined || y === undefined ? NaN : operator(x, y)
    return Number.isFinite(value) ? Number(value.toPrecision(15)) : undefined
  })
}

/** `country, status`, `country and status`: the values of both beside each other. */
export function cellsTogether(name: string, cellsOf: (name: string) => Cells | undefined): Cells | undefined {
  const names = name.split(/\s*(?:[,;|&]|\s(?:and|by|then)\s)\s*/i).filter((each) => each !== '')
  if (names.length < 2) return undefined
  const all = names.map(cellsOf)
  if (all.some((cells) => cells === undefined)) return undefined
  const rows = all.reduce((most, cells) => Math.max(most, cells?.length ?? 0), 0)
  return Array.from({ length: rows }, (_, row) => all.map((cells) => cellText(cells?.[row])).join(', '))
}

const COUNTING = new Set(['number', 'count', 'length', 'size', 'how', 'many', 'num', 'total', 'quantity'].flatMap(wordsOf))

/** `items`, `number of items`: how many rows of a table below belong to each. */
export function countsBelow(table: Table, name: string): Cells | undefined {
  const words = wordsOf(name).filter((word) => !COUNTING.has(word))
  const [asked] = words
  if (asked === undefined || words.length > 1) return undefined
  const child = table.children.find((each) => wordsOf(each.name).at(-1) === asked)
  if (child === undefined) return undefined
  const counts = table.refs.map(() => 0)
  for (const row of child.parentRows) if (row >= 0) counts[row] = (counts[row] ?? 0) + 1
  return counts
}
