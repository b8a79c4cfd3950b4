interface Waiting<T> {
  readonly item: T
  readonly since: number
}

/** A line in which callers take turns: one caller with many calls delays another by one call each round. The calls of a caller keep their order. */
export class FairLine<T> {
  /** The callers in the order of their turns. */
  readonly #callers = new Map<string, Waiting<T>[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The item whose turn is next. */
  get first(): T | undefined {
    for (const [next] of this.#callers.values()) return next?.item
    return undefined
  }

  /** `since` is when the item came first: it stands before those of its caller that came later. */
  join(caller: string, item: T, since: number): void {
    const own = this.#callers.get(caller)
    if (own === undefined) this.#callers.set(caller, [{ item, since }])
    else {
      const later = own.findIndex((each) => each.since > since)
      own.splice(later === -1 ? own.length : later, 0, { item, since })
    }
    this.#size++
  }

  /** Takes the first item out; its caller goes to the end of the round. */
  shift(): T | undefined {
    for (const [caller, own] of this.#callers) {
      const [next] = own.splice(0, 1)
      this.#callers.delete(caller)
      if (own.length > 0) this.#callers.set(caller, own)
      this.#size--
      return next?.item
    }
    return undefined
  }

  /** False if the item is not in the line any more. */
  leave(caller: string, item: T): boolean {
    const own = this.#callers.get(caller)
    const index = own?.findIndex((each) => each.item === item) ?? -1
    if (own === undefined || index === -1) return false
    own.splice(index, 1)
    if (own.length === 0) this.#callers.delete(caller)
    this.#size--
    return true
  }

  /** How many items have their turn before a new one of this caller. */
  ahead(caller: string): number {
    const rounds = (this.#callers.get(caller)?.length ?? 0) + 1
    let ahead = rounds - 1
    for (const [other, { length }] of this.#callers) if (other !== caller) ahead += Math.min(length, rounds)
    return ahead
  }
}
