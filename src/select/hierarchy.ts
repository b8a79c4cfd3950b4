import { type Categorised, categoriesOf, type ToolGroup } from './categories.ts'
import type { Scored } from './learner.ts'
import type { Allowed } from './ranking.ts'
import { toolCard } from './tool-card.ts'

/** How much the category of a tool counts, beside the best score of a request. */
const WEIGHT = 0.1
/** The candidates whose categories count. */
const DEPTH = 20

/** A category of a catalog, as a caller may see it. */
export interface ToolCategory {
  /** Such as `github`, or `github/issues` for a part of it. */
  readonly name: string
  readonly tools: number
  /** What the schemas of its tools cost a model together. */
  readonly schemaTokens: number
  /** Its parts, where it has more than 50 tools. */
  readonly categories: readonly ToolCategory[]
}

/** The categories of a catalog, as a caller may see them. */
export interface CatalogTree extends Omit<ToolCategory, 'name'> {}

/** The tools of a category, a line each. */
export interface BrowsedCategory extends ToolCategory {
  readonly cards: readonly { readonly name: string; readonly card: string; readonly schemaTokens: number }[]
}

/** A tool at its place. */
export interface PlacedTool extends Categorised {
  readonly place: number
  readonly schemaTokens: () => number
}

interface Seen {
  readonly groups: readonly ToolGroup<PlacedTool>[]
  readonly tree: CatalogTree
}

/** The categories of a catalog, for each set of tools that somebody may see. They are made when they are asked for. */
export class Hierarchy {
  readonly #seen = new WeakMap<Allowed, Seen>()
  readonly #counts = new WeakMap<Allowed, number>()
  readonly #toolsOf: (allowed: Allowed) => readonly PlacedTool[]
  readonly #from: number

  constructor(toolsOf: (allowed: Allowed) => readonly PlacedTool[], from: number) {
    this.#toolsOf = toolsOf
    this.#from = from
  }

  tree(allowed: Allowed): CatalogTree {
    return this.#see(allowed).tree
  }

  /** Undefined if there is no such category for whoever may see these tools. */
  browse(name: string, allowed: Allowed): BrowsedCategory | undefined {
    const { groups } = this.#see(allowed)
    const group = groups.flatMap((each) => [each, ...each.parts]).find((each) => each.name === name)
    if (group === undefined) return undefined
    const cards = group.tools.map(({ tool, schemaTokens }) => ({ name: tool.name, card: toolCard(tool), schemaTokens: schemaTokens() }))
    return { ...categoryOf(group), cards }
  }

  /**
   * Raises candidates whose category has others among the first: evidence, not a cut. Small catalogs have no categories; only what may be seen
   * counts.
   */
  weigh(scored: Scored[], allowed: Allowed, placeOf: (place: number) => string | undefined): Scored[] {
    if (this.#count(allowed) <= this.#from || scored.length < 2) return scored
    const best = (scored[0] as Scored).score
    if (!(best > 0)) return scored
    const shares = new Map<string, number>()
    for (const { place, score } of scored.slice(0, DEPTH)) {
      const category = placeOf(place)
      if (category !== undefined && score > 0) shares.set(category, (shares.get(category) ?? 0) + score)
    }
    if (shares.size === 0) return scored
    const total = [...shares.values()].reduce((whole, share) => whole + share, 0) || 1
    return scored
      .map((each) => ({ ...each, score: each.score + (WEIGHT * best * (shares.get(placeOf(each.place) ?? '') ?? 0)) / total }))
      .toSorted((a, b) => b.score - a.score)
  }

  #count(allowed: Allowed): number {
    let count = this.#counts.get(allowed)
    if (count === undefined) this.#counts.set(allowed, (count = allowed.reduce((total, each) => total + each, 0)))
    return count
  }

  #see(allowed: Allowed): Seen {
    const known = this.#seen.get(allowed)
    if (known !== undefined) return known
    const groups = categoriesOf(this.#toolsOf(allowed))
    const categories = groups.map(categoryOf)
    const seen = { groups, tree: { tools: sum(categories, 'tools'), schemaTokens: sum(categories, 'schemaTokens'), categories } }
    this.#seen.set(allowed, seen)
    return seen
  }
}

function categoryOf({ name, tools, parts }: ToolGroup<PlacedTool>): ToolCategory {
  return {
    name,
    tools: tools.length,
    schemaTokens: tools.reduce((total, each) => total + each.schemaTokens(), 0),
    categories: parts.map(categoryOf),
  }
}

function sum(categories: readonly ToolCategory[], of: 'tools' | 'schemaTokens'): number {
  return categories.reduce((total, each) => total + each[of], 0)
}
