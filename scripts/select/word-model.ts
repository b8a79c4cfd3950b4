import { principalAxes } from './principal-axes.ts'
import { seededRandom } from './seeded-random.ts'

/** Numbers in a vector of the given words, and in a tuned one. */
export const GIVEN = 100
export const TUNED = 64

/** Two texts that belong together, as words of the vocabulary. Pairs with the same key are no contrast to each other. */
export interface TextPair {
  readonly left: Int32Array
  readonly right: Int32Array
  readonly key: number
  /** How often a word that both texts have is left out of the left one: exact matches are found by words already. */
  readonly hides: number
}

export interface Tuning {
  readonly epochs: number
  readonly batch: number
  readonly temperature: number
  readonly seed: number
}

/** Step sizes of the common map, of the words and of their weights; how fast the change of a word is forgotten. */
const MAP_STEP = 0.02
const WORD_STEP = 0.008
const WEIGHT_STEP = 0.1
const FORGETTING = 0.02
/** Words are left out at random, so that no pair rests on one word. */
const LEFT_OUT = 0.1

/**
 * Tunes word vectors on pairs of texts: a text is the sum of its words, each by its weight, and texts of a pair must be nearer to each other
 * than to the other texts of their batch. All words share one linear map, so that words without a pair move along; each word may
 * differ from it a little.
 */
export class WordModel {
  readonly #size: number
  readonly #given: Float32Array
  readonly #map: Float32Array
  readonly #change: Float32Array
  readonly #weight: Float32Array
  readonly #base: Float32Array
  readonly #mapSquares: Float32Array
  readonly #changeSquares: Float32Array
  readonly #weightSquares: Float32Array
  readonly #random: () => number

  /** `given` has the vectors of the words one after another; `ranks` how common each is (0: the most common). */
  constructor(given: Float32Array, ranks: readonly number[], seed: number) {
    this.#size = ranks.length
    this.#given = centred(given)
    this.#random = seededRandom(seed)
    this.#map = principalAxes(this.#given, { size: GIVEN, count: TUNED })
    this.#change = new Float32Array(this.#size * TUNED)
    this.#weight = Float32Array.from(ranks, (rank) => Math.log(3e-4 / (3e-4 + 0.1 / (rank + 2)) + 0.05))
    this.#base = new Float32Array(this.#size * TUNED)
    this.#mapSquares = new Float32Array(TUNED * GIVEN).fill(1e-6)
    this.#changeSquares = new Float32Array(this.#size * TUNED).fill(1e-6)
    this.#weightSquares = new Float32Array(this.#size).fill(1e-4)
  }

  tune(pairs: readonly TextPair[], { epochs, batch, temperature }: Omit<Tuning, 'seed'>, told: (loss: number) => void): void {
    const order = pairs.map((_, index) => index)
    for (let epoch = 0; epoch < epochs; epoch++) {
      shuffle(order, this.#random)
      let loss = 0
      for (let start = 0; start + 8 < order.length; start += batch)
        loss += this.#step(
          order.slice(start, start + batch).map((index) => this.#thinned(pairs[index] as TextPair)),
          temperature,
        )
      told(loss / (2 * order.length))
    }
  }

  /** The tuned vectors, one after another; their lengths are their weights. */
  vectors(): Float32Array {
    const vectors = new Float32Array(this.#size * TUNED)
    for (let word = 0; word < this.#size; word++) {
      this.#place(word)
      const weight = Math.exp(this.#weight[word] as number)
      for (let at = word * TUNED; at < (word + 1) * TUNED; at++) vectors[at] = weight * this.#at(at)
    }
    return vectors
  }

  #at(index: number): number {
    return (this.#base[index] as number) + (this.#change[index] as number)
  }

  #thinned({ left, right, key, hides }: TextPair): TextPair {
    const others = new Set(right)
    const kept = left.filter((word) => this.#random() > (others.has(word) ? hides : LEFT_OUT))
    const rest = right.filter(() => this.#random() > LEFT_OUT)
    return { left: kept.length > 0 ? kept : left, right: rest.length > 0 ? rest : right, key, hides }
  }

  /** Where the common map puts a word. */
  #place(word: number): void {
    for (let row = 0; row < TUNED; row++) {
      let sum = 0
      for (let column = 0; column < GIVEN; column++)
        sum += (this.#map[row * GIVEN + column] as number) * (this.#given[word * GIVEN + column] as number)
      this.#base[word * TUNED + row] = sum
    }
  }

  #textOf(words: Int32Array): Text {
    const vector = new Float32Array(TUNED)
    for (const word of words) {
      const weight = Math.exp(this.#weight[word] as number)
      for (let index = 0; index < TUNED; index++) vector[index] = (vector[index] as number) + weight * this.#at(word * TUNED + index)
    }
    const length = Math.hypot(...vector) || 1
    return { words, vector: vector.map((number) => number / length), length, slope: new Float32Array(TUNED) }
  }

  #step(pairs: readonly TextPair[], temperature: number): number {
    for (const word of new Set(pairs.flatMap(({ left, right }) => [...left, ...right]))) this.#place(word)
    const left = pairs.map((pair) => this.#textOf(pair.left))
    const right = pairs.map((pair) => this.#textOf(pair.right))
    const isContrast = (a: number, b: number): boolean => a === b || pairs[a]?.key !== pairs[b]?.key
    const loss = contrast(left, right, { temperature, isContrast }) + contrast(right, left, { temperature, isContrast })
    this.#learn([...left, ...right], 1 / (2 * pairs.length))
    return loss
  }

  #learn(texts: readonly Text[], share: number): void {
    const slopes = new Map<number, Float32Array>()
    const weights = new Map<number, number>()
    for (const { words, vector, length, slope } of texts) {
      let along = 0
      for (let index = 0; index < TUNED; index++) along += (vector[index] as number) * (slope[index] as number)
      for (const word of words) {
        const weight = Math.exp(this.#weight[word] as number)
        const total = slopes.get(word) ?? new Float32Array(TUNED)
        slopes.set(word, total)
        let weightSlope = 0
        for (let index = 0; index < TUNED; index++) {
          const each = (weight * ((slope[index] as number) - along * (vector[index] as number))) / length
          total[index] = (total[index] as number) + each
          weightSlope += each * this.#at(word * TUNED + index)
        }
        weights.set(word, (weights.get(word) ?? 0) + weightSlope)
      }
    }
    this.#move(slopes, weights, share)
  }

  #move(slopes: ReadonlyMap<number, Float32Array>, weights: ReadonlyMap<number, number>, share: number): void {
    const mapSlope = new Float32Array(TUNED * GIVEN)
    for (const [word, slope] of slopes) {
      for (let row = 0; row < TUNED; row++) {
        const each = (slope[row] as number) * share
        descend(
          this.#change,
          this.#changeSquares,
          word * TUNED + row,
          each + FORGETTING * share * (this.#change[word * TUNED + row] as number),
          WORD_STEP,
        )
        for (let column = 0; column < GIVEN; column++)
          mapSlope[row * GIVEN + column] =
            (mapSlope[row * GIVEN + column] as number) + each * (this.#given[word * GIVEN + column] as number)
      }
      descend(this.#weight, this.#weightSquares, word, (weights.get(word) ?? 0) * share, WEIGHT_STEP)
      this.#weight[word] = Math.max(-4, Math.min(1.5, this.#weight[word] as number))
    }
    for (let index = 0; index < mapSlope.length; index++) descend(this.#map, this.#mapSquares, index, mapSlope[index] as number, MAP_STEP)
  }
}

interface Text {
  readonly words: Int32Array
  readonly vector: Float32Array
  readonly length: number
  readonly slope: Float32Array
}

interface Contrast {
  readonly temperature: number
  readonly isContrast: (a: number, b: number) => boolean
}

/** The loss of naming the partner of each text among all others; the slopes are added to the texts. */
function contrast(from: readonly Text[], to: readonly Text[], { temperature, isContrast }: Contrast): number {
  let loss = 0
  for (const [at, { vector, slope }] of from.entries()) {
    const near = to.map((other, index) => (isContrast(at, index) ? product(vector, other.vector) / temperature : -Infinity))
    const most = Math.max(...near)
    const shares = near.map((each) => Math.exp(each - most))
    const total = shares.reduce((sum, each) => sum + each, 0)
    loss -= Math.log((shares[at] as number) / total || 1e-12)
    for (const [index, other] of to.entries()) {
      const steep = ((shares[index] as number) / total - (index === at ? 1 : 0)) / temperature
      if (Math.abs(steep) < 1e-5) continue
      for (let number = 0; number < TUNED; number++) {
        slope[number] = (slope[number] as number) + steep * (other.vector[number] as number)
        other.slope[number] = (other.slope[number] as number) + steep * (vector[number] as number)
      }
    }
  }
  return loss
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < TUNED; index++) sum += (a[index] as number) * (b[index] as number)
  return sum
}

/** One step against a slope, smaller where there were steep ones before. */
// oxlint-disable-next-line max-params
function descend(values: Float32Array, squares: Float32Array, at: number, slope: number, step: number): void {
  squares[at] = (squares[at] as number) + slope * slope
  values[at] = (values[at] as number) - (step * slope) / Math.sqrt(squares[at] as number)
}

function shuffle(order: number[], random: () => number): void {
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[order[last], order[other]] = [order[other] as number, order[last] as number]
  }
}

/** Vectors of length 1 around a common centre. */
function centred(given: Float32Array): Float32Array {
  const count = given.length / GIVEN
  const centre = new Float64Array(GIVEN)
  for (let at = 0; at < given.length; at++) centre[at % GIVEN] = (centre[at % GIVEN] as number) + (given[at] as number) / count
  const vectors = given.map((number, at) => number - (centre[at % GIVEN] as number))
  for (let word = 0; word < count; word++) {
    const vector = vectors.subarray(word * GIVEN, (word + 1) * GIVEN)
    const length = Math.hypot(...vector) || 1
    for (let index = 0; index < GIVEN; index++) vector[index] = (vector[index] as number) / length
  }
  return vectors
}
