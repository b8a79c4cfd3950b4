import type { AgentTool } from '../tool/agent-tool.ts'
import { behaviourOf } from '../tool/behaviour.ts'
import { mask, secretsIn } from '../tool/mask.ts'
import type { JsonSchema } from '../tool/schema/json-schema.ts'

export interface ToolSchemas {
  readonly input: JsonSchema
  readonly output: JsonSchema
}

const NOTHING_KNOWN: ToolSchemas = { input: {}, output: {} }

/**
 * Hides the secrets of one run: fields that are secret by their name, or by the schema of a tool that is known here. What is a secret in one
 * place is hidden in all of them.
 */
export class RunMask {
  readonly #schemas = new Map<string, ToolSchemas>()
  readonly #spoken = new Set<string>()

  constructor(tools: Iterable<AgentTool>) {
    for (const tool of tools) this.#know(tool)
  }

  schemasOf(tool: string | null): ToolSchemas {
    return this.#schemas.get(tool ?? '') ?? NOTHING_KNOWN
  }

  /** All of a run is learned before any of it is shown. */
  learn(value: unknown, schema: JsonSchema): void {
    for (const secret of secretsIn(value, schema)) this.#spoken.add(secret)
  }

  readonly show = <T>(value: T, schema: JsonSchema = {}): T => mask(value, schema, this.#spoken) as T

  /** A name may stand for a layer and for the tool in it: what any of them says is a secret is one. */
  #know(tool: AgentTool, above: ReadonlySet<AgentTool> = new Set()): void {
    if (above.has(tool)) return
    const { input } = behaviourOf(tool)
    const { outputSchema = {} } = tool.specification
    const { input: knownInput, output: knownOutput } = this.schemasOf(tool.name)
    this.#schemas.set(tool.name, { input: both(knownInput, input.schema), output: both(knownOutput, outputSchema) })
    for (const part of tool.plan().parts) this.#know(part.tool, new Set([...above, tool]))
  }
}

function both(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (one === other || Object.keys(one).length === 0) return other
  return Object.keys(other).length === 0 ? one : { allOf: [one, other] }
}
