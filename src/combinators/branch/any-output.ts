import { distinctSchemas } from '../../schema/combine-schemas.ts'
import { type JsonSchema, someSubschema } from '../../schema/json-schema.ts'
import type { StandardResult } from '../../schema/standard-schema.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import type { Contract } from '../../tool/contract.ts'

/** The output of whichever tool answers, where all of them describe theirs. */
export function anyOutput(tools: readonly AgentTool[]): Contract | undefined {
  const contracts = tools.map((tool) => behaviourOf(tool)).map(({ output, describesOutput = output }) => describesOutput)
  return contracts.every((each) => each !== undefined) ? new AnyOutput(contracts) : undefined
}

/** Each tool checks what it gives, so that this is read and never checked. */
class AnyOutput implements Contract {
  readonly strips = true
  readonly #contracts: readonly Contract[]
  #schema: JsonSchema | undefined

  constructor(contracts: readonly Contract[]) {
    this.#contracts = contracts
  }

  get output(): JsonSchema {
    return (this.#schema ??= union(this.#contracts.map(({ output }) => output)))
  }
  get input(): JsonSchema {
    return this.output
  }
  get exactInput(): JsonSchema {
    return this.output
  }

  validate(value: unknown): StandardResult<unknown> {
    return { value }
  }
}

/** References count from the root of a schema: one that has any cannot be put inside another, and then nothing is said. */
function union(schemas: readonly JsonSchema[]): JsonSchema {
  const different = distinctSchemas(schemas)
  const [only] = different
  if (different.length === 1 && only !== undefined) return only
  return different.some(hasReference) ? {} : { anyOf: different }
}

function hasReference(schema: JsonSchema): boolean {
  return someSubschema(schema, (each) => '$ref' in each || '$dynamicRef' in each)
}
