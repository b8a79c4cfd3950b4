import { DIMENSIONS, packed, UNIT } from './vector-table.ts'

/** A tool by its place, and the share of the nearest traces that speak for it. */
export interface VotedTool {
  readonly place: number
  readonly votes: number
}

/** The vectors of tools, by place. */
export interface PlacedVectors {
  readonly vector: (place: number) => Int8Array
  /** The products of a vector with those of some places, by place; valid until the next call. */
  readonly pick: (vector: Int8Array, places: readonly number[]) => Int32Array
}

/**
 * How like tools are to those that served the nearest earlier requests: what is known of these speaks a little for the tools that say the same
 * about themselves, so that a new tool is found beside the old ones that do its kind of work. A tool says nothing about itself. In the order
 * of the places; above 0 for a tool that is like them, the higher the more they agree.
 */
export function likenesses(places: readonly number[], voted: readonly VotedTool[], vectors: PlacedVectors): readonly number[] {
  const sum = new Float32Array(DIMENSIONS)
  const own = new Float32Array(places.length)
  for (const { place, votes } of voted) {
    // The root: a tool with most of the votes must not hide what the others tell.
    const strength = Math.sqrt(votes)
    const vector = vectors.vector(place)
    let square = 0
    for (let index = 0; index < DIMENSIONS; index++) {
      const each = vector[index] as number
      sum[index] = (sum[index] as number) + strength * each
      square += each * each
    }
    const at = places.indexOf(place)
    if (at >= 0) own[at] = strength * square
  }
  const direction = packed(sum)
  if (direction === undefined) return places.map(() => 0)
  const length = Math.sqrt(sum.reduce((square, each) => square + each * each, 0)) / UNIT
  const products = vectors.pick(direction, places)
  return places.map((place, at) => ((products[place] as number) * length - (own[at] as number)) / (UNIT * UNIT))
}
