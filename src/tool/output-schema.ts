import type { JsonSchema } from '../schema/json-schema.ts'
import type { AgentTool } from './agent-tool.ts'
import { behaviourOf } from './behaviour.ts'

/** The JSON Schema of the outputs of a tool, whether the tool or a part of it checks them; undefined if there is none. */
export function outputSchemaOf(tool: AgentTool): JsonSchema | undefined {
  const { output, describesOutput = output } = behaviourOf(tool)
  return describesOutput?.output
}
