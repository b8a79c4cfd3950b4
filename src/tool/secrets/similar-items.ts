import { MASK } from './mask-text.ts'
import { UnusedPlaces } from './unused-places.ts'

/** Parts of an item that are nested deeper are not compared. */
const DEEPEST = 3

/** Finds the items of a list that have the shown parts of a view, without a look at each item. */
export class SimilarItems {
  readonly #unused: UnusedPlaces
  /** The items with a part, by its path and its value. */
  readonly #groups = new Map<string, Map<unknown, Group>>()

  constructor(items: readonly unknown[], unused: UnusedPlaces) {
    this.#unused = unused
    for (const [place, item] of items.entries())
      for (const [path, value] of partsOf(item)) {
        const values = this.#groups.get(path) ?? new Map<unknown, Group>()
        const group = values.get(value) ?? new Group()
        group.places.push(place)
        this.#groups.set(path, values.set(value, group))
      }
  }

  /** The unused places of items that may be shown by the view. */
  *like(view: unknown): Generator<number> {
    let smallest: Group | undefined
    for (const [path, value] of partsOf(view)) {
      if (path.includes(MASK) || (typeof value === 'string' && value.includes(MASK))) continue
      const group = this.#groups.get(path)?.get(value)
      if (group === undefined) return
      if (smallest === undefined || group.places.length < smallest.places.length) smallest = group
    }
    if (smallest === undefined) yield* this.#unused
    else yield* smallest.among(this.#unused)
  }
}

/** Items with an equal part. */
class Group {
  readonly places: number[] = []
  #left: UnusedPlaces | undefined;

  /** Every used place is seen once, not at each search. */
  *among(unused: UnusedPlaces): Generator<number> {
    this.#left ??= new UnusedPlaces(this.places.length)
    for (const index of this.#left) {
      const place = this.places[index] ?? -1
      if (unused.has(place)) yield place
      else this.#left.take(index)
    }
  }
}

function* partsOf(value: unknown, path = '', depth = 0): Generator<readonly [path: string, value: unknown]> {
  if (typeof value !== 'object' || value === null) yield [path, value]
  else if (depth < DEEPEST && !ArrayBuffer.isView(value))
    for (const [name, each] of Object.entries(value)) yield* partsOf(each, `${path}/${name}`, depth + 1)
}
