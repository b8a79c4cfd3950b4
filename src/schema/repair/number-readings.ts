import type { JsonSchema } from '../json-schema.ts'
import { isMultiple } from './local-check.ts'
import { losesDigits } from './loose-json.ts'
import { numberWord } from './number-words.ts'
import { plainNumeral } from './numeral-notations.ts'

/** A number that a text may stand for. */
export interface NumberReading {
  readonly value: number
  readonly cost: number
}

export interface NumberEvidence {
  /** The numbers that the schema can take at all: whole ones, multiples of a step. Bounds say nothing about a notation. */
  readonly isOnGrid: (value: number) => boolean
  readonly decimal: ',' | '.' | undefined
  /** In prices three digits behind a dot may be thousands. */
  readonly isMoney: boolean
  readonly isId: boolean
}

const LONGEST = 60
const FRACTIONS = [0.5, 0.1, 0.25, 0.01]

/** The test for the grid of a schema. */
export function gridOf({ type, multipleOf }: JsonSchema): (value: number) => boolean {
  const isWhole = type === 'integer' || (Array.isArray(type) && type.includes('integer') && !type.includes('number'))
  return (value) => (!isWhole || Number.isInteger(value)) && (typeof multipleOf !== 'number' || isMultiple(value, multipleOf))
}

/** All numbers that the whole text may stand for. Two that differ are a tie. */
export function numberReadings(text: string, evidence: NumberEvidence): readonly NumberReading[] {
  if (text.length > LONGEST) return []
  const word = evidence.isId ? undefined : numberWord(text)
  if (word !== undefined) return onGrid([{ value: word, cost: 2 }], evidence)
  const numeral = evidence.isId ? undefined : plainNumeral(text)
  if (numeral !== undefined) return onGrid(numberReadings(numeral, evidence), evidence).map(({ value }) => ({ value, cost: 2 }))
  if (hasLeadingZeros(text, evidence.isId)) return []
  // `12e4` is a power of ten, and `12,345` has thousands, except in a name.
  if (evidence.isId && /\de|[\s,']/i.test(text)) return []
  const plain = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(text) ? numberIn(text) : undefined
  const isTie = /^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(text)
  // Where fractions are taken, `10.005` has too many digits and no thousands.
  if (isTie && plain !== undefined && !evidence.isOnGrid(plain) && FRACTIONS.some(evidence.isOnGrid) && evidence.decimal !== ',') return []
  const readings: NumberReading[] = []
  if (plain !== undefined && !(isTie && evidence.decimal === ',')) readings.push({ value: plain, cost: 1 })
  if (plain === undefined || (isTie && (evidence.isMoney || !evidence.isOnGrid(plain) || Number.isInteger(plain))))
    if (!(isTie && evidence.decimal === '.')) readings.push(...grouped(text, evidence))
  return onGrid(readings, evidence)
}

/** A price, a count or a length may begin with one zero; `007` is a name. */
function hasLeadingZeros(text: string, isId: boolean): boolean {
  return isId ? /^[+-]?0\d/.test(text) : /^[+-]?0\d{2,}/.test(text)
}

function onGrid(readings: readonly NumberReading[], { isOnGrid }: NumberEvidence): readonly NumberReading[] {
  return readings.filter(({ value }) => isOnGrid(value))
}

function numberIn(text: string): number | undefined {
  return losesDigits(text.replace(/^\+/, '')) ? undefined : Number(text)
}

const GROUPS = [
  { group: ',', decimal: '.' },
  { group: '.', decimal: ',' },
  { group: ' ', decimal: '.' },
  { group: ' ', decimal: ',' },
  { group: "'", decimal: '.' },
  { group: '_', decimal: '.' },
] as const

const LAKHS = /^[+-]?[1-9]\d?(?:,\d\d)+,\d{3}(?:\.\d+)?$/

/** Readings with groups of three digits or a decimal comma. */
function grouped(given: string, evidence: NumberEvidence): readonly NumberReading[] {
  const text = given.replace(/[\u00a0\u2009\u202f]/g, ' ')
  const values = new Set<number>()
  for (const { group, decimal } of GROUPS) {
    const [whole = '', fraction, ...more] = text.split(decimal)
    if (more.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) continue
    const [first = '', ...groups] = whole.split(group)
    if (!/^[+-]?[1-9]\d{0,2}$/.test(first) || groups.length === 0 || !groups.every((each) => /^\d{3}$/.test(each))) continue
    // One group alone reads as decimals too: `1,234`.
    const isOneGroup = fraction === undefined && groups.length === 1
    if (isOneGroup && group === ',' && evidence.decimal === ',') continue
    // A program writes fractions with a dot. That a whole number is needed does not make `3.125` one, except beside a decimal comma; `3.000` is a tie.
    if (isOneGroup && group === '.' && !evidence.isMoney && evidence.decimal !== ',' && !text.endsWith('.000')) continue
    // Two signs tell their roles themselves.
    if (evidence.decimal === group && fraction === undefined) continue
    const value = numberIn(`${first}${groups.join('')}${fraction === undefined ? '' : `.${fraction}`}`)
    if (value !== undefined) values.add(value)
  }
  // Groups of two digits before the last three, as in India, have one reading.
  const lakhs = LAKHS.test(text) && evidence.decimal !== ',' ? numberIn(text.replaceAll(',', '')) : undefined
  if (lakhs !== undefined) values.add(lakhs)
  const decimals = /^([+-]?\d+),(\d+)$/.exec(text)
  // In whole numbers `10,000` is never 10.
  const isDecimal =
    decimals !== null && evidence.decimal !== '.' && !(evidence.isOnGrid(1) && !evidence.isOnGrid(0.5) && /^0+$/.test(decimals[2] ?? ''))
  if (isDecimal) {
    const value = numberIn(text.replace(',', '.'))
    if (value !== undefined) values.add(value)
  }
  return Array.from(values, (value) => ({ value, cost: 2 }))
}
