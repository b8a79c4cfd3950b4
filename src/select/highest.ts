/** The numbers with the highest weights of all that were offered, the highest first; of equal ones the earlier. It is made once and used again. */
export class Highest {
  readonly #most: number
  readonly #numbers: Int32Array
  readonly #weights: Float32Array
  #size = 0
  #least = 0

  constructor(most: number) {
    this.#most = most
    this.#numbers = new Int32Array(most + 1)
    this.#weights = new Float32Array(most + 1)
  }

  get size(): number {
    return this.#size
  }

  /** Forgets all. Weights up to `least` do not count. */
  clear(least: number): void {
    this.#size = 0
    this.#least = least
  }

  numberAt(at: number): number {
    return this.#numbers[at] as number
  }

  weightAt(at: number): number {
    return this.#weights[at] as number
  }

  /** Gives what the next weight must be above to be among them. */
  offer(number: number, weight: number): number {
    if (!(weight > this.#least)) return this.#least
    const numbers = this.#numbers
    const weights = this.#weights
    let at = this.#size
    for (; at > 0 && (weights[at - 1] as number) < weight; at--) {
      weights[at] = weights[at - 1] as number
      numbers[at] = numbers[at - 1] as number
    }
    weights[at] = weight
    numbers[at] = number
    if (this.#size < this.#most) this.#size++
    if (this.#size === this.#most) this.#least = weights[this.#most - 1] as number
    return this.#least
  }
}
