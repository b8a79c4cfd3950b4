import { LIMITS } from './limits.ts'
import { tooMuch } from './positioned.ts'

const TEXT_PER_STEP = 16

/** Counts what one answer costs, and ends it when that is too much. */
export class Budget {
  #left: number

  constructor(steps: number = LIMITS.steps) {
    this.#left = steps
  }

  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw tooMuch(`The answer takes too long to make: more than ${LIMITS.steps} steps.`)
  }

  spendOnText(text: string): void {
    this.spend(1 + Math.ceil(text.length / TEXT_PER_STEP))
  }
}
