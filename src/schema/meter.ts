/** Thrown inside a validator that has spent all its steps. */
export class TooCostly extends Error {
  constructor() {
    super('it is too costly to check')
    this.name = 'TooCostly'
  }
}

/** Steps of any check, and steps for each value inside the input: a check that is linear in its input is not refused. */
const LIMITS = {
  own: { steps: 250_000, perNode: 10 },
  /** A library needs longer for a step than our own engine. */
  library: { steps: 30_000, perNode: 14 },
} as const

/** Whose work is measured. */
export type Work = keyof typeof LIMITS

/** Counts the work of one check. The work is the same on each machine, so that a test can read it. */
export class Meter {
  #left: number
  #limit: number

  /** Without a limit until the first `start`. */
  constructor() {
    this.#left = this.#limit = Number.MAX_SAFE_INTEGER
  }

  /** The steps since the last `start`. */
  get spent(): number {
    return this.#limit - this.#left
  }

  /** Begins a check of a value with so many values in it. */
  start(nodes: number, work: Work, share = 1): void {
    const { steps, perNode } = LIMITS[work]
    this.#limit = this.#left = (steps + perNode * nodes) * share
  }

  spend(steps: number): void {
    if ((this.#left -= steps) < 0) throw new TooCostly()
  }
}
