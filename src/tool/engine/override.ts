import { type AgentTool, isTool } from '../agent-tool.ts'
import { type Behaviour, behaviourOf } from '../behaviour.ts'
import type { CallOptions } from '../context.ts'

/** The behaviour to use in place of a leaf's own, where the caller named one. Schemas, permissions and approvals stay the leaf's. */
export function overridden({ overrides }: CallOptions, tool: AgentTool, behaviour: Behaviour): Behaviour {
  if (overrides === undefined || !behaviour.leaf || !Object.hasOwn(overrides, tool.name)) return behaviour
  const override = overrides[tool.name]
  if (override === undefined) return behaviour
  if (isTool(override)) return { ...behaviour, isPlain: false, services: undefined, run: behaviourOf(override).run }
  return { ...behaviour, isPlain: false, services: undefined, run: override as (input: unknown, context: unknown) => unknown }
}
