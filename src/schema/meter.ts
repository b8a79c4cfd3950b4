/** Thrown inside a validator that has spent all its steps. */
export class TooCostly extends Error {
  constructor() {
    super('it is too costly to check')
    this.name = 'TooCostly'
  }
}

/** The steps of any one check, and the steps for each value inside the input: a check that is linear in its input is never refused. */
const STEPS = 120_000
const STEPS_PER_NODE = 6

/** Counts the work of one check. The work is the same on each machine, so that a test can read it. */
export class Meter {
  #left = STEPS
  #limit = STEPS

  /** The steps since the last `start`. */
  get spent(): number {
    return this.#limit - this.#left
  }

  /** Begins a check of an input with so many values in it. */
  start(nodes: number): void {
    this.#limit = this.#left = STEPS + STEPS_PER_NODE * nodes
  }

  spend(steps: number): void {
    if ((this.#left -= steps) < 0) throw new TooCostly()
  }
}
