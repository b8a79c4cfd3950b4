import type { StructuredToolInterface, ToolRunnableConfig } from '@langchain/core/tools'
import { isRecord, type JsonSchema } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import { isStandardSchema, type StandardResult, type StandardSchema } from '../../schema/standard-schema.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { ToolContext } from '../../tool/context.ts'
import { jsonSchema } from '../../tool/contract.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { tool } from '../../tool/tool.ts'
import { type AdoptedMetadata, adoptedName, combinedApproval } from '../adopted.ts'
import { foreignResult } from './foreign-result.ts'
import type { Adopting } from './load-lang-chain.ts'

export interface Adoption {
  readonly metadata: AdoptedMetadata | undefined
  /** What every call passes on. */
  readonly config: ToolRunnableConfig | undefined
}

/** Whether a value is a tool of LangChain, of any copy of it. */
export function isForeignTool(value: unknown): value is StructuredToolInterface {
  return (
    isRecord(value) &&
    Array.isArray(value['lc_namespace']) &&
    typeof value['name'] === 'string' &&
    typeof value['invoke'] === 'function' &&
    'schema' in value
  )
}

/** Makes a tool of ours that runs a LangChain tool. */
export function adoptTool(key: string, foreign: unknown, about: Adoption & { readonly core: Adopting }): AgentTool {
  const { metadata = {}, config, core } = about
  if (!isForeignTool(foreign)) throw new ConfigurationError('not_a_tool', `Tool '${key}' of LangChain is ${quote(foreign)}, and no tool.`)
  const { description } = foreign
  return tool({
    source: 'langchain',
    ...metadata,
    name: adoptedName(key),
    description: typeof description === 'string' && description.trim() !== '' ? description : `The tool ${key}.`,
    inputSchema: foreignSchema(foreign.schema, { role: `The schema of LangChain tool '${key}'`, core }),
    requireApproval: combinedApproval(metadata.requireApproval, undefined),
    async execute(input: unknown, call: ToolContext) {
      const signal = config?.signal === undefined ? call.signal : AbortSignal.any([call.signal, config.signal])
      const output: unknown = await foreign
        .invoke(givenTo(foreign, input, call), { ...config, signal })
        .catch((error: unknown) => Promise.reject(explained(error, key, core)))
      return foreignResult(output, { key, isSplit: isSplit(foreign) })
    },
  })
}

/** The tool returns content for the model and an artifact for the program. */
function isSplit(foreign: StructuredToolInterface): boolean {
  return (foreign as { readonly responseFormat?: unknown }).responseFormat === 'content_and_artifact'
}

/** The input by itself: then the tool gives its own value. As a tool call where an artifact is wanted. */
function givenTo(foreign: StructuredToolInterface, input: unknown, { invocationId }: ToolContext): never {
  // LangChain would run the tool with what is inside, which nobody has checked.
  if (isRecord(input) && input['type'] === 'tool_call')
    throw new ToolError(`Invalid input for tool '${foreign.name}': 'type' must not be 'tool_call', which LangChain keeps for itself.`, {
      code: 'invalid_input',
      outcome: 'not_started',
    })
  return (isSplit(foreign) ? { type: 'tool_call', id: invocationId, name: foreign.name, args: input } : input) as never
}

function explained(error: unknown, key: string, { ToolInputParsingException }: Adopting): unknown {
  if (error instanceof ToolInputParsingException)
    return new ToolError(`Invalid input for tool '${key}': ${error.message}`, {
      code: 'invalid_input',
      outcome: 'not_started',
      cause: error,
    })
  if (isRecord(error) && error['name'] === 'GraphInterrupt')
    return new ToolError(
      `LangChain tool '${key}' asks a person by interrupt(), which works only where its own graph calls it. Give it requireApproval in the metadata instead.`,
      { code: 'reviewer_unreachable', outcome: 'unknown', cause: error },
    )
  return error
}

interface SchemaOf {
  readonly role: string
  readonly core: Adopting
}

/**
 * A schema of a LangChain tool as one that our tools take. LangChain parses every input itself: it gets the input as it was given, since a
 * schema that transforms would not take its own output.
 */
function foreignSchema(given: unknown, { role, core }: SchemaOf): StandardSchema {
  if (!isStandardSchema(given)) {
    if (!isRecord(given))
      throw new ConfigurationError('invalid_schema', `${role} must be a schema of zod or a JSON Schema, not ${quote(given)}.`)
    return jsonSchema(core.toJsonSchema(given as never) as JsonSchema)
  }
  const { '~standard': own } = given
  const described = own.jsonSchema ?? jsonSchema(core.toJsonSchema(given as never, INPUT) as JsonSchema)['~standard'].jsonSchema
  const unchanged = (value: unknown, result: StandardResult<unknown>): StandardResult<unknown> =>
    result.issues === undefined ? { value } : result
  const validate = (value: unknown): StandardResult<unknown> | Promise<StandardResult<unknown>> => {
    const result = own.validate(value)
    return result instanceof Promise ? result.then((each) => unchanged(value, each)) : unchanged(value, result)
  }
  return { '~standard': { version: 1, vendor: 'langchain', validate, jsonSchema: described } }
}

/** What a model sends, and not what the schema makes of it. */
const INPUT = { io: 'input' } as const
