import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server'
import { type JsonSchema, mapSubschemas } from '../../schema/json-schema.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'

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

/** References count from the root: definitions move up with it, and what pointed at the root points at `result`. */
function structuredSchema(schema: JsonSchema): Tool['outputSchema'] {
  if (isObjectSchema(schema)) return { ...schema, type: 'object' }
  const wrapper = { type: 'object', required: ['result'] } as const
  // What has a name of its own resolves its references itself.
  if (typeof schema['$id'] === 'string') return { ...wrapper, properties: { result: schema } }
  const { $schema, $defs, definitions, ...result } = moved(schema)
  const kept = Object.entries({ $schema, $defs, definitions }).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(kept), ...wrapper, properties: { result } }
}

function moved(schema: JsonSchema): JsonSchema {
  const mapped = mapSubschemas(schema, moved)
  const reference = schema['$ref']
  return typeof reference === 'string' && /^#(?!\/(\$defs|definitions)\/)(\/|$)/.test(reference)
    ? { ...mapped, $ref: `#/properties/result${reference.slice(1)}` }
    : mapped
}

/** Clients may ask people less often for what is harmless. So nothing is called harmless that was not declared so. */
function annotationsOf({ effect, idempotent }: AgentTool): ToolAnnotations {
  const isRead = effect === 'read'
  return { readOnlyHint: isRead, destructiveHint: !isRead, idempotentHint: isRead || idempotent === true, openWorldHint: true }
}
