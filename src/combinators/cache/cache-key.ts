import { acceptedInput } from '../../tool/accepted-input.ts'
import { adapt } from '../../tool/adapt.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { ToolContext } from '../../tool/context.ts'
import { settingsOf, type Whole } from '../../tool/seam/whole.ts'
import { hashOf } from '../../tool/journal/hash.ts'

export type KeyFunction = (input: unknown, context: ToolContext) => unknown

/**
 * What two calls must have in common to share a result: the input, or what the author's function makes of it, the principal with its
 * permissions, and the handles through which a tool sees the world. Undefined where there is nothing to go by: such a call is not kept.
 */
export async function cacheKey(
  whole: Whole,
  given: unknown,
  { tool, key }: { tool: AgentTool; key: KeyFunction | undefined },
): Promise<string | undefined> {
  const input = key === undefined ? { given } : await ownKey(whole, given, { tool, key })
  if (input === undefined) return undefined
  try {
    return hashOf([input, principalOf(whole), handlesOf(whole)])
  } catch {
    return undefined
  }
}

/** The author's function sees a valid input only. What the tool will refuse is not looked up. */
async function ownKey(whole: Whole, given: unknown, { tool, key }: { tool: AgentTool; key: KeyFunction }): Promise<object | undefined> {
  const accepted = await acceptedInput(tool, given)
  if (accepted === undefined) return undefined
  const { input } = accepted
  return { own: adapt(`'key' of the cache of '${tool.name}'`, () => key(input, whole), { outcome: 'not_started' }) }
}

function principalOf({ principal }: Whole): unknown {
  return principal === undefined ? null : [principal.id, principal.permissions.toSorted()]
}

function handlesOf(whole: Whole): unknown {
  const { secrets, services: given = {} } = settingsOf(whole)
  const services = Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return [handle(secrets), services.map(([name, service]) => [name, handle(service)])]
}

const handles = new WeakMap<object, number>()
let count = 0

/** The same for the same object, and for no other. */
function handle(value: unknown): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value
  const known = handles.get(value) ?? ++count
  handles.set(value, known)
  return { handle: known }
}
