import type { ChatBody, ChatToolCall } from './chat-request.ts'
import { toJsonText } from '../../schema/quote.ts'
import type { ScriptedReply, ScriptedToolCall } from './scripted-turn.ts'

/** The same in every run. */
const CREATED = 1_700_000_000
const CHARACTERS_PER_TOKEN = 4
/** Small enough that most texts come in several pieces. */
const PIECE = 8

/** A reply on the way to the wire. */
export interface Spoken {
  readonly body: ChatBody
  readonly reply: ScriptedReply
  /** From 1. */
  readonly turn: number
}

/** The reply as one JSON object. */
export function chatCompletion(spoken: Spoken): object {
  const { text, reasoning } = spoken.reply
  const calls = toolCallsOf(spoken)
  const message = {
    role: 'assistant',
    content: text ?? null,
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  return {
    ...envelope(spoken, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReasonOf(spoken.reply) }],
    usage: usageOf(spoken),
  }
}

/** The reply as the chunks of a stream; usage comes last, and only when it was asked for. */
export function chatCompletionChunks(spoken: Spoken): readonly object[] {
  const { reply, body } = spoken
  const chunk = (delta: object, finish: string | null = null): object => ({
    ...envelope(spoken, 'chat.completion.chunk'),
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  })
  const calls = toolCallsOf(spoken).flatMap(({ id, type, function: { name, arguments: given } }, index) => [
    chunk({ tool_calls: [{ index, id, type, function: { name, arguments: '' } }] }),
    ...pieces(given).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ])
  return [
    chunk({ role: 'assistant', content: calls.length > 0 && reply.text === undefined ? null : '' }),
    ...pieces(reply.reasoning ?? '').map((piece) => chunk({ reasoning_content: piece })),
    ...pieces(reply.text ?? '').map((piece) => chunk({ content: piece })),
    ...calls,
    chunk({}, finishReasonOf(reply)),
    ...(body.stream_options?.include_usage === true
      ? [{ ...envelope(spoken, 'chat.completion.chunk'), choices: [], usage: usageOf(spoken) }]
      : []),
  ]
}

function envelope({ turn, body }: Spoken, object: string): object {
  return { id: `chatcmpl-${turn}`, object, created: CREATED, model: body.model }
}

function toolCallsOf({ reply, turn }: Spoken): readonly ChatToolCall[] {
  return (reply.toolCalls ?? []).map(({ id, name, ...given }, index) => ({
    id: id ?? `call_${turn}_${index + 1}`,
    type: 'function',
    function: { name, arguments: argumentsText(given) },
  }))
}

function argumentsText({ arguments: given = {} }: Pick<ScriptedToolCall, 'arguments'>): string {
  return typeof given === 'string' ? given : toJsonText(given)
}

function finishReasonOf({ finishReason, toolCalls = [] }: ScriptedReply): string {
  return finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')
}

function usageOf({ body, reply }: Spoken): object {
  const { inputTokens, outputTokens } = reply.usage ?? {
    inputTokens: tokensIn([body.messages, body.tools]),
    outputTokens: tokensIn([reply.reasoning, reply.text, reply.toolCalls]),
  }
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens }
}

function tokensIn(parts: readonly unknown[]): number {
  const characters = parts.filter((part) => part !== undefined).reduce<number>((sum, part) => sum + toJsonText(part).length, 0)
  return Math.ceil(characters / CHARACTERS_PER_TOKEN)
}

/** By characters, so that no emoji is torn apart. */
function pieces(text: string): readonly string[] {
  const characters = Array.from(text)
  return Array.from({ length: Math.ceil(characters.length / PIECE) }, (_, index) =>
    characters.slice(index * PIECE, (index + 1) * PIECE).join(''),
  )
}
