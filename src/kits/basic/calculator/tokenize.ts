import type { Operator } from './evaluate.ts'
import { LIMITS } from './limits.ts'
import { Problem } from './problem.ts'
import { type Rational, rational, tenTo } from './rational.ts'

interface Place {
  readonly at: number
  /** The place after it: an operator may have been written otherwise than it is called. */
  readonly end: number
}

export type Token = Place &
  (
    | { readonly kind: 'number'; readonly text: string; readonly value: Rational }
    | { readonly kind: 'name'; readonly text: string }
    | { readonly kind: 'operator'; readonly text: Operator }
    | { readonly kind: '(' | ')' | ','; readonly text: string }
    | { readonly kind: 'end'; readonly text: '' }
  )

/** Signs that can mean one thing only. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  '+': '+',
  '-': '-',
  '\u2212': '-',
  '*': '*',
  '**': '^',
  '\u00d7': '*',
  '\u22c5': '*',
  '\u00b7': '*',
  '/': '/',
  '\u00f7': '/',
  '%': '%',
  '^': '^',
}

/** Characters that are not accepted, and what to write instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  '=': "leave '=' out: the input is an expression, not an equation",
  '!': 'write fact(5) for a factorial',
  ':': "write '/' for a division",
  '\u221a': 'write sqrt(x) for a root',
  '\u221b': 'write cbrt(x) for a cube root',
  '\u00b2': 'write ^2 for a square',
  '\u00b3': 'write ^3 for a cube',
  '\u00b0': 'write rad(x) to make radians of degrees',
  '\u2030': 'write / 1000',
  '[': "write '(' and ')'",
  ']': "write '(' and ')'",
  '{': 'send the expression alone, such as 149.99 * 1.1',
  '"': 'send the expression alone, such as 149.99 * 1.1',
  "'": 'write a number without separators of thousands',
  ';': "separate the arguments of a function by ','",
  '|': 'write abs(x) for an absolute value',
  '<': 'a calculator does not compare',
  '>': 'a calculator does not compare',
  '\u2013': "write '-' for a minus",
  '\u2014': "write '-' for a minus",
}

const SPACE = /\s+/y
const OPERATOR = /\*\*|[-+*/%^\u2212\u00d7\u22c5\u00b7\u00f7]/y
const NAME = /[A-Za-z_][A-Za-z0-9_]*|\u03c0/y
const NUMBER_BEGINS = /\.?[0-9]/y

/** Cuts an expression into its signs, numbers and names. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = []
  for (let at = afterSpace(text, 0); at < text.length; at = afterSpace(text, tokens.at(-1)?.end ?? text.length)) {
    tokens.push(tokenAt(text, at))
  }
  return [...tokens, { kind: 'end', at: text.length, end: text.length, text: '' }]
}

function afterSpace(text: string, at: number): number {
  return at + (match(SPACE, text, at) ?? '').length
}

function tokenAt(text: string, at: number): Token {
  if (match(NUMBER_BEGINS, text, at) !== undefined) {
    const number = readNumber(text, at)
    return { kind: 'number', at, end: at + number.text.length, ...number }
  }
  const name = match(NAME, text, at)
  if (name !== undefined) return { kind: 'name', at, end: at + name.length, text: name }
  const written = match(OPERATOR, text, at) ?? ''
  const operator = OPERATORS[written]
  if (operator !== undefined) return { kind: 'operator', at, end: at + written.length, text: operator }
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0)
  if (sign === '(' || sign === ')' || sign === ',') return { kind: sign, at, end: at + 1, text: sign }
  const instead = Object.hasOwn(INSTEAD, sign) ? INSTEAD[sign] : /\p{Sc}/u.test(sign) ? 'leave the currency out' : undefined
  throw new Problem(`'${sign}' is not understood here${instead === undefined ? '' : `; ${instead}`}.`, at)
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

const NUMBER = /(\d[\d_]*)?(?:\.(\d*))?(?:[eE]([+-]?\d+)(?![A-Za-z0-9_.]))?/y

interface NumberToken {
  readonly text: string
  readonly value: Rational
}

/** Reads `149.99`, `.5`, `1_000` or `6.02e23` at a place where a number begins, exactly. */
function readNumber(text: string, at: number): NumberToken {
  NUMBER.lastIndex = at
  const [found = '', units = '', decimals = '', exponent = '0'] = NUMBER.exec(text) ?? []
  const next = text[at + found.length] ?? ''
  if (next === '.' || next === '_' || /__|_$/.test(units)) {
    throw new Problem(`'${found}${next}' is not a number; write it as 1234.56.`, at)
  }
  refuseThousands(text, at, found)
  if (exponent.replace(/^[+-]?0*/, '').length > String(LIMITS.digits).length) {
    throw new Problem(`The number is too large or too small: its exponent goes up to ${LIMITS.digits}.`, at)
  }
  const digits = BigInt(units.replaceAll('_', '') + decimals || '0')
  const scale = decimals.length - Number(exponent)
  const value = Problem.at(at, () => (scale < 0 ? rational(digits * tenTo(-scale), 1n, true) : rational(digits, tenTo(scale), true)))
  return { text: found, value }
}

/** `max(1,000, 2)` would mean three arguments; nobody writes an argument as `000`. */
function refuseThousands(text: string, at: number, found: string): void {
  if (/^0\d\d$/.test(found) && /\d,$/.test(text.slice(0, at))) throw thousands(at - 1)
}

export function thousands(at: number): Problem {
  return new Problem("A ',' stands only between the arguments of a function; write 1000 for a thousand, and 1.5 for one and a half.", at)
}
