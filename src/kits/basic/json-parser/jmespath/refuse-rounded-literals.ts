import { isToolError } from '../../../../tool/errors/tool-error.ts'
import { Budget } from '../budget.ts'
import { badPath } from '../positioned.ts'
import { readJson } from '../read-json.ts'
import { writeJson } from '../write-json.ts'
import type { JmesPathToken } from './syntax-tree.ts'

/** The package reads literals with the numbers of JavaScript: one that it would round could match what it must not. */
export function refuseRoundedLiterals(expression: string, tokens: readonly JmesPathToken[]): void {
  tokens.forEach(({ type, start }, index) => {
    if (type !== 'Literal' || expression[start] !== '`') return
    const source = expression.slice(start + 1, tokens[index + 1]?.start ?? expression.length).trimEnd()
    if (!hasRoundedNumber(source.replace(/`$/, '').replaceAll('\\`', '`'))) return
    throw badPath(
      "This number has more digits than JMESPath keeps; compare texts: to_string(id) == '12345678901234567890'.",
      expression,
      start,
    )
  })
}

function hasRoundedNumber(source: string): boolean {
  try {
    return writeJson(readJson(source).value, new Budget()).exactNumbers > 0
  } catch (error) {
    if (isToolError(error)) return false
    throw error
  }
}
