import { numberWord } from './number-words.ts'

const SCALES: Readonly<Record<string, string>> = { thousand: 'e3', million: 'e6', billion: 'e9' }

/**
 * A number that is written with more than digits and separators, as a plain decimal number: `1.5×10^3`, `2.5 million`, `3 1/2`, `minus 5`,
 * `12 (twelve)`. Undefined for other texts. A fraction alone (`1/2`) may be a day or a place in a row.
 */
export function plainNumeral(text: string): string | undefined {
  if (text.length > LONGEST) return undefined
  const value = signed(text) ?? power(text) ?? scaled(text) ?? mixed(text) ?? glyph(text) ?? explained(text)
  return value === undefined || value === text ? undefined : value
}

const LONGEST = 40

function signed(text: string): string | undefined {
  const number = /^(?:minus|negative)\s+(\d[\d.,]*)$/i.exec(text)?.[1]
  return number === undefined ? undefined : `-${number}`
}

function power(text: string): string | undefined {
  const [, factor = '1', sign = '', exponent] = /^(?:([+-]?\d+(?:\.\d+)?)\s*[x×*·]\s*)?10(?:\^|\*\*)([+-]?)(\d{1,2})$/i.exec(text) ?? []
  return exponent === undefined ? undefined : decimal(Number(`${factor}e${sign}${exponent}`))
}

function scaled(text: string): string | undefined {
  const [, count, scale = ''] = /^([+-]?\d+(?:\.\d+)?)\s*(thousand|million|billion)$/i.exec(text) ?? []
  return count === undefined ? undefined : decimal(Number(`${count}${SCALES[scale.toLowerCase()]}`))
}

function mixed(text: string): string | undefined {
  const [, minus = '', whole, over, under] = /^(-?)(\d+)\s(\d{1,3})\/(\d{1,3})$/.exec(text) ?? []
  if (whole === undefined || Number(over) >= Number(under)) return undefined
  const value = Number(whole) + Number(over) / Number(under)
  return Number.isInteger(value * 1_000_000) ? `${minus}${value}` : undefined
}

/** `½` and `1½`: the sign between the digits of such a character says that it is a fraction, which a slash does not. */
function glyph(text: string): string | undefined {
  const [, minus = '', whole = '', over, under] = /^(-?)(?:(\d{1,6})\s)?(\d{1,2})\u2044(\d{1,2})$/.exec(text) ?? []
  if (over === undefined || Number(over) >= Number(under)) return undefined
  const value = Number(whole) + Number(over) / Number(under)
  return Number.isInteger(value * 1_000_000) ? `${minus}${value}` : undefined
}

/** A number beside its own word, in either order. */
function explained(text: string): string | undefined {
  const [, first = '', second = ''] = /^([a-z][a-z -]*|\d+)\s*\(([a-z][a-z -]*|\d+)\)$/i.exec(text) ?? []
  const [digits, word] = /^\d/.test(first) ? [first, second] : [second, first]
  return /^\d+$/.test(digits) && numberWord(word.trim()) === Number(digits) ? digits : undefined
}

function decimal(value: number): string | undefined {
  return Number.isFinite(value) && Math.abs(value) < 1e15 && Math.abs(value) > 1e-6 ? String(value) : undefined
}
