import { quote } from '../schema/quote.ts'
import { type AgentTool, isTool } from './agent-tool.ts'
import type { CallOptions } from './context.ts'
import { ConfigurationError } from './errors/configuration-error.ts'
import { didYouMean } from '../schema/did-you-mean.ts'
import { nearestNames } from '../schema/nearest-names.ts'

type Overrides = NonNullable<CallOptions['overrides']>

/** The tools that calls with these overrides may be about, beside the one that is called. */
const sharedBy = new WeakMap<Overrides, Set<AgentTool>>()

/** Some of those tools are not known yet: a provider gives them. */
const open = new WeakSet<Overrides>()

/** Calls of several tools share these overrides: a name may belong to any of them. With `isOpen`, there are more than these. */
export function shareOverrides(overrides: Overrides | undefined, tools: Iterable<AgentTool>, { isOpen = false } = {}): void {
  if (overrides === undefined) return
  if (isOpen) open.add(overrides)
  const known = sharedBy.get(overrides) ?? new Set()
  for (const each of tools) known.add(each)
  sharedBy.set(overrides, known)
}

/** A misspelt name would replace nothing, and the real tool would run. */
export function checkOverrides(overrides: Overrides, called: Iterable<AgentTool>): void {
  const given = Object.keys(overrides).filter((name) => overrides[name] !== undefined)
  if (given.length === 0) return
  const { leaves, wholes } = namesIn([...called, ...(sharedBy.get(overrides) ?? [])])
  for (const name of given) {
    if (!leaves.has(name)) {
      const near = nearestNames(name, [...leaves])
      if (open.has(overrides) && near.length === 0 && !wholes.has(name)) continue
      throw unknownName(name, { leaves, near, isWhole: wholes.has(name) })
    }
    const override: unknown = overrides[name]
    if (typeof override !== 'function' && !isTool(override))
      throw wrong(`must be a tool or a function for '${name}', not ${quote(override)}.`)
  }
}

/** Those of the overrides that are about this tool. */
export function overridesOf(tool: AgentTool, overrides: Overrides | undefined): Overrides | undefined {
  if (overrides === undefined) return undefined
  const { leaves } = namesIn([tool])
  return Object.fromEntries(Object.entries(overrides).filter(([name]) => leaves.has(name)))
}

interface Unknown {
  readonly leaves: ReadonlySet<string>
  readonly near: readonly string[]
  readonly isWhole: boolean
}

function unknownName(name: string, { leaves, near, isWhole }: Unknown): ConfigurationError {
  const list =
    leaves.size === 0 ? 'No tool can be replaced.' : `The tools that can be replaced are: ${[...leaves].slice(0, MOST_NAMED).join(', ')}.`
  if (isWhole) return wrong(`has '${name}', which is made of other tools: replace those. ${list}`)
  return wrong(`has '${name}', and no such tool is called. ${didYouMean(near, list)}`)
}

const MOST_NAMED = 20

function wrong(what: string): ConfigurationError {
  return new ConfigurationError('invalid_option', `The option 'overrides' of a call ${what}`)
}

interface Names {
  readonly leaves: ReadonlySet<string>
  readonly wholes: ReadonlySet<string>
}

/** The names of the tools and of all tools inside. */
function namesIn(tools: Iterable<AgentTool>): Names {
  const [leaves, wholes] = [new Set<string>(), new Set<string>()]
  const met = new Set(tools)
  // The loop also visits the tools that are added to the set on the way.
  for (const each of met) {
    const { order, parts } = each.plan()
    ;(order === 'leaf' ? leaves : wholes).add(each.name)
    for (const part of parts) met.add(part.tool)
  }
  return { leaves, wholes }
}
