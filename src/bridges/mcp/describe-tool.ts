import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server'
import { compatibleTuples } from '../../schema/dialects/compatible-tuples.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { nestSchema } from '../../schema/nest-schema.ts'
import type { AgentTool, ToolSpecification } from '../../tool/agent-tool.ts'

interface Described {
  readonly specification?: ToolSpecification | undefined
  /** Its results are text alone. */
  readonly isText?: boolean | undefined
}

/** The description of a tool for a client. */
export function describeTool(tool: AgentTool, { specification = tool.specification, isText = false }: Described = {}): Tool {
  const { name, description, parameters, outputSchema } = specification
  return {
    name,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    description,
    inputSchema: { ...parameters, type: 'object' },
    ...(outputSchema === undefined || isText ? {} : { outputSchema: structuredSchema(compatibleTuples(outputSchema)) }),
    annotations: annotationsOf(tool),
  }
}

/** Whether an output stands in `structuredContent` as it is: the protocol wants an object there. */
export function isObjectSchema(schema: JsonSchema): boolean {
  return schema['type'] === 'object'
}

/** An output that is no object stands in the field `result`. The dialect of the schema moves to the root, unless the schema is a root of its own. */
function structuredSchema(schema: JsonSchema): Tool['outputSchema'] {
  const { $id, $schema } = schema
  if (isObjectSchema(schema)) return { ...schema, type: 'object' }
  const nested = nestSchema(schema, {
    around: (result) => ({ type: 'object', required: ['result'], properties: { result } }),
    pointer: '/properties/result',
  })
  return { ...(typeof $schema === 'string' && typeof $id !== 'string' ? { $schema } : {}), ...nested, type: 'object' }
}

/** Clients may ask people less often about harmless tools. So a tool is called harmless only where it declares that. */
function annotationsOf({ effect, idempotent }: AgentTool): ToolAnnotations {
  const isRead = effect === 'read'
  return { readOnlyHint: isRead, destructiveHint: !isRead, idempotentHint: isRead || idempotent === true, openWorldHint: true }
}
