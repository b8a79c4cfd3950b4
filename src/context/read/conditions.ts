import { isRecord } from '../../schema/json-schema.ts'
import { quantityOf } from '../view/quantity.ts'
import { cellText } from '../view/table.ts'
import { timeOf } from '../view/time-of.ts'

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

/** Read once for all rows: a list of values costs no more for each row than one value. */
export function conditionOf(condition: Condition): (cell: unknown) => boolean {
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

/** The same condition for a value that is written otherwise: with more around it, with other marks, at a time of that day. Undefined for bounds. */
export function looserOf(condition: Condition): ((cell: unknown) => boolean) | undefined {
  const wanted = isRecord(condition) ? (condition['contains'] ?? condition['in']) : condition
  const all = (Array.isArray(wanted) ? (wanted as readonly unknown[]) : [wanted]).filter((each) => each !== undefined && each !== null)
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

const A_YEAR = 366 * 86_400_000

function dayOf(cell: unknown): string | undefined {
  const time = typeof cell === 'string' && cell.length <= 40 && /\d/.test(cell) ? timeOf(cell) : undefined
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
