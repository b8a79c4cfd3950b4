import { Budget, LIMITS } from '../budget.ts'
import type { Json } from '../json.ts'
import { evaluate } from './evaluate.ts'
import type { SyntaxTree } from './syntax-tree.ts'

/**
 * Evaluates a JMESPath expression over a value that has this many characters as JSON. What it gives can be written in about the time that the
 * value itself takes: `[@, @] | [@, @]` costs two steps, and doubles what has to be written with each of them.
 */
export function searchJson(tree: SyntaxTree, value: Json, characters: number): Json {
  const found = evaluate(tree, value, { budget: new Budget(), warnings: new Set() })
  spendOn(found, new Budget(Math.max(LIMITS.steps, characters)))
  return found
}

function spendOn(found: Json, budget: Budget): void {
  const open: unknown[] = [found]
  while (open.length > 0) {
    const value = open.pop()
    budget.spend(1)
    if (typeof value === 'string') budget.spendOnText(value)
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) open.push(each)
  }
}
