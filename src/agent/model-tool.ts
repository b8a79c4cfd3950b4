import { isRecord, type JsonSchema } from '../schema/json-schema.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { jsonSchema } from '../tool/contract.ts'
import type { ToolContext } from '../tool/context.ts'
import { shortName } from '../tool/identity.ts'
import type { JsonData } from '../tool/journal/codec.ts'
import { digest, hashOf } from '../tool/journal/hash.ts'
import { recordInputAs } from '../tool/recorded-form.ts'
import { success } from '../tool/result/returned.ts'
import { hideMadeSecretsIn } from '../tool/seam/whole.ts'
import { tool } from '../tool/tool.ts'
import { type AgentFeed, feedIn } from './agent-feed.ts'
import { costOf, type ModelPrices, type TokenUsage } from './agent-usage.ts'
import {
  type AgentModel,
  type CallableModel,
  callableModel,
  type ModelRequest,
  type OfferedFunction,
  readReply,
  type TurnReply,
} from './language-model.ts'
import { type AgentMessage, textIn } from './messages.ts'
import type { ModelSettings } from './model-settings.ts'
import { promptFor } from './prompt-form.ts'
import { streamedReply } from './streamed-reply.ts'

/** The input of the step that asks the model. */
export interface ModelTurn {
  readonly messages: readonly AgentMessage[]
  /** Whether it may call tools. */
  readonly tools: boolean
  /** Tools that it is not told of, for want of room. */
  readonly without?: readonly string[] | undefined
  /** Tools that it has found: it is told of them besides those that it always has. */
  readonly found?: readonly string[] | undefined
}

export interface ModelToolOptions {
  /** Of the agent or the task. */
  readonly owner: string
  readonly model: AgentModel
  readonly settings: ModelSettings
  readonly functions: readonly OfferedFunction[]
  /** Tools that were found, as the model is told of them. */
  readonly found: (names: readonly string[]) => readonly OfferedFunction[]
  /** Of the answer, where it has one. */
  readonly format: JsonSchema | undefined
  readonly prices: ModelPrices | undefined
  readonly deadlineMs: number | undefined
}

const DEADLINE_MS = 120_000

const TURN = jsonSchema<ModelTurn>({
  type: 'object',
  properties: { messages: { type: 'array' }, tools: { type: 'boolean' }, without: { type: 'array' }, found: { type: 'array' } },
  required: ['messages', 'tools'],
})

/** One question to the model: a leaf, so that it is traced, recorded, and not asked again when a run is taken up. */
export function modelTool(options: ModelToolOptions): AgentTool<ModelTurn, TurnReply> {
  const { owner, model, settings, functions, found: functionsFor, format, prices, deadlineMs = DEADLINE_MS } = options
  const known = ({ found = [] }: ModelTurn): readonly OfferedFunction[] =>
    found.length === 0 ? functions : [...functions, ...functionsFor(found)]
  const request = (turn: ModelTurn, version: string | undefined, signal: AbortSignal): ModelRequest => {
    const { messages, tools, without = [] } = turn
    const all = known(turn)
    const offered = without.length === 0 ? all : all.filter(({ name }) => !without.includes(name))
    return {
      ...settings,
      prompt: promptFor(version, messages) as ModelRequest['prompt'],
      ...(tools && offered.length > 0 ? { tools: offered, toolChoice: { type: 'auto' } } : {}),
      ...(format === undefined ? {} : { responseFormat: { type: 'json', schema: format, name: 'answer' } }),
      abortSignal: signal,
    }
  }
  const asking = tool({
    name: shortName(`${owner}_model`),
    description: `Asks the model of '${owner}' for its next turn.`,
    effect: 'read',
    inputSchema: TURN,
    deadline: deadlineMs,
    async execute(turn, context) {
      const callable = await callableModel(model)
      const reply = await replyTo(
        callable,
        request(turn, callable.specificationVersion, context.signal),
        feedIn(context.services)?.at(context.path),
      )
      report(reply.usage, callable, { context, prices })
      hideArguments(reply, known(turn), context)
      refuseEmpty(reply)
      return success(reply, { text: textIn(reply.content) })
    },
  })
  return recordInputAs(asking, recordedTurn)
}

/**
 * What the record keeps of a prompt: its hash, and the words of the program in it. The replies of the model and the results of tools stand in
 * the record already: with all of them in each turn, the record would grow with the square of the turns.
 */
function recordedTurn({ messages, tools, without = [], found = [] }: ModelTurn): JsonData {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const said = messages.slice(last + 1).flatMap((message) => {
    if (message.role === 'system') return [message.content]
    return message.role === 'user' ? message.content.map(({ text }) => text) : []
  })
  return {
    messages: messages.length,
    hash: digest(messages.map(hashOfMessage).join()),
    ...(said.length === 0 ? {} : { said }),
    tools,
    ...(without.length === 0 ? {} : { without: [...without] }),
    ...(found.length === 0 ? {} : { found: [...found] }),
  }
}

const hashes = new WeakMap<AgentMessage, string>()

/** Most messages of a prompt were in the one before. */
function hashOfMessage(message: AgentMessage): string {
  let known = hashes.get(message)
  if (known === undefined) hashes.set(message, (known = hashOf(message)))
  return known
}

async function replyTo(model: CallableModel, request: ModelRequest, feed: ReturnType<AgentFeed['at']> | undefined): Promise<TurnReply> {
  return feed === undefined ? readReply(await model.doGenerate(request)) : streamedReply(model, request, feed)
}

/** The schemas of tools say what is a secret in the arguments of their calls. The reply has them as a text, and so has every later prompt. */
function hideArguments({ content }: TurnReply, functions: readonly OfferedFunction[], context: ToolContext): void {
  for (const part of content) {
    if (part.type !== 'tool-call') continue
    const inputSchema: unknown = functions.find(({ name }) => name === part.toolName)?.inputSchema
    if (isRecord(inputSchema)) hideMadeSecretsIn(context, parsed(part.input), inputSchema)
  }
}

/** Arguments that are no JSON reach no tool. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

interface Reporting {
  readonly context: ToolContext
  readonly prices: ModelPrices | undefined
}

/** An answer that is of no use costs as much as any other. */
function report(used: TokenUsage, { provider, modelId }: CallableModel, { context, prices }: Reporting): void {
  const costUsd = costOf(used, prices)
  context.usage({ tokens: used.inputTokens + used.outputTokens, ...(costUsd === undefined ? {} : { costUsd }) })
  const about = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': String(modelId), 'gen_ai.provider.name': String(provider) }
  for (const [kind, tokens] of [
    ['input', used.inputTokens],
    ['output', used.outputTokens],
  ] as const) {
    context.metric(`gen_ai.usage.${kind}_tokens`, tokens, about)
    context.metric('gen_ai.client.token.usage', tokens, { ...about, 'gen_ai.token.type': kind })
  }
}

function refuseEmpty({ content, finish }: TurnReply): void {
  if (textIn(content).trim() !== '' || content.some(({ type }) => type === 'tool-call')) return
  if (finish === 'content-filter')
    throw new ToolError('The provider of the model has filtered its answer.', {
      class: 'semantic',
      hint: 'Ask in other words, or ask for something else.',
    })
  if (finish === 'length')
    throw new ToolError('The model used all tokens of its answer before it said anything.', {
      class: 'semantic',
      hint: 'Raise maxOutputTokens, or ask for less.',
    })
  throw new ToolError('The model answered nothing.', { code: 'upstream_error', class: 'transient', retryable: true })
}
