import { DIMENSIONS, packed } from './vector-table.ts'

/** Vectors that the middles are found with; all others join the nearest middle. */
const MOST_LEARNED = 1000
const ROUNDS = 6
/** How many belong together, about. */
const USUAL_SIZE = 25
const MOST_CLUSTERS = 40

/**
 * Groups vectors that point the same way; gives the number of the group of each, -1 for those without a vector. It is the same for the same
 * vectors in the same order, and its work is bounded.
 */
export function clustersOf(vectors: readonly (Int8Array | undefined)[]): Int32Array {
  const known = vectors.filter((each) => each !== undefined)
  const groups = new Int32Array(vectors.length).fill(-1)
  const count = Math.min(MOST_CLUSTERS, Math.ceil(known.length / USUAL_SIZE))
  if (count === 0) return groups
  const step = Math.max(1, Math.ceil(known.length / MOST_LEARNED))
  const learned = known.filter((_, at) => at % step === 0)
  let middles = farApart(learned, count)
  for (let round = 0; round < ROUNDS; round++) middles = moved(middles, learned)
  for (const [at, vector] of vectors.entries()) if (vector !== undefined) groups[at] = nearest(middles, vector)
  return groups
}

/** The first vector, and then always the one that is farthest from all before. */
function farApart(vectors: readonly Int8Array[], count: number): Int8Array[] {
  const chosen = [vectors[0] as Int8Array]
  const nearness = vectors.map((each) => product(each, chosen[0] as Int8Array))
  while (chosen.length < Math.min(count, vectors.length)) {
    let farthest = 0
    for (let at = 1; at < vectors.length; at++) if ((nearness[at] as number) < (nearness[farthest] as number)) farthest = at
    const next = vectors[farthest] as Int8Array
    chosen.push(next)
    for (const [at, vector] of vectors.entries()) nearness[at] = Math.max(nearness[at] as number, product(vector, next))
  }
  return chosen
}

/** Each middle moves to the middle of the vectors that are nearest to it. */
function moved(middles: readonly Int8Array[], vectors: readonly Int8Array[]): Int8Array[] {
  const sums = middles.map(() => new Float32Array(DIMENSIONS))
  for (const vector of vectors) {
    const sum = sums[nearest(middles, vector)] as Float32Array
    for (let index = 0; index < DIMENSIONS; index++) sum[index] = (sum[index] as number) + (vector[index] as number)
  }
  return middles.map((middle, at) => packed(sums[at] as Float32Array) ?? middle)
}

function nearest(middles: readonly Int8Array[], vector: Int8Array): number {
  let best = 0
  let most = -Infinity
  for (let at = 0; at < middles.length; at++) {
    const near = product(middles[at] as Int8Array, vector)
    if (near > most) {
      most = near
      best = at
    }
  }
  return best
}

function product(a: Int8Array, b: Int8Array): number {
  let sum = 0
  for (let index = 0; index < DIMENSIONS; index++) sum += (a[index] as number) * (b[index] as number)
  return sum
}
