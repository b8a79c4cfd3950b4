import type { CallToolRequest } from '@modelcontextprotocol/server'
import { isRecord } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import type { Catalog } from '../../select/catalog.ts'
import { searchTool } from '../../select/search-tool.ts'
import { BY_CALL_TOOL, searchTools } from '../../select/search-tools.ts'
import type { CatalogOptions, SelectOptions } from '../../select/selection.ts'
import type { AgentTool, ToolSpecification } from '../../tool/agent-tool.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { wrongOption } from '../../tool/errors/wrong-option.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import type { Principal } from '../../tool/principal.ts'
import { unknownName } from '../../tool/resolve/unknown-name.ts'

/** How a server with many tools lists few. */
export interface McpSelectOptions extends CatalogOptions {
  /** The names of tools that are listed beside `search_tools` and `call_tool`. */
  readonly always?: readonly string[] | undefined
  /** So many of the tools that a connection has found are listed for it, the newest; 5 unless given. 0: its list never changes. */
  readonly found?: number | undefined
  /** A rule of your own: a tool that it does not allow is not found and not called by `call_tool`. */
  readonly allows?: SelectOptions['allows']
  /** Tools on a page of `search_tools`; 10 unless given. */
  readonly pageSize?: number | undefined
  /** A catalog of yours, such as one that has learned: it gets the tools that are served, and no others. */
  readonly catalog?: Catalog | undefined
}

const NAMES = optionNames<McpSelectOptions>({
  always: true,
  found: true,
  allows: true,
  pageSize: true,
  catalog: true,
  vectors: true,
  countTokens: true,
  threshold: true,
  onGap: true,
  store: true,
  index: true,
  categoriesFrom: true,
})
const USUAL_FOUND = 5

type CallParams = CallToolRequest['params']

/** A call as it is wanted, or why it cannot be made out. */
export type InnerCall = { readonly params: CallParams; readonly isInner: boolean } | { readonly problem: string }

/** Where a specification in the dialect of the client is found. */
export type SpecificationOf = (tool: AgentTool) => ToolSpecification

/** The tools of a server as its clients find them. What a caller may not call does not exist for that caller. */
export class ToolSelection {
  readonly search: AgentTool
  readonly call: AgentTool
  /** How many found tools a connection lists. */
  readonly most: number
  readonly #catalog: Catalog
  readonly #always: ReadonlySet<string>
  readonly #allows: SelectOptions['allows']
  #names: ReadonlySet<string> = new Set()

  private constructor(parts: Parts) {
    const { catalog, search, call, options } = parts
    this.search = search
    this.call = call
    this.most = options.found ?? USUAL_FOUND
    this.#catalog = catalog
    this.#always = new Set(options.always)
    this.#allows = options.allows
  }

  /** Undefined where `select` is not wanted. */
  static async of(given: boolean | McpSelectOptions | undefined, specificationOf: SpecificationOf): Promise<ToolSelection | undefined> {
    if (given === undefined || given === false) return undefined
    const options = given === true ? {} : given
    checkSelect(options)
    const { catalog: own, always: _always, found: _found, allows, pageSize, ...made } = options
    // A server that lists all its tools need not load it.
    const catalog = own ?? (await (await import('../../select/catalog.ts')).catalog([], made))
    const { call } = searchTools(catalog, { allows, pageSize })
    const search = searchTool(catalog, { allows, pageSize, next: BY_CALL_TOOL, specificationOf }) as AgentTool
    return new ToolSelection({ catalog, search, call: call as AgentTool, options })
  }

  /** The tools with the two of this server before them. */
  around(tools: ReadonlyMap<string, AgentTool>): ReadonlyMap<string, AgentTool> {
    const own = [this.search, this.call]
    const taken = own.find(({ name }) => tools.has(name))
    if (taken !== undefined)
      throw new ConfigurationError(
        'duplicate_name',
        `A tool of the server is named '${taken.name}', which 'select' needs. Rename it, or give its connection a 'prefix'.`,
      )
    return new Map([...own.map((each) => [each.name, each] as const), ...tools])
  }

  /** Makes these the tools that are found. */
  async follow(tools: readonly AgentTool[]): Promise<void> {
    const now = new Map(tools.map((each) => [each.name, each]))
    this.#catalog.remove(...this.#catalog.names().filter((name) => now.get(name) !== this.#catalog.get(name)))
    const added = tools.filter(({ name }) => this.#catalog.get(name) === undefined)
    for (const [server, each] of Map.groupBy(added, serverOf)) await this.#catalog.add(each, { server })
    this.#names = new Set(now.keys())
  }

  /** Whether the caller may know of the tool. Tools of the server's own, such as `run_status`, are for all. */
  sees(name: string, principal: Principal | undefined): boolean {
    if (!this.#names.has(name)) return true
    return this.#catalog.visible(name, { principal, allows: this.#allows }) !== undefined
  }

  /** The names that a caller may know. */
  namesFor(principal: Principal | undefined): readonly string[] {
    return [this.search.name, this.call.name, ...this.#catalog.visibleNames({ principal, allows: this.#allows })]
  }

  /** What a model is told that calls a tool which is not there. */
  unknown(name: string, principal: Principal | undefined): string {
    return `${unknownName(name, this.#catalog.visibleNames({ principal, allows: this.#allows })).message} Or search by a query.`
  }

  /** Whether a tool is in the list of a connection: those of the server's own, those that are always listed, and those that it has found. */
  lists(name: string, found: ReadonlySet<string>, principal: Principal | undefined): boolean {
    return !this.#names.has(name) || ((this.#always.has(name) || found.has(name)) && this.sees(name, principal))
  }

  /** A call of `call_tool` as the call that it stands for: from here on they are the same, with the same gates, questions and durable runs. */
  inner(params: CallParams): InnerCall {
    if (params.name !== this.call.name) return { params, isInner: false }
    const { name, arguments: given } = params.arguments ?? {}
    const inner = typeof given === 'string' ? parsed(given) : (given ?? {})
    if (typeof name !== 'string' || name === '')
      return { problem: `'call_tool' needs the name of a tool, such as { "name": "…", "arguments": {} }.` }
    if (!isRecord(inner)) return { problem: `The arguments of 'call_tool' must be an object with the arguments of '${name.slice(0, 64)}'.` }
    return { params: { ...params, name, arguments: inner }, isInner: true }
  }
}

interface Parts {
  readonly catalog: Catalog
  readonly search: AgentTool
  readonly call: AgentTool
  readonly options: McpSelectOptions
}

function checkSelect(options: McpSelectOptions): void {
  checkOptionNames(options, NAMES, "The option 'select' of an MCP server")
  const { found, always } = options
  if (found !== undefined && (!Number.isSafeInteger(found) || found < 0))
    throw wrongOption('found', "'select' of an MCP server", `a whole number from 0 up, not ${quote(found)}`)
  if (always !== undefined && !(Array.isArray(always) && always.every((each) => typeof each === 'string')))
    throw wrongOption('always', "'select' of an MCP server", `a list of names of tools, not ${quote(always)}`)
}

/** The server that a tool comes from is what it is found by, too. */
function serverOf({ source }: AgentTool): string | undefined {
  return source?.startsWith('mcp:') === true ? source.slice('mcp:'.length) : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
