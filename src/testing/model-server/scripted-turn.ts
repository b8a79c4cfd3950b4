import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import type { ChatRequest } from './chat-request.ts'

/** A call of a tool, as the model would ask for it. */
export interface ScriptedToolCall {
  readonly name: string
  /** Written as JSON; a string is sent unchanged, whether it is JSON or not. The default is `{}`. */
  readonly arguments?: unknown
  /** By default `call_<turn>_<position>`, both from 1. */
  readonly id?: string | undefined
}

/** The usage that the model reports; by default a quarter of the characters of request and reply. */
export interface ScriptedUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The model answers: a text, calls of tools, or both. */
export interface ScriptedReply {
  readonly text?: string | undefined
  readonly reasoning?: string | undefined
  readonly toolCalls?: readonly ScriptedToolCall[] | undefined
  /** By default `tool_calls` with calls, else `stop`. */
  readonly finishReason?: 'stop' | 'length' | 'tool_calls' | 'content_filter' | undefined
  readonly usage?: ScriptedUsage | undefined
  /** How long the first byte keeps the client waiting. */
  readonly delayMs?: number | undefined
  /** How long each chunk of a stream after the first keeps the client waiting. */
  readonly chunkDelayMs?: number | undefined
  /** The connection breaks in the middle of the answer. */
  readonly cutOff?: boolean | undefined
}

/** The endpoint refuses, with a status from 400 to 599. */
export interface ScriptedRefusal {
  readonly status: number
  readonly message?: string | undefined
  /** `retry-after-ms` is 0 by default, so that clients which honour it retry at once. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly delayMs?: number | undefined
}

/** The endpoint fails as no endpoint should: an answer that is no JSON, a connection that breaks before the answer, no answer at all. */
export interface ScriptedBreakdown {
  readonly broken: 'malformed' | 'dropped' | 'silent'
  readonly delayMs?: number | undefined
}

/** One answer of the scripted model server: a reply, a refusal or a broken connection. */
export type ScriptedAnswer = ScriptedReply | ScriptedRefusal | ScriptedBreakdown

/** The answer to one request, or a function that makes it from the request. */
export type ScriptedTurn = ScriptedAnswer | ((request: ChatRequest) => ScriptedAnswer | Promise<ScriptedAnswer>)

const REPLY = optionNames<ScriptedReply>({
  text: true,
  reasoning: true,
  toolCalls: true,
  finishReason: true,
  usage: true,
  delayMs: true,
  chunkDelayMs: true,
  cutOff: true,
})
const REFUSAL = optionNames<ScriptedRefusal>({ status: true, message: true, headers: true, delayMs: true })
const BREAKDOWN = optionNames<ScriptedBreakdown>({ broken: true, delayMs: true })
/** Where no field tells the kind of answer. */
const ANY = [...new Set([...REPLY, ...REFUSAL, ...BREAKDOWN])]
const TOOL_CALL = optionNames<ScriptedToolCall>({ name: true, arguments: true, id: true })

const USAGE = optionNames<ScriptedUsage>({ inputTokens: true, outputTokens: true })

/** A misspelt field would make another answer than the script says. */
export function checkAnswer(answer: ScriptedAnswer, turn: number): void {
  const known = 'broken' in answer ? BREAKDOWN : 'status' in answer ? REFUSAL : isReply(answer) ? REPLY : ANY
  checkOptionNames(answer, known, `The fields of turn ${turn} of the script`)
  if ('usage' in answer && answer.usage !== undefined)
    checkOptionNames(answer.usage, USAGE, `The fields of the usage of turn ${turn} of the script`)
  if ('toolCalls' in answer)
    for (const call of answer.toolCalls ?? []) checkOptionNames(call, TOOL_CALL, `The fields of a tool call of turn ${turn} of the script`)
}

function isReply(answer: object): boolean {
  return Object.keys(answer).some((name) => REPLY.includes(name))
}
