import { ExactNumber } from '../../json/exact-number.ts'

/** A number as a cell writes it: `1,200.50 EUR` is 1200.5 with the unit `EUR`. */
export interface Quantity {
  readonly value: number
  /** The digits without separators of thousands, for an exact sum. */
  readonly digits: string
  readonly unit: string
}

const LONGEST = 40
const WRITTEN =
  /^([-+]?)\s?([$€£¥]?|(?:EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|CAD|AUD|INR|CNY) )\s?(\d{1,3}(?:,\d{3})+|\d{1,18})(\.\d{1,12})?\s?(%|[A-Za-z]{1,4}(?:\/s)?)?(?:\s\/\s[A-Za-z]{1,8})?$/

/** As many countries write it: `1.415,71`. */
const WITH_COMMA =
  /^([-+]?)\s?([$€£¥]?|(?:EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|CAD|AUD|INR|CNY) )\s?(\d{1,3}(?:\.\d{3})+|\d{1,18}),(\d{1,2})\s?(%|[A-Za-z€]{1,4})?$/

/** As banks write it: `117.89-`. */
const SIGN_LAST = /^(\d[\d.,]*[.,]\d\d)([-+])$/

/** The number that a cell is; undefined for everything else. */
export function quantityOf(cell: unknown): Quantity | undefined {
  if (typeof cell === 'number') return Number.isFinite(cell) ? { value: cell, digits: String(cell), unit: '' } : undefined
  if (cell instanceof ExactNumber) return { value: Number(cell.source), digits: cell.source, unit: '' }
  if (typeof cell !== 'string' || cell.length > LONGEST || cell === '') return undefined
  const text = cell.trim().replace(SIGN_LAST, '$2$1')
  const comma = WITH_COMMA.exec(text)
  if (comma !== null) return withComma(comma)
  const [, sign, currency = '', whole, fraction = '', unit = ''] = WRITTEN.exec(text) ?? []
  // A zero in front is part of an identifier: 00123.
  if (whole === undefined || (whole.length > 1 && whole.startsWith('0'))) return undefined
  const digits = `${sign === '-' ? '-' : ''}${whole.replaceAll(',', '')}${fraction}`
  return { value: Number(digits), digits, unit: currency.trim() || unit }
}

const WITHIN = /(?<![\w.,-])(\d[\d.,]*)\s?(%|[A-Za-z]{1,5}(?:\/s)?)(?![\w])/g

/** The number with a unit that a text speaks of, if it is the only one: `plan.pdf (812 kB)`. */
export function quantityIn(cell: unknown): Quantity | undefined {
  const whole = quantityOf(cell)
  if (whole !== undefined || typeof cell !== 'string' || cell.length > LONGEST_SPOKEN) return whole
  const [only, second] = [...cell.matchAll(WITHIN)].flatMap(([text]) => quantityOf(text) ?? [])
  return second === undefined ? only : undefined
}

const LONGEST_SPOKEN = 200

function withComma([, sign = '', currency = '', whole = '', fraction = '', unit = '']: RegExpExecArray): Quantity {
  const digits = `${sign === '-' ? '-' : ''}${whole.replaceAll('.', '')}.${fraction}`
  return { value: Number(digits), digits, unit: currency.trim() || unit }
}

/** Adds decimals without rounding. A number in scientific form makes the sum an approximate one. */
export function exactSum(numbers: readonly Quantity[]): string {
  const short = shortSum(numbers)
  if (short !== undefined) return short
  let decimals = 0
  for (const { digits } of numbers) {
    if (!PLAIN.test(digits)) return String(numbers.reduce((sum, { value }) => sum + value, 0))
    const point = digits.indexOf('.')
    if (point >= 0) decimals = Math.max(decimals, digits.length - point - 1)
  }
  let sum = 0n
  for (const { digits } of numbers) {
    const [whole = '0', fraction = ''] = digits.split('.')
    sum += BigInt(whole + fraction.padEnd(decimals, '0'))
  }
  return decimalText(sum, decimals)
}

const LONGEST_SHORT = 15
const MOST_DECIMALS = 6

/** The sum of numbers of few digits, as whole numbers that a double holds exactly; undefined where they may not be. */
function shortSum(numbers: readonly Quantity[]): string | undefined {
  let decimals = 0
  for (const { digits } of numbers) {
    if (digits.length > LONGEST_SHORT || digits.includes('e')) return undefined
    const point = digits.indexOf('.')
    if (point >= 0) decimals = Math.max(decimals, digits.length - point - 1)
  }
  if (decimals > MOST_DECIMALS) return undefined
  const scale = 10 ** decimals
  let sum = 0
  for (const { value } of numbers) {
    const scaled = Math.round(value * scale)
    sum += scaled
    if (Math.abs(scaled) > MOST_SCALED || Math.abs(sum) > MOST_SCALED) return undefined
  }
  return decimalText(BigInt(sum), decimals)
}

/** Below this, a product with a power of ten is nearer to its whole number than to any other. */
const MOST_SCALED = 2 ** 50

const PLAIN = /^-?\d+(?:\.\d+)?$/

function decimalText(scaled: bigint, decimals: number): string {
  if (decimals === 0) return String(scaled)
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`
}

/** A figure that was computed, such as a mean: short, and never as `1e+21`. */
export function figure(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value)
  const size = Math.abs(value)
  return String(Number(size >= 1000 ? value.toFixed(1) : size >= 1 ? value.toFixed(2) : value.toPrecision(3)))
}
