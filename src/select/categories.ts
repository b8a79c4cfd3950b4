import type { AgentTool } from '../tool/agent-tool.ts'
import { clustersOf } from './clusters.ts'
import { isIgnored, wordsOf } from './words.ts'

/** A category with more tools is divided. */
const MOST_TOGETHER = 50
const WORDS_OF_A_NAME = 2
/** The category of tools that say nothing about where they belong. */
const OTHER = 'other'

/** A tool as categories are made of it. */
export interface Categorised {
  readonly tool: AgentTool
  readonly server: string | undefined
  readonly vector: Int8Array | undefined
}

/** Tools that belong together. */
export interface ToolGroup<T> {
  /** Such as `github`, or `github/issues` for a part of it. */
  readonly name: string
  readonly tools: readonly T[]
  /** Its parts, where it has more tools than one reads at once. Each of its tools is in one of them. */
  readonly parts: readonly ToolGroup<T>[]
}

/**
 * The categories of tools: by the server that they come from, else by their first tag, else by what they are about. They follow from these tools
 * alone, in any order: tools that are not given change nothing.
 */
export function categoriesOf<T extends Categorised>(tools: readonly T[]): readonly ToolGroup<T>[] {
  const sorted = tools.toSorted((a, b) => (a.tool.name < b.tool.name ? -1 : 1))
  const named = Map.groupBy(sorted, placeOf)
  const unnamed = named.get(undefined) ?? []
  named.delete(undefined)
  const groups = [...named].map(([name, each]) => divided(name as string, each))
  const about = unnamed.length > MOST_TOGETHER ? byMeaning(unnamed) : new Map(unnamed.length === 0 ? [] : [[OTHER, unnamed]])
  for (const [name, each] of about) groups.push({ name: named.has(name) ? `${name} (${OTHER})` : name, tools: each, parts: [] })
  return groups.toSorted(byName)
}

function placeOf({ server, tool }: Categorised): string | undefined {
  return server ?? tool.tags[0]
}

function divided<T extends Categorised>(name: string, tools: readonly T[]): ToolGroup<T> {
  if (tools.length <= MOST_TOGETHER) return { name, tools, parts: [] }
  const tags = Map.groupBy(tools, ({ tool }) => tool.tags.find((tag) => tag !== name) ?? OTHER)
  const parts = tags.size > 1 ? tags : byMeaning(tools)
  const named = [...parts].map(([part, each]): ToolGroup<T> => ({ name: `${name}/${part}`, tools: each, parts: [] }))
  return { name, tools, parts: named.toSorted(byName) }
}

/** Groups by what tools are about, named by words of the names of their tools that others have less. */
function byMeaning<T extends Categorised>(tools: readonly T[]): Map<string, readonly T[]> {
  const clusters = clustersOf(tools.map(({ vector }) => vector))
  const groups = [...Map.groupBy(tools, (_, at) => clusters[at] as number)]
  const words = tools.map(({ tool }) => new Set(wordsOf(tool.name).filter((word) => word.length > 2 && !isIgnored(word))))
  const everywhere = counted(words)
  const named = new Map<string, readonly T[]>()
  for (const [number, each] of groups) {
    const here = counted(words.filter((_, at) => clusters[at] === number))
    const name = number < 0 ? OTHER : nameOf(here, { everywhere, all: tools.length })
    named.set(name, [...(named.get(name) ?? []), ...each])
  }
  return named
}

function counted(sets: readonly ReadonlySet<string>[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const set of sets) for (const word of set) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function nameOf(
  here: ReadonlyMap<string, number>,
  { everywhere, all }: { readonly everywhere: ReadonlyMap<string, number>; readonly all: number },
): string {
  const weighed = [...here].map(([word, count]) => ({ word, weight: count * Math.log(1 + all / (everywhere.get(word) ?? 1)) }))
  weighed.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
  return (
    weighed
      .slice(0, WORDS_OF_A_NAME)
      .map(({ word }) => word)
      .join(' and ') || OTHER
  )
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1
}
