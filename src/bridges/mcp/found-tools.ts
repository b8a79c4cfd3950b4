/** The tools that one connection has found, the newest last. */
export class FoundTools {
  readonly #names = new Set<string>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get names(): ReadonlySet<string> {
    return this.#names
  }

  /** Whether the list is another one now. */
  add(names: readonly string[]): boolean {
    const before = [...this.#names].toSorted().join('\n')
    for (const name of names.slice(0, this.#most).toReversed()) {
      this.#names.delete(name)
      this.#names.add(name)
    }
    for (const name of this.#names) if (this.#names.size > this.#most) this.#names.delete(name)
    return [...this.#names].toSorted().join('\n') !== before
  }
}
