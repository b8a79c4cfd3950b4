import type { Excess } from '../../schema/excess.ts'
import { joinPath } from '../../schema/field-path.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { listSchema } from '../../schema/nest-schema.ts'
import type { StandardResult } from '../../schema/standard-schema.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import type { Contract } from '../../tool/contract.ts'
import { ENTRY } from './map-entry.ts'

interface Described {
  /** Made when it is read. */
  readonly schema: () => JsonSchema
  /** The same, or a configuration error where it cannot be shown to a model. */
  readonly exact: () => JsonSchema
  /** What is asked of an item, or sure of one, beyond its schema. */
  readonly beyond: () => readonly Excess[] | undefined
}

/** A list of what a tool takes or gives. The tool checks each item; here only that it is a list. */
class ListContract implements Contract {
  readonly strips = true
  readonly #described: Described
  #schema: JsonSchema | undefined

  constructor(described: Described) {
    this.#described = described
  }

  get input(): JsonSchema {
    return (this.#schema ??= this.#described.schema())
  }
  get exactInput(): JsonSchema {
    return this.#described.exact()
  }
  get output(): JsonSchema {
    return this.input
  }

  get excess(): readonly Excess[] {
    return (this.#described.beyond() ?? []).map((each) => ({ ...each, path: joinPath('[]', each.path) }))
  }
  get promised(): readonly Excess[] {
    return this.excess
  }

  validate(value: unknown): StandardResult<unknown> {
    return Array.isArray(value) ? { value } : { issues: [{ message: 'expected a list' }] }
  }
}

export function listOfInputs(tool: AgentTool): Contract {
  const { input } = behaviourOf(tool)
  const schema = (): JsonSchema => listSchema(input.schema)
  // The port of the tool refuses to show what it cannot show.
  return new ListContract({ schema, exact: () => (input.parameters, schema()), beyond: () => input.excess })
}

/** Undefined where the tool does not say what it gives. */
export function listOfOutputs(tool: AgentTool, asEntries: boolean): Contract | undefined {
  const { output, describesOutput = output } = behaviourOf(tool)
  if (describesOutput === undefined) return undefined
  const schema = (): JsonSchema => listSchema(describesOutput.output, asEntries ? ENTRY : undefined)
  return new ListContract({ schema, exact: schema, beyond: () => (asEntries ? [] : describesOutput.promised) })
}
