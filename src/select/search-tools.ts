import type { AgentTool } from '../tool/agent-tool.ts'
import { jsonSchema } from '../tool/contract.ts'
import { ModelArguments } from '../tool/input/arguments.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import { tool } from '../tool/tool.ts'
import type { Catalog } from './catalog.ts'
import { notFound, type SearchInput, type SearchOutput, searchTool } from './search-tool.ts'
import type { SelectOptions } from './selection.ts'

/** The name of the tool that calls others. */
const CALL_TOOL = 'call_tool'

/** How a client that cannot change its list of tools uses what it has found. */
export const BY_CALL_TOOL = 'Then give the names of the tools that you want to use, to read their parameters. Call them by call_tool.'

/** The options of `searchTools`. */
export interface SearchToolsOptions {
  /** A rule of your own: a tool that it does not allow is not found and not called. */
  readonly allows?: SelectOptions['allows']
  /** Tools on a page; 10 unless given. */
  readonly pageSize?: number | undefined
}

const NAMES = optionNames<SearchToolsOptions>({ allows: true, pageSize: true })

/** The input of `call_tool`. */
export interface CallInput {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

/** The two tools by which a model reaches a whole catalog. */
export interface CatalogTools {
  readonly search: AgentTool<SearchInput, SearchOutput>
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
  const { allows, pageSize } = options
  const call = tool({
    name: CALL_TOOL,
    description: 'Calls a tool that search_tools has found, by its name and with arguments for its parameters.',
    inputSchema: callInput(),
    execute: async ({ name, arguments: given = {} }, context) => {
      const viewer = { principal: context.principal, allows }
      const found = catalog.visible(name, viewer)
      if (found === undefined) return notFound(catalog, name, viewer)
      return context.call(name, found as AgentTool<unknown>, ModelArguments.ofValue(given))
    },
  })
  return { search: searchTool(catalog, { allows, pageSize, next: BY_CALL_TOOL }), call: call as unknown as AgentTool<CallInput> }
}

let compiled: ReturnType<typeof jsonSchema<CallInput>> | undefined

/** Compiled once, when the first of these tools is made. */
function callInput(): ReturnType<typeof jsonSchema<CallInput>> {
  return (compiled ??= jsonSchema<CallInput>({
    type: 'object',
    properties: {
      name: { type: 'string', description: 'The name of the tool' },
      arguments: { type: 'object', description: 'Its arguments, by the names of its parameters', additionalProperties: true },
    },
    required: ['name'],
  }))
}
