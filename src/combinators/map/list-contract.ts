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
  /** Made when it is first read. */
  readonly schema: () => JsonSchema
  /** The same, or a configuration error if it cannot be shown to a model. */
  readonly exact: () => JsonSchema
  /** The rules of an item, or its guarantees, that its schema does not show. */
  readonly beyond: () => readonly Excess[] | undefined
}

/** A list of inputs or outputs of a tool. Only the list is checked here; the tool checks each item. */
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
  // The port of the tool throws if the schema cannot be shown.
  return new ListContract({ schema, exact: () => (input.parameters, schema()), beyond: () => input.excess })
}

/** Undefined if the tool does not describe its output. */
export function listOfOutputs(tool: AgentTool, asEntries: boolean): Contract | undefined {
  const { output, describesOutput = output } = behaviourOf(tool)
  if (describesOutput === undefined) return undefined
  const schema = (): JsonSchema => listSchema(describesOutput.output, asEntries ? ENTRY : undefined)
  return new ListContract({ schema, exact: schema, beyond: () => (asEntries ? [] : describesOutput.promised) })
}
