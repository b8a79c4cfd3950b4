import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calculator } from './calculator.ts'

/** A fraction that is never shortened: nothing in common with the calculator but the rules of arithmetic. */
type Fraction = readonly [top: bigint, bottom: bigint]

type Sum =
  | { readonly number: string }
  | { readonly minus: Sum }
  | { readonly left: Sum; readonly operator: '+' | '-' | '*' | '/' | '%'; readonly right: Sum }
  | { readonly base: Sum; readonly exponent: number }

const numbers = fc.oneof(
  fc.nat(20).map(String),
  fc.tuple(fc.nat(9999), fc.nat(999)).map(([units, decimals]) => `${units}.${decimals}`),
  fc.tuple(fc.nat(999), fc.integer({ min: -6, max: 6 })).map(([units, exponent]) => `${units}e${exponent}`),
)

const { sum } = fc.letrec<{ sum: Sum }>((tie) => ({
  sum: fc.oneof(
    { maxDepth: 4, depthSize: 'large', withCrossShrink: true },
    { weight: 2, arbitrary: fc.record({ number: numbers }) },
    { weight: 1, arbitrary: fc.record({ minus: tie('sum') }) },
    { weight: 6, arbitrary: fc.record({ left: tie('sum'), operator: fc.constantFrom('+', '-', '*', '/', '%'), right: tie('sum') }) },
    { weight: 1, arbitrary: fc.record({ base: tie('sum'), exponent: fc.integer({ min: -3, max: 3 }) }) },
  ),
}))

const LEVEL = { '+': 1, '-': 1, '*': 2, '/': 2, '%': 2 } as const

/** Writes only the parentheses that are needed, so that a wrong precedence shows. */
function write(given: Sum, least = 0): string {
  const [level, text] = written(given)
  return level < least ? `(${text})` : text
}

function written(given: Sum): readonly [level: number, text: string] {
  if ('number' in given) return [9, given.number]
  if ('minus' in given) return [3, `-${write(given.minus, 3)}`]
  if ('base' in given) return [4, `${write(given.base, 5)}^${given.exponent}`]
  const level = LEVEL[given.operator]
  // A sign straight after % is refused.
  return [level, `${write(given.left, level)} ${given.operator} ${write(given.right, given.operator === '%' ? 4 : level + 1)}`]
}

const DIVISION_BY_ZERO = 'Division by zero'

/** What grows out of the limits is no matter of this law. */
function calculate(given: Sum): Fraction {
  const fraction = calculated(given)
  fc.pre(fraction.every((part) => absolute(part) < LARGEST))
  return fraction
}

const LARGEST = 10n ** 999n

function calculated(given: Sum): Fraction {
  if ('number' in given) return read(given.number)
  if ('minus' in given) {
    const [top, bottom] = calculate(given.minus)
    return [-top, bottom]
  }
  if ('base' in given) return raise(calculate(given.base), given.exponent)
  const [a, b] = calculate(given.left)
  const [c, d] = calculate(given.right)
  switch (given.operator) {
    case '+':
      return [a * d + c * b, b * d]
    case '-':
      return [a * d - c * b, b * d]
    case '*':
      return [a * c, b * d]
    case '/':
      return over([a * d, b * c])
    case '%': {
      over([a * d, b * c])
      return [a * d - c * b * ((a * d) / (b * c)), b * d]
    }
  }
}

/** Undefined where something is divided by zero. */
function valueOf(given: Sum): Fraction | undefined {
  try {
    return calculate(given)
  } catch (error) {
    if (error instanceof Error && error.message === DIVISION_BY_ZERO) return undefined
    throw error
  }
}

function over(fraction: Fraction): Fraction {
  if (fraction[1] === 0n) throw new Error(DIVISION_BY_ZERO)
  return fraction
}

function raise([top, bottom]: Fraction, exponent: number): Fraction {
  const times = BigInt(Math.abs(exponent))
  return exponent < 0 ? over([bottom ** times, top ** times]) : [top ** times, bottom ** times]
}

/** Of what is written and of what comes back. */
function read(text: string): Fraction {
  const [mantissa = '', exponent = '0'] = text.split('e')
  const [units = '', decimals = ''] = mantissa.split('.')
  const scale = decimals.length - Number(exponent)
  const digits = BigInt(units + decimals)
  return scale < 0 ? [digits * 10n ** BigInt(-scale), 1n] : [digits, 10n ** BigInt(scale)]
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value)

/** The difference, as a part of the true value, is not above one half in the last of 34 digits. */
function isRounded([a, b]: Fraction, [c, d]: Fraction): boolean {
  return absolute(a * d - c * b) * 2n * 10n ** 33n <= absolute(c * b)
}

test('10,000 random expressions agree with fractions that are never rounded [T17]', async () => {
  const tool = calculator()
  const seen = { exact: 0, rounded: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(sum, async (given) => {
      const expression = write(given)
      fc.pre(expression.length <= 1000)
      const expected = valueOf(given)
      const result = await tool.call(expression)
      if (expected === undefined) {
        seen.refused++
        expect(result.text).toContain(DIVISION_BY_ZERO)
        return
      }
      expect(result).toMatchObject({ ok: true })
      if (!result.ok) return
      const actual = read(result.value.result)
      if (result.value.exact) {
        seen.exact++
        expect(actual[0] * expected[1]).toBe(expected[0] * actual[1])
      } else {
        seen.rounded++
        expect(isRounded(actual, expected)).toBe(true)
      }
    }),
    { numRuns: 10_000 },
  )
  // The law would say nothing if one kind did not occur.
  expect(Math.min(seen.exact, seen.rounded, seen.refused)).toBeGreaterThan(300)
})

test('any text at all gives a result or a message, and never a crash [T17]', async () => {
  const tool = calculator()
  const pieces = fc.constantFrom(
    '1',
    '9',
    '.',
    'e',
    '(',
    ')',
    ',',
    '+',
    '-',
    '*',
    '/',
    '%',
    '^',
    ' ',
    'sqrt(',
    'fact(',
    'ln(',
    'sin(',
    'pi',
    '1e99',
    'max(',
    '_',
  )
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
  )
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const result = await tool.call(text)
      expect(result.ok || result.error.code === 'invalid_request').toBe(true)
    }),
    { numRuns: 3000 },
  )
})
