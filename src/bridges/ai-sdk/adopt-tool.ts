import type * as Ai from 'ai'
import type { Schema, Tool, ToolExecutionOptions, ToolResultPart } from 'ai'
import { isRecord, type JsonSchema } from '../../schema/json-schema.ts'
import { excerpt, quote } from '../../schema/quote.ts'
import { isStandardSchema, type StandardIssue, type StandardResult, type StandardSchema } from '../../schema/standard-schema.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { ToolContext } from '../../tool/context.ts'
import { jsonSchema } from '../../tool/contract.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { LONGEST_TITLE } from '../../tool/identity.ts'
import { missingPackage } from '../../tool/missing-package.ts'
import type { ContentPart } from '../../tool/result/result.ts'
import { failure, type ReturnedFailure, type ReturnedSuccess, success } from '../../tool/result/returned.ts'
import { printable } from '../../tool/printable.ts'
import { textOf } from '../../tool/result/text-of.ts'
import { tool } from '../../tool/tool.ts'
import { type AdoptedMetadata, adoptedName, base64Of, binaryContent, combinedApproval } from '../adopted.ts'
import loadAi from './ai-package.cjs'
import { AI_SCHEMA } from './exact-schema.ts'

interface Adoption {
  readonly metadata: AdoptedMetadata | undefined
  /** What the tool gets as `context`. */
  readonly context: unknown
}

type Foreign = Tool<unknown, unknown, Record<string, unknown>>
type Options = ToolExecutionOptions<Record<string, unknown>>

/** Makes a tool of ours that runs an AI SDK tool. */
export function adoptTool(key: string, foreign: unknown, { metadata = {}, context }: Adoption): AgentTool {
  if (!isRecord(foreign)) throw new ConfigurationError('not_a_tool', `Tool '${key}' of the AI SDK is ${quote(foreign)}, and no tool.`)
  const { inputSchema, execute, toModelOutput, needsApproval, type, description, title } = foreign as Foreign
  if (typeof execute !== 'function') {
    const where = type === 'provider' ? 'by its provider' : 'in the client'
    throw new ConfigurationError(
      'invalid_definition',
      `AI SDK tool '${key}' has no execute: it runs ${where}, and cannot be called here. Leave it out, or give it an execute.`,
    )
  }
  const own = (toolCallId: string, signal?: AbortSignal): Options => ({
    toolCallId,
    messages: [],
    context: context as Record<string, unknown>,
    ...(signal === undefined ? {} : { abortSignal: signal }),
  })
  return tool({
    source: 'ai-sdk',
    ...(typeof title === 'string' && title.trim() !== '' ? { title: printable(title).slice(0, LONGEST_TITLE).toWellFormed() } : {}),
    ...metadata,
    name: adoptedName(key),
    description: descriptionOf(key, description, context),
    inputSchema: foreignSchema(inputSchema, `The inputSchema of AI SDK tool '${key}'`),
    requireApproval: combinedApproval(
      metadata.requireApproval,
      typeof needsApproval === 'function' ? (input) => needsApproval(input, own('')) : needsApproval,
    ),
    async execute(input: unknown, call: ToolContext) {
      const output = await lastOf(execute(input, own(call.invocationId, call.signal)), call)
      if (toModelOutput === undefined) return output
      return foreignOutput(output, await toModelOutput({ toolCallId: call.invocationId, input, output }))
    },
  })
}

function descriptionOf(key: string, description: Foreign['description'], context: unknown): string {
  const text: unknown = typeof description === 'function' ? description({ context: context as never }) : description
  return typeof text === 'string' && text.trim() !== '' ? text : `The tool ${key}.`
}

const LONGEST_REPORT = 500

/** The last of several outputs is the output; each is a report of progress as it comes. */
async function lastOf(given: unknown, { progress, signal }: ToolContext): Promise<unknown> {
  if (!isAsyncIterable(given)) return given
  const outputs = given[Symbol.asyncIterator]()
  let last: unknown
  const leave = (): void => void outputs.return?.()
  signal.addEventListener('abort', leave, { once: true })
  try {
    for (let next = await outputs.next(); next.done !== true; next = await outputs.next()) {
      last = next.value
      progress({ message: excerpt(textOf(last), LONGEST_REPORT) })
    }
    return last
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return isRecord(value) && Symbol.asyncIterator in value
}

type ModelOutput = ToolResultPart['output']
type OutputPart = Extract<ModelOutput, { type: 'content' }>['value'][number]

/** The output of an AI SDK tool, with the text and content that its `toModelOutput` makes for the model. */
function foreignOutput<V>(value: V, output: ModelOutput): ReturnedSuccess<V> | ReturnedFailure {
  switch (output.type) {
    case 'text':
      return success(value, { text: output.value })
    case 'json':
      return success(value, { text: textOf(output.value) })
    case 'error-text':
    case 'error-json':
      return failure(textOf(output.value))
    case 'execution-denied':
      return failure(output.reason ?? 'The execution was denied.', { code: 'rejected', outcome: 'not_started' })
    case 'content': {
      const texts = output.value.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      return success(value, { text: texts.join('\n'), content: output.value.flatMap(contentPart) })
    }
    default:
      return success(value)
  }
}

/** Text parts form the text; parts that only a provider can read are left out. */
function contentPart(part: OutputPart): readonly ContentPart[] {
  if (part.type === 'file') {
    const { data, mediaType, filename } = part
    if (data.type === 'url') return [{ type: 'resource', uri: String(data.url), mimeType: mediaType }]
    if (data.type === 'text') return [{ type: 'resource', uri: filename ?? 'text', mimeType: mediaType, text: data.text }]
    return data.type === 'data' ? [binary(data.data, mediaType, filename)] : []
  }
  if (part.type === 'file-data') return [binary(part.data, part.mediaType, part.filename)]
  if (part.type === 'file-url')
    return [{ type: 'resource', uri: part.url, ...(part.mediaType === undefined ? {} : { mimeType: part.mediaType }) }]
  if (part.type === 'image-data') return [binary(part.data, part.mediaType)]
  return part.type === 'image-url' ? [{ type: 'resource', uri: part.url }] : []
}

function binary(data: string | Uint8Array | ArrayBuffer, mimeType: string, name?: string): ContentPart {
  return binaryContent(base64Of(data) ?? '', { mimeType, name })
}

/** A schema of an AI SDK tool, of any of the kinds that the SDK takes, as one that our tools take. */
function foreignSchema(given: unknown, role: string): StandardSchema {
  if (isStandardSchema(given)) return isDescribed(given) ? given : standardOf(describedByAi(given), role)
  if (isAiSchema(given)) return standardOf(given, role)
  if (typeof given === 'function') return foreignSchema((given as () => unknown)(), role)
  throw new ConfigurationError(
    'invalid_schema',
    `${role} must be a schema that the AI SDK takes: of zod, of jsonSchema(), or a Standard Schema.`,
  )
}

function isDescribed({ '~standard': { vendor, jsonSchema: described } }: StandardSchema): boolean {
  return described !== undefined || vendor !== 'zod'
}

/** A schema of zod 3, which only the SDK can describe. */
function describedByAi(schema: unknown): Schema {
  try {
    return loadAi().asSchema(schema as Parameters<typeof Ai.asSchema>[0])
  } catch (cause) {
    throw missingPackage(cause, 'ai', 'to describe schemas of zod 3')
  }
}

function isAiSchema(value: unknown): value is Schema {
  return isRecord(value) && (value as Record<symbol, unknown>)[AI_SCHEMA] === true && 'jsonSchema' in value
}

/** Without a validator of its own, a schema is checked as the JSON Schema that it shows. */
function standardOf({ jsonSchema: shown, validate }: Schema, role: string): StandardSchema {
  if (isThenable(shown))
    throw new ConfigurationError('invalid_schema', `${role} is a promise of a JSON Schema. Wait for it, and pass jsonSchema(await it).`)
  const described = jsonSchema(shown as JsonSchema)
  if (validate === undefined) return described
  const judge = (value: unknown): StandardResult<unknown> | Promise<StandardResult<unknown>> => {
    const verdict = validate(value)
    return isThenable(verdict) ? Promise.resolve(verdict).then(resultOf) : resultOf(verdict)
  }
  return { '~standard': { ...described['~standard'], vendor: 'ai-sdk', validate: judge } }
}

type Verdict = Awaited<ReturnType<NonNullable<Schema['validate']>>>

function resultOf(verdict: Verdict): StandardResult<unknown> {
  return verdict.success ? { value: verdict.value } : { issues: issuesOf(verdict.error) }
}

/** The SDK wraps what a library found; the library's own list says it better, and does not repeat the value. */
function issuesOf(error: Error): readonly StandardIssue[] {
  for (const found of [error, error.cause]) {
    const issues: unknown = Array.isArray(found) ? found : isRecord(found) ? found['issues'] : undefined
    if (Array.isArray(issues) && issues.every((each) => isRecord(each) && typeof each['message'] === 'string'))
      return issues as StandardIssue[]
  }
  return [{ message: error.cause instanceof Error ? error.cause.message : error.message }]
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
