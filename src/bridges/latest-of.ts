/** A map that forgets the oldest of too many. */
export class LatestOf<T> extends Map<string, T> {
  readonly #most: number

  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: string, value: T): this {
    super.set(key, value)
    for (const oldest of this.keys()) {
      if (this.size <= this.#most) break
      this.delete(oldest)
    }
    return this
  }

  /** Gives it once. */
  take(key: string): T | undefined {
    const value = this.get(key)
    this.delete(key)
    return value
  }
}
