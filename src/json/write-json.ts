import { isPlainRecord } from '../schema/json-schema.ts'
import { toJsonText } from '../schema/quote.ts'
import { tooMuch } from './bad-path.ts'
import { type Budget, LIMITS } from './budget.ts'
import { ExactNumber } from './exact-number.ts'

export interface WrittenJson {
  /** Plain data: a number that JavaScript would round is a text in it. */
  readonly value: unknown
  /** A text as it is, anything else as JSON, with all digits. */
  readonly text: string
  /** How many numbers stand as texts in the value. */
  readonly exactNumbers: number
}

/** Makes plain data and a text of what was found. */
export function writeJson(found: unknown, budget: Budget): WrittenJson {
  const copy = new PlainCopy(budget)
  const value = copy.of(found, 0)
  const text = typeof found === 'string' ? found : toJsonText(found)
  return { value, text, exactNumbers: copy.exactNumbers }
}

class PlainCopy {
  readonly #budget: Budget
  exactNumbers = 0

  constructor(budget: Budget) {
    this.#budget = budget
  }

  of(value: unknown, depth: number): unknown {
    if (depth > LIMITS.depth) throw tooMuch(`The answer is nested more than ${LIMITS.depth} levels deep.`)
    this.#budget.spend(1)
    if (typeof value === 'string') this.#budget.spendOnText(value)
    if (value instanceof ExactNumber) {
      if (value.isZero) return Number(value.source)
      this.exactNumbers++
      return value.source
    }
    if (Array.isArray(value)) return value.map((each: unknown) => this.of(each, depth + 1))
    if (!isPlainRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.of(each, depth + 1)]))
  }
}
