import { quote } from '../schema/quote.ts'
import { foundNames, SEARCH_TOOLS, searchTool } from '../select/search-tool.ts'
import type { Catalog } from '../select/catalog.ts'
import type { SelectOptions } from '../select/selection.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { ToolContext } from '../tool/context.ts'
import { wrongOption } from '../tool/errors/wrong-option.ts'
import { shortName } from '../tool/identity.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import type { ToolResult } from '../tool/result/result.ts'
import { type OfferedTool, functionsOf } from './offered-tool.ts'
import type { OfferedFunction } from './language-model.ts'

/** A catalog whose tools an agent finds when it needs them. */
export interface AgentCatalog {
  readonly from: Catalog
  /** So many tools are offered from the first turn, those that fit the task best; 3 unless given. */
  readonly first?: number | undefined
  /** So many found tools are offered at a time, those that were found or called last; 10 unless given. */
  readonly offered?: number | undefined
  /** A rule of your own: a tool that it does not allow does not exist for the agent. */
  readonly allows?: SelectOptions['allows']
}

const NAMES = optionNames<AgentCatalog>({ from: true, first: true, offered: true, allows: true })
const FIRST = 3
const OFFERED = 10
const NEXT = 'You can call the tools that it finds, from your next turn on.'

/** The catalog of an agent, with the defaults. */
export interface ReadCatalog {
  readonly from: Catalog
  readonly first: number
  readonly offered: number
  readonly allows: SelectOptions['allows']
}

export function readCatalog(given: Catalog | AgentCatalog | undefined, whose: string): ReadCatalog | undefined {
  if (given === undefined) return undefined
  const { from, first = FIRST, offered = OFFERED, allows } = 'from' in given ? given : { from: given }
  const what = `'catalog' of ${whose}`
  if ('from' in given) checkOptionNames(given, NAMES, `The option ${what}`)
  if (typeof from?.select !== 'function')
    throw wrongOption('catalog', whose, `made by catalog([...]) of toolwright/select, not ${quote(given)}`)
  if (!Number.isSafeInteger(offered) || offered < 1) throw wrongOption('offered', what, `a whole number from 1 up, not ${quote(offered)}`)
  if (!Number.isSafeInteger(first) || first < 0 || first > offered)
    throw wrongOption('first', what, `a whole number from 0 to ${offered}, not ${quote(first)}`)
  return { from, first, offered, allows }
}

/** Makes the tool by which the model of an agent searches, under a name that is its own. */
export function finderTool({ from, allows, offered }: ReadCatalog, owner: string): OfferedTool {
  const tool = searchTool(from, { name: shortName(`${owner}_${SEARCH_TOOLS}`), allows, pageSize: offered, next: NEXT })
  return { name: SEARCH_TOOLS, tool: tool as AgentTool, isPinned: true }
}

/**
 * The tools that one run of an agent has found. They follow from recorded results and decisions alone, so a run that is taken up offers the
 * same tools in the same turns.
 */
export class ToolFinder {
  readonly #catalog: ReadCatalog
  readonly #context: ToolContext
  /** The one that was found or called last is the last. */
  readonly #names = new Set<string>()

  constructor(catalog: ReadCatalog, context: ToolContext) {
    this.#catalog = catalog
    this.#context = context
  }

  /** Begins with the tools that fit the task. */
  async begin(task: string): Promise<void> {
    const { from, first, allows } = this.#catalog
    if (first === 0) return
    const { principal } = this.#context
    const names = await this.#context.decide('found', async () => {
      const { tools } = await from.select(task, { k: first, principal, allows })
      return tools.map(({ tool }) => tool.name)
    })
    this.#add(names)
  }

  /** The names of the tools that are offered now. */
  get names(): readonly string[] {
    return [...this.#names].filter((name) => this.get(name) !== undefined)
  }

  /** How the model sees them. */
  functions(): readonly OfferedFunction[] {
    return functionsOf(this.names.map((name) => ({ name, tool: this.get(name) as AgentTool })))
  }

  /** A tool of the catalog that the caller may call: also one that is not offered any more, since the model has read its name. */
  get(name: string): AgentTool | undefined {
    const { from, allows } = this.#catalog
    return from.visible(name, { principal: this.#context.principal, allows })
  }

  /** After a call: a search has found tools, and a tool that was called stays. */
  called(name: string, result: ToolResult | undefined): void {
    if (name === SEARCH_TOOLS) this.#add(result?.ok === true ? foundNames(result.value) : [])
    else if (this.get(name) !== undefined) this.#add([name])
  }

  #add(names: readonly string[]): void {
    const { offered } = this.#catalog
    for (const name of names.slice(0, offered).toReversed()) {
      this.#names.delete(name)
      this.#names.add(name)
    }
    for (const name of this.#names) if (this.#names.size > offered) this.#names.delete(name)
  }
}
