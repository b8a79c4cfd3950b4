/** Keeps the names of one object apart that look alike when they are masked: `••••••`, `••••••#2`, `••••••#3`. */
export class DistinctNames {
  /** The last number of each name. Numbers only grow, so that none is tried twice and the work is linear. */
  readonly #counts = new Map<string, number>()

  of(name: string): string {
    let count = this.#counts.get(name) ?? 0
    let distinct = name
    while (this.#counts.has(distinct)) distinct = `${name}#${++count}`
    this.#counts.set(distinct, 1)
    if (distinct !== name) this.#counts.set(name, count)
    return distinct
  }
}
