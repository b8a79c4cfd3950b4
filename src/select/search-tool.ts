import type { AgentTool, ToolSpecification } from '../tool/agent-tool.ts'
import { jsonSchema } from '../tool/contract.ts'
import { unknownName } from '../tool/resolve/unknown-name.ts'
import { failure, type ReturnedFailure, success } from '../tool/result/returned.ts'
import { tool } from '../tool/tool.ts'
import { toolCard } from './tool-card.ts'
import { browseCategory, MAX_PAGE, type BrowsedOutput } from './browse-category.ts'
import type { Catalog } from './catalog.ts'
import type { SelectOptions, Viewer } from './selection.ts'

/** The name of the tool that searches. */
export const SEARCH_TOOLS = 'search_tools'
/** Tools on a page. */
const PAGE = 10
/** Specifications that are told at once. */
const MAX_NAMES = 10

/** The input of `search_tools`: a query, the names of tools whose parameters are wanted, or a category to look into. */
export interface SearchInput {
  readonly query?: string | undefined
  readonly names?: readonly string[] | undefined
  /** `*` for the categories themselves. */
  readonly category?: string | undefined
  readonly page?: number | undefined
}

/** The output of `search_tools`: the tools of a page, the specifications of those that were named, or the categories. */
export interface SearchOutput extends BrowsedOutput {
  readonly tools?: readonly { readonly name: string; readonly description: string }[]
  readonly more?: boolean
  readonly specifications?: readonly ToolSpecification[]
}

export interface SearchToolOptions {
  readonly name?: string | undefined
  readonly allows?: SelectOptions['allows']
  readonly pageSize?: number | undefined
  /** How the tools that were found are called. */
  readonly next: string
  /** A tool as the model is shown it; its own specification unless given. */
  readonly specificationOf?: ((tool: AgentTool) => ToolSpecification) | undefined
}

/** Makes the tool that searches a catalog, for whoever calls it: what they may not call does not exist. */
export function searchTool(catalog: Catalog, options: SearchToolOptions): AgentTool<SearchInput, SearchOutput> {
  const { name = SEARCH_TOOLS, allows, pageSize = PAGE, next, specificationOf = ({ specification }) => specification } = options
  const made = tool({
    name,
    description: `Finds tools for a job. Give a query in plain words, such as "refund an order": the answer has a line for each tool. ${next}`,
    effect: 'read',
    inputSchema: searchInput(),
    execute: async ({ query, names, category, page = 1 }, context) => {
      const viewer = { principal: context.principal, allows }
      if (names !== undefined && names.length > 0) return specificationsOf(catalog, names, { viewer, specificationOf })
      if (category !== undefined && category !== '' && (query === undefined || query.trim() === ''))
        return browseCategory(catalog, category, { viewer, page })
      if (query === undefined || query.trim() === '')
        return failure('Give a query, the names of tools, or a category.', {
          code: 'invalid_input',
          hint: 'Say in plain words what the tool should do.',
        })
      const { tools, nothingFits } = await catalog.select(query, { k: page * pageSize + 1, ...viewer })
      if (nothingFits) context.metric('select.nothing_fits', 1)
      return listed(
        tools.slice((page - 1) * pageSize).map((each) => each.tool),
        { page, pageSize },
      )
    },
  })
  return made as unknown as AgentTool<SearchInput, SearchOutput>
}

/** The names of the tools that a search has told of. */
export function foundNames(value: unknown): readonly string[] {
  const { tools = [], specifications = [] } = (value ?? {}) as SearchOutput
  return [...tools, ...specifications].map(({ name }) => name)
}

/** The answer to a name that is not there, or that the caller may not see: no difference is told. */
export function notFound(catalog: Catalog, name: string, viewer: Viewer): ReturnedFailure {
  const { message, hint } = unknownName(name, catalog.visibleNames(viewer))
  return failure(message, { code: 'unknown_tool', outcome: 'not_started', hint: `${hint} Or search by a query.` })
}

let compiled: ReturnType<typeof jsonSchema<SearchInput>> | undefined

/** Compiled once, when the first search tool is made. */
function searchInput(): ReturnType<typeof jsonSchema<SearchInput>> {
  return (compiled ??= jsonSchema<SearchInput>({
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What the tool should do, in plain words' },
      names: { type: 'array', items: { type: 'string' }, maxItems: MAX_NAMES, description: 'Names of tools, to read their parameters' },
      category: { type: 'string', description: 'A category, to list its tools; * lists the categories' },
      page: { type: 'integer', minimum: 1, maximum: MAX_PAGE, description: 'The page of the answer; 1 by default' },
    },
  }))
}

function listed(tools: readonly AgentTool[], { page, pageSize }: { readonly page: number; readonly pageSize: number }): unknown {
  const shown = tools.slice(0, pageSize)
  if (shown.length === 0) {
    const text = page === 1 ? 'No tool fits. Say it in other words, or do it without a tool.' : 'There are no more tools.'
    return success({ tools: [], more: false } satisfies SearchOutput, { text })
  }
  const more = tools.length > pageSize && page < MAX_PAGE
  const lines = shown.map(toolCard)
  if (more) lines.push(`There are more: ask for page ${page + 1}.`)
  const told = shown.map(({ name, description }) => ({ name, description }))
  return success({ tools: told, more } satisfies SearchOutput, { text: lines.join('\n') })
}

interface Telling {
  readonly viewer: Viewer
  readonly specificationOf: (tool: AgentTool) => ToolSpecification
}

function specificationsOf(catalog: Catalog, names: readonly string[], { viewer, specificationOf }: Telling): unknown {
  const found = [...new Set(names)].map((name) => ({ name, tool: catalog.visible(name, viewer) }))
  const missing = found.find((each) => each.tool === undefined)
  if (missing !== undefined) return notFound(catalog, missing.name, viewer)
  const specifications = found.map((each) => specificationOf(each.tool as AgentTool))
  return success({ specifications } satisfies SearchOutput, { text: specifications.map((each) => JSON.stringify(each)).join('\n') })
}
