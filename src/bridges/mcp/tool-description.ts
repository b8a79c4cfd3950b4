import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { JsonSchema } from '../../tool/schema/json-schema.ts'

/** What a client is told about a tool. */
export function describeTool(tool: AgentTool): Tool {
  const { name, description, parameters, outputSchema } = tool.specification
  return {
    name,
    description,
    inputSchema: { ...parameters, type: 'object' },
    ...(outputSchema === undefined ? {} : { outputSchema: structuredSchema(outputSchema) }),
    annotations: annotationsOf(tool),
  }
}

/** Whether an output stands in `structuredContent` as it is: the protocol wants an object there. */
export function isObjectSchema(schema: JsonSchema): boolean {
  return schema['type'] === 'object'
}

function structuredSchema(schema: JsonSchema): Tool['outputSchema'] {
  if (isObjectSchema(schema)) return { ...schema, type: 'object' }
  const { $defs, $schema: _dialect, ...result } = schema
  return { type: 'object', properties: { result }, required: ['result'], ...($defs === undefined ? {} : { $defs }) }
}

/** Clients may ask people less often for what is harmless. So nothing is called harmless that was not declared so. */
function annotationsOf({ effect, idempotent }: AgentTool): ToolAnnotations {
  const isRead = effect === 'read'
  return { readOnlyHint: isRead, destructiveHint: !isRead, idempotentHint: isRead || idempotent === true, openWorldHint: true }
}
