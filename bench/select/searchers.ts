import { create, insertMultiple, search } from '@orama/orama'
import MiniSearch from 'minisearch'
import { parameterText } from '../../scripts/select/selection-data.ts'
import { type Catalog, catalog as openCatalog } from '../../src/select/catalog.ts'
import type { TextVectors } from '../../src/select/word-vectors.ts'
import type { BenchTool } from './bench-tools.ts'

/** Something that finds tools: gives the ids of the best, the best first. */
export type Searcher = (request: string, count: number) => Promise<readonly string[]>

/** A request and the id of the tool that served it. */
export interface BenchTrace {
  readonly text: string
  readonly id: string
}

/** minisearch as it comes, with names boosted; it has nothing to learn with. */
export function miniSearcher(tools: readonly BenchTool[]): Searcher {
  const index = new MiniSearch({
    fields: ['name', 'description', 'server', 'parameters'],
    searchOptions: { boost: { name: 3, parameters: 0.4 }, combineWith: 'OR' },
  })
  index.addAll(
    tools.map(({ listed }, id) => ({
      id,
      name: listed.name,
      description: listed.description ?? '',
      server: listed.server ?? '',
      parameters: parameterText(listed),
    })),
  )
  return async (request, count) =>
    index
      .search(request)
      .slice(0, count)
      .map(({ id }) => tools[id as number]?.listed.id ?? '')
}

/** orama as it comes, with the same fields and boosts; any word of a request may match. */
export async function oramaSearcher(tools: readonly BenchTool[]): Promise<Searcher> {
  const index = create({ schema: { name: 'string', description: 'string', server: 'string', parameters: 'string' } })
  await insertMultiple(
    index,
    tools.map(({ listed }, id) => ({
      id: String(id),
      name: listed.name.replaceAll('_', ' '),
      description: listed.description ?? '',
      server: listed.server ?? '',
      parameters: parameterText(listed),
    })),
  )
  return async (request, count) => {
    const { hits } = await search(index, { term: request, limit: count, threshold: 1, boost: { name: 3, parameters: 0.4 } })
    return hits.map(({ id }) => tools[Number(id)]?.listed.id ?? '')
  }
}

/** The catalog of the package. With traces, weights are fitted to them. */
export async function catalogSearcher(
  tools: readonly BenchTool[],
  { vectors, traces = [] }: { readonly vectors?: TextVectors | false | undefined; readonly traces?: readonly BenchTrace[] },
): Promise<Searcher> {
  const catalog = await benchCatalog(tools, vectors)
  const names = new Map(tools.map(({ listed, tool }) => [listed.id, tool.name]))
  const ids = new Map(tools.map(({ listed, tool }) => [tool.name, listed.id]))
  await catalog.learn(traces.map(({ text, id }) => ({ text, tool: names.get(id) ?? '', served: true })))
  if (traces.length > 0) await catalog.refit()
  return async (request, k) => {
    const { tools: found } = await catalog.select(request, { k })
    return found.map(({ tool }) => ids.get(tool.name) ?? '')
  }
}

/** A catalog without a threshold: every request has an answer. */
export async function benchCatalog(tools: readonly BenchTool[], vectors?: TextVectors | false): Promise<Catalog> {
  const catalog = await openCatalog([], { vectors: vectors ?? true, threshold: 0 })
  const byServer = Map.groupBy(tools, ({ listed }) => listed.server)
  for (const [server, each] of byServer)
    await catalog.add(
      each.map(({ tool }) => tool),
      { server },
    )
  return catalog
}
