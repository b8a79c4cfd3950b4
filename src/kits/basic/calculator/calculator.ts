import type { AgentTool } from '../../../tool/agent-tool.ts'
import { failure, type ReturnedFailure, success } from '../../../tool/result/returned.ts'
import { tool } from '../../../tool/tool.ts'
import { marked } from '../marked.ts'
import { evaluate } from './evaluate.ts'
import { PRINTED_DIGITS } from './limits.ts'
import { parse } from './parse.ts'
import { Problem } from './problem.ts'
import { writeNumber } from './write-number.ts'

/** What the calculator gives. */
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
