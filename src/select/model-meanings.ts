import type { Embedder } from './embedder.ts'
import type { Allowed, Evidence } from './ranking.ts'

/** How much nearness in meaning counts beside shared words. */
const WEIGHT = 2
/** Two texts about nothing in common are about this near to each other, by the vectors of the package. */
const UNRELATED = 0.25
/** All tools may be about one thing: then they are near to each other, and not for nothing. */
const MOST_COMMON = 0.8

/** The vector of a request. */
export interface ModelRequest {
  readonly vector: Float32Array
}

/** What a user's own model knows about the tools of a catalog, beside the vectors of the package. */
export class ModelMeanings {
  readonly #embedder: Embedder
  readonly #texts = new Map<number, string>()
  readonly #vectors: (Float32Array | undefined)[] = []
  readonly #common = new WeakMap<Allowed, number>()
  #reading: Promise<void> | undefined

  constructor(embedder: Embedder) {
    this.#embedder = embedder
  }

  set(place: number, text: string): void {
    this.#vectors[place] = undefined
    this.#texts.set(place, text)
  }

  remove(place: number): void {
    this.#vectors[place] = undefined
    this.#texts.delete(place)
  }

  /** Gets the vectors of tools that have none yet. Where the model fails, they are tried again later. */
  read(): Promise<void> {
    if (this.#texts.size === 0) return Promise.resolve()
    return (this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined
    }))
  }

  async #readAll(): Promise<void> {
    const wanted = [...this.#texts]
    const found = await this.#embedder.vectorsFor(
      wanted.map(([, text]) => text),
      'tools',
    )
    if (found === undefined) return
    for (const [at, [place, text]] of wanted.entries()) {
      // A place may have another tool by now.
      if (this.#texts.get(place) !== text) continue
      this.#vectors[place] = found[at]
      this.#texts.delete(place)
    }
  }

  /** Undefined if the model gives no vector in time. Tools without a vector are not waited for. */
  async request(text: string): Promise<ModelRequest | undefined> {
    void this.read().catch(() => {})
    const [vector] = (await this.#embedder.vectorsFor([text], 'request')) ?? []
    return vector && { vector }
  }

  /** Puts the nearness that the model sees in place of that of the package, on the same scale. Only tools that may be seen count. */
  apply({ vector }: ModelRequest, { meaning, score, allowed }: Evidence): void {
    const common = this.#commonOf(allowed)
    for (const [place, own] of this.#vectors.entries()) {
      if (own === undefined || allowed[place] !== 1 || own.length !== vector.length) continue
      const near = UNRELATED + (1 - UNRELATED) * ((product(own, vector) - common) / (1 - common))
      score[place] = (score[place] as number) + WEIGHT * (near - (meaning[place] as number))
      meaning[place] = near
    }
  }

  /** How near the tools that may be seen are to each other: models differ, and some find any two texts alike. */
  #commonOf(allowed: Allowed): number {
    const known = this.#common.get(allowed)
    if (known !== undefined && this.#texts.size === 0) return known
    const seen = this.#vectors.filter((vector, place) => vector !== undefined && allowed[place] === 1) as Float32Array[]
    const [first] = seen
    if (first === undefined || seen.length < 2) return 0
    const sum = new Float64Array(first.length)
    for (const vector of seen) for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + (vector[at] ?? 0)
    // The square of the sum has each pair twice, and each vector with itself.
    const square = sum.reduce((total, number) => total + number * number, 0)
    const common = Math.min(MOST_COMMON, Math.max(0, (square - seen.length) / (seen.length * (seen.length - 1))))
    this.#common.set(allowed, common)
    return common
  }
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number)
  return sum
}
