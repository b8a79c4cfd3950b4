import type * as Ai from 'ai'
import { isRecord } from '../schema/json-schema.ts'
import { quote } from '../schema/quote.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import { missingPackage, usablePackage } from '../tool/missing-package.ts'
import type { TokenUsage } from './agent-usage.ts'
import type { AgentMessage, AskedCall, ProviderOptions, ReplyPart } from './messages.ts'

/**
 * A language model of the AI SDK, of any version of its specification, or the id of one. It is described by its form, so that these types need
 * no package.
 */
export type AgentModel = string | LanguageModelLike

/** The parts of a language model of the AI SDK that an agent uses. */
export interface LanguageModelLike {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  readonly doGenerate: (options: never) => PromiseLike<unknown>
  readonly doStream: (options: never) => PromiseLike<{ readonly stream: ReadableStream<unknown> }>
}

/** What a model is asked, in the form that all versions of the specification share. */
export interface ModelRequest {
  readonly prompt: readonly AgentMessage[]
  readonly tools?: readonly OfferedFunction[]
  readonly toolChoice?: { readonly type: 'auto' }
  readonly responseFormat?: { readonly type: 'json'; readonly schema: unknown; readonly name: string }
  readonly abortSignal: AbortSignal
}

export interface OfferedFunction {
  readonly type: 'function'
  readonly name: string
  readonly description: string
  readonly inputSchema: unknown
}

/** A model of the AI SDK, of any version of its specification, as the loop calls it. Its answers are read with care. */
export interface CallableModel {
  readonly specificationVersion?: string | undefined
  readonly provider: string
  readonly modelId: string
  readonly doGenerate: (request: ModelRequest) => PromiseLike<unknown>
  readonly doStream: (request: ModelRequest) => PromiseLike<{ readonly stream: ReadableStream<unknown> }>
}

/** The answer of a model as data. */
export interface TurnReply {
  readonly content: readonly ReplyPart[]
  readonly finish: string
  readonly usage: TokenUsage
}

export function checkModel(model: unknown, whose: string): void {
  const isModel = isRecord(model) && typeof model['doGenerate'] === 'function' && typeof model['doStream'] === 'function'
  if (isModel || (typeof model === 'string' && model !== '')) return
  throw new ConfigurationError(
    'invalid_option',
    `The model of ${whose} must be a language model of the AI SDK, or the id of one, not ${quote(model)}.`,
  )
}

/** An id is looked up where the AI SDK looks it up, when it is needed. */
export async function callableModel(model: AgentModel): Promise<CallableModel> {
  if (typeof model !== 'string') return model as unknown as CallableModel
  const { gateway } = await loadAi()
  return (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(model) as unknown as CallableModel
}

async function loadAi(): Promise<typeof Ai> {
  try {
    return usablePackage(await import('ai'), 'ai', { purpose: PURPOSE, needs: ['gateway'] })
  } catch (cause) {
    throw missingPackage(cause, 'ai', PURPOSE)
  }
}

const PURPOSE = 'to use a model by its id'

/** Reads what `doGenerate` gave. */
export function readReply(given: unknown): TurnReply {
  if (!isRecord(given) || !Array.isArray(given['content'])) throw unreadable('it has no content')
  return replyOf(given['content'], given)
}

export function replyOf(content: readonly unknown[], { finishReason, usage }: Readonly<Record<string, unknown>>): TurnReply {
  return { content: content.flatMap(partOf), finish: finishOf(finishReason), usage: usageOf(usage) }
}

function unreadable(why: string): ToolError {
  return new ToolError(`The answer of the model cannot be read: ${why}.`, { code: 'upstream_error' })
}

/** Sources, files and calls that the provider has made itself do not go back to a model. */
function partOf(part: unknown): readonly ReplyPart[] {
  if (!isRecord(part)) return []
  const metadata = metadataOf(part['providerMetadata'])
  if ((part['type'] === 'text' || part['type'] === 'reasoning') && typeof part['text'] === 'string')
    return [{ type: part['type'], text: part['text'], ...metadata }]
  if (part['type'] !== 'tool-call' || part['providerExecuted'] === true) return []
  const { toolCallId, toolName, input } = part
  const call: AskedCall = {
    type: 'tool-call',
    toolCallId: typeof toolCallId === 'string' ? toolCallId : '',
    toolName: typeof toolName === 'string' ? toolName : '',
    input: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
    ...metadata,
  }
  return [call]
}

function metadataOf(given: unknown): { readonly providerOptions?: ProviderOptions } {
  // It is recorded: only its JSON is.
  return isRecord(given) ? { providerOptions: JSON.parse(JSON.stringify(given)) as ProviderOptions } : {}
}

/** The second version of the specification has a word here, later ones an object. */
function finishOf(reason: unknown): string {
  const unified = isRecord(reason) ? reason['unified'] : reason
  return typeof unified === 'string' ? unified : 'other'
}

function usageOf(usage: unknown): TokenUsage {
  const { inputTokens, outputTokens, cachedInputTokens } = isRecord(usage) ? usage : {}
  return {
    inputTokens: tokens(isRecord(inputTokens) ? inputTokens['total'] : inputTokens),
    outputTokens: tokens(isRecord(outputTokens) ? outputTokens['total'] : outputTokens),
    cachedInputTokens: tokens(isRecord(inputTokens) ? inputTokens['cacheRead'] : cachedInputTokens),
  }
}

function tokens(figure: unknown): number {
  return typeof figure === 'number' && figure >= 0 && figure < Infinity ? figure : 0
}
