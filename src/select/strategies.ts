import type { AgentTool } from '../tool/agent-tool.ts'
import type { Principal } from '../tool/principal.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import { toolCard } from './tool-card.ts'
import type { Catalog } from './catalog.ts'
import type { SelectedTool, Selection, SelectOptions } from './selection.ts'

/** A way to choose tools of a catalog for a request. Each stands alone, and takes others to build on. */
export type Strategy = (catalog: Catalog, request: string, options?: SelectOptions) => Promise<Selection>

/** Characters of a request that rules are asked about. */
const MAX_READ = 8000
/** Tools that are kept beside the forced ones. */
const KEPT = 2
const USUAL_COUNT = 10
/** Tools that a model picks from. */
const OFFERED = 30

const RULE = optionNames<SelectionRule>({ when: true, use: true })
const AMONG = optionNames<{ readonly among?: Strategy | undefined }>({ among: true })
const HYBRID = optionNames<{ readonly forced: Strategy; readonly others?: Strategy | undefined }>({ forced: true, others: true })

/** Chooses by what tools say about themselves and by what served earlier requests. */
export function learned(): Strategy {
  return (catalog, request, options = {}) => catalog.select(request, options)
}

/** If the request matches, these tools are used. */
export interface SelectionRule {
  readonly when: RegExp | ((request: string) => boolean)
  /** The names of tools. */
  readonly use: readonly string[]
}

/**
 * Chooses by rules, in their order. Tools that are not in the catalog, or that the caller may not see, are left out.
 * @example
 * const strategy = ruleBased([{ when: /refund/i, use: ['issue_refund'] }])
 */
export function ruleBased(rules: readonly SelectionRule[]): Strategy {
  for (const rule of rules) checkOptionNames(rule, RULE, 'The fields of a rule of ruleBased')
  return async (catalog, request, options = {}) => {
    const read = request.slice(0, MAX_READ)
    const found = new Map<string, SelectedTool>()
    for (const { when, use } of rules) {
      // `search` does not remember where a global expression has stopped.
      if (!(when instanceof RegExp ? read.search(when) >= 0 : when(read))) continue
      for (const name of use) {
        const entry = catalog.named(name, options)
        if (entry !== undefined && !found.has(name)) found.set(name, { ...entry, relevance: 1, score: 1, reasons: ['a rule asks for it'] })
      }
    }
    return fitted([...found.values()], options)
  }
}

/** Chooses as another strategy does, among the tools that a rule allows: what it denies is in no answer and no count. */
export function policyGated(strategy: Strategy, allows: (tool: AgentTool, principal: Principal | undefined) => boolean): Strategy {
  return (catalog, request, options = {}) => {
    const { allows: others, principal } = options
    const both = (tool: AgentTool): boolean => (others === undefined || others(tool) === true) && allows(tool, principal) === true
    return strategy(catalog, request, { ...options, allows: both })
  }
}

/**
 * Lets a model choose: `ask` gets the request and a line for each tool that another strategy has found (`learned` unless given), and gives
 * the names of those to use. Other names are left out: the model chooses among what it was shown.
 */
export function modelDriven(
  ask: (request: string, cards: readonly string[]) => Promise<readonly string[]>,
  given: { readonly among?: Strategy | undefined } = {},
): Strategy {
  checkOptionNames(given, AMONG, 'The options of modelDriven')
  const { among = learned() } = given
  return async (catalog, request, options = {}) => {
    // Lines are short: what schemas may cost counts for those that are chosen.
    const shown = await among(catalog, request, { ...options, k: Math.max(OFFERED, options.k ?? 0), tokens: undefined })
    if (shown.tools.length === 0) return shown
    const byName = new Map(shown.tools.map((each) => [each.tool.name, each]))
    const names = await ask(
      request,
      shown.tools.map(({ tool }) => toolCard(tool)),
    )
    const chosen = [...new Set(names)].flatMap((name) => byName.get(name) ?? [])
    return fitted(
      chosen.map((each) => ({ ...each, reasons: [...each.reasons, 'the model chose it'] })),
      options,
    )
  }
}

/**
 * Two strategies in one: the tools of `forced` come first, and the two best others are kept also where the forced ones fill the answer. The
 * schemas are trimmed to the tokens. Wrap it in `policyGated` to filter before, and in `modelDriven` to let a model pick from it.
 * @example
 * const strategy = hybrid({ forced: ruleBased([{ when: /refund/i, use: ['issue_refund'] }]) })
 */
export function hybrid(given: { readonly forced: Strategy; readonly others?: Strategy | undefined }): Strategy {
  checkOptionNames(given, HYBRID, 'The options of hybrid')
  const { forced, others = learned() } = given
  return async (catalog, request, options = {}) => {
    const { k = USUAL_COUNT } = options
    const first = (await forced(catalog, request, { ...options, k, tokens: undefined })).tools
    const names = new Set(first.map(({ tool }) => tool.name))
    const found = await others(catalog, request, { ...options, k: k + names.size, tokens: undefined })
    const rest = found.tools.filter(({ tool }) => !names.has(tool.name))
    const kept = Math.min(KEPT, rest.length, Math.max(0, k - 1))
    const head = first.slice(0, k - kept)
    return fitted([...head, ...rest.slice(0, k - head.length)], options)
  }
}

/** So many tools as were asked for, as far as their schemas fit the tokens. */
function fitted(tools: readonly SelectedTool[], { k = USUAL_COUNT, tokens = Infinity }: SelectOptions): Selection {
  const found: SelectedTool[] = []
  let spent = 0
  let leftOut = 0
  for (const each of tools) {
    if (found.length === k) break
    if (spent + each.schemaTokens > tokens) leftOut++
    else {
      spent += each.schemaTokens
      found.push(each)
    }
  }
  return { tools: found, nothingFits: found.length === 0 && leftOut === 0, tokens: spent, leftOut }
}
