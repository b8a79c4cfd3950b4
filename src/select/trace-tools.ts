import { Highest } from './highest.ts'
import { DIMENSIONS, packed, VectorTable } from './vector-table.ts'

/** What traces tell about a tool for one request. */
export interface TraceEvidence {
  /** Shared words with the best trace of the tool, from 0 to 1. */
  readonly words: number
  /** The share of the request that the words of this trace cover, from 0 to 1: 1 only for a request that is all there. */
  readonly covered: number
  /** Nearness to the best trace. */
  readonly nearest: number
  /** Nearness to the middle of its traces. */
  readonly middle: number
  /** The share of the votes of the nearest traces. */
  readonly votes: number
  /** Nearest traces in which it failed, as a share of the votes. */
  readonly against: number
}

/** Tools that are looked at because the middle of their traces is near, at the most. */
const BY_MIDDLE = 12

/** The tools that traces speak of: each has a number, which is used again when its last trace is gone. */
export class TraceTools {
  readonly #numbers = new Map<string, number>()
  readonly #names: (string | undefined)[] = []
  readonly #places: number[][] = []
  readonly #free: number[] = []
  /** Sums of the vectors of served traces, and their directions. */
  readonly #sums: Float32Array[] = []
  readonly #middles = new VectorTable()
  readonly #nearest = new Highest(BY_MIDDLE)

  get count(): number {
    return this.#numbers.size
  }

  /** The places of the traces of the tool with this number. */
  placesOf(number: number): readonly number[] {
    return this.#places[number] as number[]
  }

  /** Adds a trace to a tool; `vector` is that of a served one. Gives the number of the tool. */
  add(tool: string, place: number, vector: Int8Array | undefined): number {
    let number = this.#numbers.get(tool)
    if (number === undefined) {
      number = this.#free.pop() ?? this.#names.length
      this.#numbers.set(tool, number)
      this.#names[number] = tool
      this.#places[number] = []
      this.#sums[number] = new Float32Array(DIMENSIONS)
    }
    this.#places[number]?.push(place)
    this.#move(number, vector, 1)
    return number
  }

  remove(tool: string, place: number, vector: Int8Array | undefined): void {
    const number = this.#numbers.get(tool)
    if (number === undefined) return
    const rest = (this.#places[number] as number[]).filter((each) => each !== place)
    this.#places[number] = rest
    this.#move(number, vector, -1)
    if (rest.length > 0) return
    this.#numbers.delete(tool)
    this.#names[number] = undefined
    this.#middles.set(number, undefined)
    this.#free.push(number)
  }

  #move(number: number, vector: Int8Array | undefined, by: 1 | -1): void {
    if (vector === undefined) return
    const sum = this.#sums[number] as Float32Array
    for (let index = 0; index < DIMENSIONS; index++) sum[index] = (sum[index] as number) + by * (vector[index] as number)
    this.#middles.set(number, packed(sum))
  }

  /** By number; undefined for a number that is free. */
  get names(): readonly (string | undefined)[] {
    return this.#names
  }

  /** The products of a vector with the middles of the tools, by number; valid until the next call. */
  compareMiddles(vector: Int8Array): Int32Array {
    return this.#middles.compare(vector)
  }

  /** The same for the middle of one tool as it would be without one of its traces. */
  compareMiddleWithout(number: number, own: Int8Array, vector: Int8Array): number {
    const rest = packed((this.#sums[number] as Float32Array).map((sum, index) => sum - (own[index] as number)))
    return rest === undefined ? 0 : rest.reduce((sum, each, index) => sum + each * (vector[index] as number), 0)
  }

  /** The numbers of the tools with the highest products above `least`, some of them, the highest first; valid until the next call. */
  highestMiddles(products: Int32Array, least: number, isHidden: ((tool: string) => boolean) | undefined): Highest {
    const nearest = this.#nearest
    nearest.clear(least)
    let lowest = least
    for (let tool = 0; tool < this.#names.length; tool++) {
      const product = products[tool] as number
      if (product > lowest && isHidden?.(this.#names[tool] as string) !== true) lowest = nearest.offer(tool, product)
    }
    return nearest
  }

  /** The number of a tool; undefined if no trace speaks of it. */
  numberOf(tool: string): number | undefined {
    return this.#numbers.get(tool)
  }
}
