import type { Budget } from '../budget.ts'
import type { Json } from '../json.ts'
import type { Found } from '../walk-path.ts'
import { evaluate } from './evaluate.ts'
import { parseJmesPath } from './parse-jmespath.ts'

/** Evaluates a JMESPath expression within a budget. */
export async function searchJmesPath(root: Json, expression: string, budget: Budget): Promise<Found> {
  const warnings = new Set<string>()
  const value = evaluate(await parseJmesPath(expression), root, { budget, warnings })
  if (value === null) warnings.add('The expression came to null: what it names may not be there.')
  return { value, warnings: [...warnings] }
}
