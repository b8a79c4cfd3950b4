/** The places of a list that nobody has taken yet, in order. To skip the taken ones costs little, however many there are. */
export class UnusedPlaces implements Iterable<number> {
  /** For each place, and for the end, the next that may be unused: itself, if it is. */
  readonly #next: Int32Array

  constructor(count: number) {
    this.#next = Int32Array.from({ length: count + 1 }, (_, place) => place)
  }

  has(place: number): boolean {
    return place < this.#end && this.#next[place] === place
  }

  take(place: number): void {
    if (this.has(place)) this.#next[place] = place + 1
  }

  *[Symbol.iterator](): Iterator<number> {
    for (let place = this.#from(0); place < this.#end; place = this.#from(place + 1)) yield place
  }

  get #end(): number {
    return this.#next.length - 1
  }

  #from(place: number): number {
    let found = place
    for (let next = this.#next[found] ?? found; next !== found; next = this.#next[found] ?? found) found = next
    for (let at = place; at !== found;) {
      const next = this.#next[at] ?? found
      this.#next[at] = found
      at = next
    }
    return found
  }
}
