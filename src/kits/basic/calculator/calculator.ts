import type { AgentTool } from '../../../tool/agent-tool.ts'
import { failure, type ReturnedFailure, success } from '../../../tool/result/returned.ts'
import { tool } from '../../../tool/tool.ts'
import { marked } from '../../../tool/marked.ts'
import { evaluate } from './evaluate.ts'
import { LONGEST_DECIMAL, PRINTED_DIGITS } from './limits.ts'
import { parse } from './parse.ts'
import { Problem } from './problem.ts'
import { magnitude, magnitudeOf, type Rational, scaled } from './rational.ts'

/** The output of the calculator. */
export interface Calculation {
  /** A decimal number as text, so that no digit is lost; `Number(result)` where a few may be. */
  readonly result: string
  /** False where something was rounded, on the way or in the result. */
  readonly exact: boolean
}

/**
 * Makes the tool `calculator`. Its input is an expression, its text the result.
 * @example
 * const { text } = await calculator().call('149.99 * 1.1')
 * console.log(text) // 164.989
 */
export function calculator(): AgentTool<string, Calculation> {
  return tool({
    name: 'calculator',
    description:
      'Calculates an arithmetic expression exactly, such as "149.99 * 1.1" or "round(1200 * (1 + 0.05)^10, 2)". Use it for every calculation, however small. ' +
      'Operators + - * / % ^ and parentheses; % is the remainder. Functions sqrt cbrt abs round floor ceil trunc min max sum avg pow log (base 10) ln log2 exp ' +
      'sin cos tan asin acos atan (radians) deg rad fact; constants pi and e. Write every product with *, and numbers without separators of thousands.',
    outputSchema: {
      type: 'object',
      properties: { result: { type: 'string' }, exact: { type: 'boolean' } },
      required: ['result', 'exact'],
    },
    effect: 'read',
    idempotent: true,
    tags: ['math'],
    estimates: { latencyMs: 1, p99Ms: 5, costUsd: 0 },
    execute(expression) {
      try {
        const written = writeNumber(evaluate(parse(expression)))
        return success(written, { text: written.result, ...(written.exact ? {} : ROUNDED) })
      } catch (error) {
        if (error instanceof Problem) return refused(error, expression)
        throw error
      }
    },
  })
}

const ROUNDED = { issues: [{ severity: 'info', message: `Rounded: right to about ${PRINTED_DIGITS} significant digits.` }] } as const

function refused({ message, at }: Problem, expression: string): ReturnedFailure {
  return failure(at === undefined ? message : `${message} At character ${at + 1}: ${marked(expression, at)}`, {
    code: 'invalid_request',
    hint: 'Correct the expression at the marked place and call again.',
  })
}

interface WrittenNumber {
  readonly result: string
  /** Nothing was rounded, neither on the way nor here. */
  readonly exact: boolean
}

/** A decimal with an end is written out in full; any other number to 34 significant digits. */
function writeNumber(value: Rational): WrittenNumber {
  if (value.numerator === 0n) return { result: '0', exact: value.exact }
  const sign = value.numerator < 0n ? '-' : ''
  const size: Rational = { ...value, numerator: magnitudeOf(value.numerator) }
  if (value.exact && value.denominator === 1n) return { result: `${sign}${size.numerator}`, exact: true }
  const places = value.exact ? placesOf(value.denominator) : undefined
  if (places !== undefined) {
    const digits = String(scaled(size, places))
    if (digits.length <= LONGEST_DECIMAL) return { result: sign + decimal(digits, places), exact: true }
  }
  const scale = PRINTED_DIGITS - 1 - magnitude(size)
  return { result: sign + decimal(String(scaled(size, scale)), scale), exact: false }
}

/** How many places after the point a fraction has; undefined where it never ends. */
function placesOf(denominator: bigint): number | undefined {
  let rest = denominator
  let [twos, fives] = [0, 0]
  for (; rest % 2n === 0n; twos++) rest /= 2n
  for (; rest % 5n === 0n; fives++) rest /= 5n
  return rest === 1n ? Math.max(twos, fives) : undefined
}

const MOST_ZEROS = 20

/** `digits * 10^-places`: plain where that is readable, else in scientific notation. */
function decimal(digits: string, places: number): string {
  const significant = digits.replace(/0+$/, '')
  const exponent = digits.length - 1 - places
  if (exponent < -MOST_ZEROS || exponent >= PRINTED_DIGITS) return scientific(significant, exponent)
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${significant}`
  const units = significant.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  const decimals = significant.slice(exponent + 1)
  return decimals === '' ? units : `${units}.${decimals}`
}

function scientific(significant: string, exponent: number): string {
  const decimals = significant.slice(1)
  return `${significant[0]}${decimals === '' ? '' : `.${decimals}`}e${exponent}`
}
