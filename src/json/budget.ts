import { tooMuch } from './bad-path.ts'

/** The limits for reading a JSON text and for searching in it. */
export const LIMITS = {
  /** Characters of a JSON text. */
  characters: 10_000_000,
  /** Lists and objects inside each other. */
  depth: 500,
  /** Characters of a path or an expression. */
  path: 2000,
  /** Values looked at or written by a JMESPath expression: without a limit, an expression could double its work with every character. */
  steps: 1_000_000,
} as const

const TEXT_PER_STEP = 16

/** Counts the steps of one answer, and throws when there are too many. */
export class Budget {
  readonly #steps: number
  #left: number

  constructor(steps: number = LIMITS.steps) {
    this.#steps = steps
    this.#left = steps
  }

  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw tooMuch(`The answer takes too long to make: more than ${this.#steps} steps.`)
  }

  spendOnText(text: string): void {
    this.spend(1 + Math.ceil(text.length / TEXT_PER_STEP))
  }
}
