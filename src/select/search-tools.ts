import type { AgentTool } from '../tool/agent-tool.ts'
import type { ToolContext } from '../tool/context.ts'
import { ModelArguments } from '../tool/input/arguments.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import { unknownName } from '../tool/resolve/unknown-name.ts'
import { failure, success } from '../tool/result/returned.ts'
import { tool } from '../tool/tool.ts'
import { toolCard } from './tool-card.ts'
import type { Catalog, SelectOptions } from './catalog.ts'

/** Tools on a page of `search_tools`. */
const PAGE = 10
/** Specifications that are told at once. */
const MAX_NAMES = 10

/** The options of `searchTools`. */
export interface SearchToolsOptions {
  /** A rule of your own: a tool that it does not allow is not found and not called. */
  readonly allows?: SelectOptions['allows']
  /** Tools on a page; 10 unless given. */
  readonly pageSize?: number | undefined
}

const NAMES = optionNames<SearchToolsOptions>({ allows: true, pageSize: true })

/** The input of `search_tools`: a query, or the names of tools whose parameters are wanted. */
export interface SearchInput {
  readonly query?: string | undefined
  readonly names?: readonly string[] | undefined
  readonly page?: number | undefined
}

/** The input of `call_tool`. */
export interface CallInput {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

/** The two tools by which a model reaches a whole catalog. */
export interface CatalogTools {
  readonly search: AgentTool<SearchInput>
  readonly call: AgentTool<CallInput>
}

/**
 * Makes `search_tools` and `call_tool`: a model that has these two reaches every tool of a catalog and pays for the schemas that it asks for.
 * A search gives a line for each tool; asked by names, it gives their schemas. A call passes the same door as any other, with its
 * permissions, gates and traces; a tool that the caller may not call does not exist for both.
 * @example
 * const { search, call } = searchTools(await catalog([shout]))
 * console.log((await search.call({ query: 'say it louder' })).text) // shout: Says it louder.
 * console.log((await call.call({ name: 'shout', arguments: { input: 'hi' } })).text) // HI
 */
export function searchTools(catalog: Catalog, options: SearchToolsOptions = {}): CatalogTools {
  checkOptionNames(options, NAMES, 'The options of searchTools')
  const { allows, pageSize = PAGE } = options
  const search = tool({
    name: 'search_tools',
    description:
      'Finds tools for a job. Give a query in plain words, such as "refund an order": the answer has a line for each tool. Then give the names of the tools that you want to use, to read their parameters. Call them by call_tool.',
    effect: 'read',
    inputSchema: SEARCH_INPUT,
    execute: async (input: unknown, context: ToolContext) => {
      const { query, names, page = 1 } = input as SearchInput
      if (names !== undefined && names.length > 0) return specificationsOf(catalog, names, { principal: context.principal, allows })
      if (query === undefined || query.trim() === '')
        return failure('Give a query, or the names of tools.', {
          code: 'invalid_input',
          hint: 'Say in plain words what the tool should do.',
        })
      const { tools } = await catalog.select(query, { k: page * pageSize + 1, principal: context.principal, allows })
      return listed(
        tools.slice((page - 1) * pageSize).map((each) => each.tool),
        { page, pageSize },
      )
    },
  })
  const call = tool({
    name: 'call_tool',
    description: 'Calls a tool that search_tools has found, by its name and with arguments for its parameters.',
    inputSchema: CALL_INPUT,
    execute: async (input: unknown, context: ToolContext) => {
      const { name, arguments: given = {} } = input as CallInput
      const found = catalog.visible(name, { principal: context.principal, allows })
      if (found === undefined) return notFound(catalog, name, { principal: context.principal, allows })
      return context.call(name, found as AgentTool<unknown>, ModelArguments.ofValue(given))
    },
  })
  return { search, call } as unknown as CatalogTools
}

const SEARCH_INPUT = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'What the tool should do, in plain words' },
    names: { type: 'array', items: { type: 'string' }, maxItems: MAX_NAMES, description: 'Names of tools, to read their parameters' },
    page: { type: 'integer', minimum: 1, maximum: 20, description: 'The page of the answer; 1 by default' },
  },
} as const

const CALL_INPUT = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'The name of the tool' },
    arguments: { type: 'object', description: 'Its arguments, by the names of its parameters', additionalProperties: true },
  },
  required: ['name'],
} as const

function listed(tools: readonly AgentTool[], { page, pageSize }: { readonly page: number; readonly pageSize: number }): unknown {
  const shown = tools.slice(0, pageSize)
  if (shown.length === 0) {
    const text = page === 1 ? 'No tool fits. Say it in other words, or do it without a tool.' : 'There are no more tools.'
    return success({ tools: [], more: false }, { text })
  }
  const more = tools.length > pageSize
  const lines = shown.map(toolCard)
  if (more) lines.push(`There are more: ask for page ${page + 1}.`)
  return success({ tools: shown.map(({ name, description }) => ({ name, description })), more }, { text: lines.join('\n') })
}

type Viewer = Pick<SelectOptions, 'principal' | 'allows'>

function specificationsOf(catalog: Catalog, names: readonly string[], viewer: Viewer): unknown {
  const found = names.map((name) => ({ name, tool: catalog.visible(name, viewer) }))
  const missing = found.find((each) => each.tool === undefined)
  if (missing !== undefined) return notFound(catalog, missing.name, viewer)
  const specifications = found.map((each) => (each.tool as AgentTool).specification)
  return success({ specifications }, { text: specifications.map((each) => JSON.stringify(each)).join('\n') })
}

function notFound(catalog: Catalog, name: string, viewer: Viewer): unknown {
  const { message, hint } = unknownName(name, catalog.visibleNames(viewer))
  return failure(message, { code: 'unknown_tool', outcome: 'not_started', hint: `${hint} Or search by a query.` })
}
