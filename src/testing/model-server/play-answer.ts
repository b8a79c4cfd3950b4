import type { ServerResponse } from 'node:http'
import { toJsonText } from '../../schema/quote.ts'
import type { Clock } from '../../tool/ports/clock.ts'
import type { ChatBody, ChatToolCall } from './chat-request.ts'
import type { ScriptedAnswer, ScriptedRefusal, ScriptedReply, ScriptedToolCall } from './scripted-turn.ts'

interface Played extends Omit<RepliedRequest, 'reply'> {
  readonly answer: ScriptedAnswer
  readonly clock: Clock
}

/** Sends the scripted answer, and ends when it is sent or the client has gone. */
export async function playAnswer(response: ServerResponse, { answer, clock, ...replied }: Played): Promise<void> {
  const wait = (ms: number | undefined) => waitFor(ms ?? 0, response, clock)
  await wait(answer.delayMs)
  if (response.destroyed) return
  if ('broken' in answer) return breakDown(response, answer.broken, replied.body.stream === true)
  if ('status' in answer) return refuse(response, answer)
  if (replied.body.stream !== true) return sendWhole(response, JSON.stringify(chatCompletion({ ...replied, reply: answer })), answer.cutOff)
  const events = [...chatCompletionChunks({ ...replied, reply: answer }).map((chunk) => JSON.stringify(chunk)), '[DONE]']
  const sent = answer.cutOff === true ? events.slice(0, Math.ceil(events.length / 2)) : events
  beginStream(response)
  for (const [index, event] of sent.entries()) {
    if (index > 0) await wait(answer.chunkDelayMs)
    if (response.destroyed) return
    response.write(`data: ${event}\n\n`)
  }
  if (answer.cutOff === true) await cut(response)
  else response.end()
}

/** An error in the format of this API. */
export function refuse(response: ServerResponse, { status, message, headers }: ScriptedRefusal): void {
  const type = status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error'
  const error = { message: message ?? `The script answers with status ${status}.`, type, param: null, code: null }
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '0', ...headers })
  response.end(JSON.stringify({ error }))
}

function sendWhole(response: ServerResponse, text: string, cutOff = false): void | Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  if (!cutOff) return void response.end(text)
  response.write(text.slice(0, Math.floor(text.length / 2)))
  return cut(response)
}

function breakDown(response: ServerResponse, kind: 'malformed' | 'dropped' | 'silent', stream: boolean): void {
  if (kind === 'silent') return
  if (kind === 'dropped') return void response.socket?.destroy()
  if (!stream) return void sendWhole(response, '{"id": "chatcmpl-broken", "choices": [')
  beginStream(response)
  response.end('data: {"id": "chatcmpl-broken", "choices": [\n\ndata: [DONE]\n\n')
}

function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
}

/** The client gets the written part before the connection breaks. */
async function cut(response: ServerResponse): Promise<void> {
  await new Promise((resolve) => response.write('', resolve))
  response.socket?.destroy()
}

/** Until the time is over or the client has gone. */
function waitFor(ms: number, response: ServerResponse, clock: Clock): Promise<void> | undefined {
  if (ms <= 0 || response.destroyed) return undefined
  return new Promise((resolve) => {
    const done = (): void => {
      cancel()
      response.off('close', done)
      resolve()
    }
    const cancel = clock.timer(ms, done)
    response.once('close', done)
  })
}

/** The same in every run. */
const CREATED = 1_700_000_000
const CHARACTERS_PER_TOKEN = 4
/** Small enough that most texts come in several pieces. */
const PIECE = 8

/** A reply on the way to the wire. */
interface RepliedRequest {
  readonly body: ChatBody
  readonly reply: ScriptedReply
  /** From 1. */
  readonly turn: number
}

/** The reply as one JSON object. */
function chatCompletion(replied: RepliedRequest): object {
  const { text, reasoning } = replied.reply
  const calls = toolCallsOf(replied)
  const message = {
    role: 'assistant',
    content: text ?? null,
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  return {
    ...envelope(replied, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReasonOf(replied.reply) }],
    usage: usageOf(replied),
  }
}

/** The reply as the chunks of a stream; usage comes last, and only when it was asked for. */
function chatCompletionChunks(replied: RepliedRequest): readonly object[] {
  const { reply, body } = replied
  const chunk = (delta: object, finish: string | null = null): object => ({
    ...envelope(replied, 'chat.completion.chunk'),
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  })
  const calls = toolCallsOf(replied).flatMap(({ id, type, function: { name, arguments: given } }, index) => [
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
      ? [{ ...envelope(replied, 'chat.completion.chunk'), choices: [], usage: usageOf(replied) }]
      : []),
  ]
}

function envelope({ turn, body }: RepliedRequest, object: string): object {
  return { id: `chatcmpl-${turn}`, object, created: CREATED, model: body.model }
}

function toolCallsOf({ reply, turn }: RepliedRequest): readonly ChatToolCall[] {
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

function usageOf({ body, reply }: RepliedRequest): object {
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
