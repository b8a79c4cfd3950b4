/** A map that forgets the oldest of too many, of the owner with the most: nobody displaces what belongs to those who have little. */
export class FairLatest<T> {
  readonly #most: number
  readonly #owners = new Map<string, Map<string, T>>()
  /** The owners by how much they have, so that the one with the most is found at once. */
  readonly #bySize = new Map<number, Set<string>>()
  #size = 0
  #largest = 0

  constructor(most: number) {
    this.#most = most
  }

  get(owner: string, key: string): T | undefined {
    return this.#owners.get(owner)?.get(key)
  }

  set(owner: string, key: string, value: T): void {
    this.#remove(owner, key)
    const own = this.#owners.get(owner) ?? new Map<string, T>()
    this.#owners.set(owner, own.set(key, value))
    this.#resized(owner, own.size - 1, own.size)
    if (this.#size > this.#most) this.#dropOne()
  }

  #remove(owner: string, key: string): void {
    const own = this.#owners.get(owner)
    if (own?.delete(key) === true) this.#resized(owner, own.size + 1, own.size)
  }

  #dropOne(): void {
    const [owner = ''] = this.#bySize.get(this.#largest) ?? []
    const [oldest] = this.#owners.get(owner)?.keys() ?? []
    if (oldest !== undefined) this.#remove(owner, oldest)
  }

  #resized(owner: string, from: number, to: number): void {
    this.#size += to - from
    const before = this.#bySize.get(from)
    before?.delete(owner)
    if (before?.size === 0) this.#bySize.delete(from)
    if (to === 0) this.#owners.delete(owner)
    else this.#bySize.set(to, (this.#bySize.get(to) ?? new Set()).add(owner))
    this.#largest = Math.max(this.#largest, to)
    // It changes by one at a time, so that at most one size becomes empty.
    if (!this.#bySize.has(this.#largest)) this.#largest = to
  }
}
