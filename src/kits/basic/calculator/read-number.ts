import { LIMITS } from './limits.ts'
import { Problem } from './problem.ts'
import { rational, type Rational, tenTo } from './rational.ts'

const NUMBER = /(\d[\d_]*)?(?:\.(\d*))?(?:[eE]([+-]?\d+)(?![A-Za-z0-9_.]))?/y

export interface NumberToken {
  readonly text: string
  readonly value: Rational
}

/** Reads `149.99`, `.5`, `1_000` or `6.02e23` at a place where a number begins, exactly. */
export function readNumber(text: string, at: number): NumberToken {
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
