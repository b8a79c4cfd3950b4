/** How many characters are looked up at once. */
const STEP = 4
/** So many texts are compared one by one. */
const FEW = 8
/** Deeper, texts with a common beginning are not told apart: the longest of them counts. */
const DEEPEST = 16

/** Texts that are looked for at a place of another text. The work at one place is bounded, however many texts there are. */
export class TextTree {
  /** The longest first. */
  readonly #texts: readonly string[]
  readonly #below: ReadonlyMap<string, TextTree> | undefined
  readonly #isVague: boolean

  constructor(texts: readonly string[], depth = 0) {
    this.#isVague = depth === DEEPEST && texts.length > FEW
    const here = depth < DEEPEST && texts.length > FEW ? texts.filter(({ length }) => length < STEP) : texts
    this.#texts = here.toSorted((a, b) => b.length - a.length)
    if (here === texts) return
    const groups = Map.groupBy(
      texts.filter(({ length }) => length >= STEP),
      (text) => text.slice(0, STEP),
    )
    this.#below = new Map(
      Array.from(groups, ([start, group]) => [
        start,
        new TextTree(
          group.map((text) => text.slice(STEP)),
          depth + 1,
        ),
      ]),
    )
  }

  /** The length of the longest text that stands at this place; -1 if none does. */
  longestAt(text: string, at: number): number {
    if (this.#isVague) return Math.min(this.#texts[0]?.length ?? 0, text.length - at)
    const own = this.#texts.find((each) => text.startsWith(each, at))?.length ?? -1
    const below = this.#below?.get(text.slice(at, at + STEP))?.longestAt(text, at + STEP) ?? -1
    return below === -1 ? own : Math.max(own, below + STEP)
  }
}
