import { DIMENSIONS, UNIT } from './vector-table.ts'

/** A tool by its vector, and how much the traces that are nearest to a request speak for it. */
export interface VotedTool {
  readonly place: number
  readonly votes: number
}

/**
 * How like a tool is to those that served the nearest earlier requests: what is known of these speaks a little for the tools that say the same
 * about themselves, so that a new tool is found beside the old ones that do its kind of work. A tool says nothing about itself.
 */
export class Likeness {
  readonly #strengths = new Map<number, number>()
  readonly #sum = new Float32Array(DIMENSIONS)
  readonly #vectorOf: (place: number) => Int8Array

  constructor(voted: readonly VotedTool[], vectorOf: (place: number) => Int8Array) {
    this.#vectorOf = vectorOf
    for (const { place, votes } of voted) {
      // The root: a tool with most of the votes must not hide what the others tell.
      const strength = Math.sqrt(votes)
      this.#strengths.set(place, strength)
      const vector = vectorOf(place)
      for (let index = 0; index < DIMENSIONS; index++)
        this.#sum[index] = (this.#sum[index] as number) + strength * (vector[index] as number)
    }
  }

  /** Above 0 for a tool that is like them, the higher the more they agree. */
  of(place: number): number {
    const vector = this.#vectorOf(place)
    const own = this.#strengths.get(place) ?? 0
    let product = 0
    for (let index = 0; index < DIMENSIONS; index++) {
      const each = vector[index] as number
      product += each * ((this.#sum[index] as number) - own * each)
    }
    return product / (UNIT * UNIT)
  }
}
