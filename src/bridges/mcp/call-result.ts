import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import { isRecord } from '../../schema/json-schema.ts'
import { excerpt, toJsonText } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { ContentPart, ToolFailure, ToolResult, ToolSuccess } from '../../tool/result/result.ts'
import { FAILURES } from '../../tool/errors/error-codes.ts'
import type { ExitEarly } from '../../tool/errors/exit-early.ts'
import { failureData } from '../../tool/result/failure-details.ts'
import { STOPPED_HINT } from '../told-to-peer.ts'
import { isObjectSchema } from './describe-tool.ts'

/** Under this key of `_meta` a failure stands as data. */
export const ERROR_META = 'toolwright/error'

/**
 * A result as the protocol has it: text and parts for the model, the value as structured content where the tool describes one, unless results are
 * text alone.
 */
export function callResult(tool: AgentTool, result: ToolResult, isText = false): CallToolResult {
  const whole = result.ok ? successOf(tool, result, isText) : failureOf(result)
  return fitsOneMessage(whole) ? whole : tooLarge(tool, result)
}

/** Clients close a connection on which a longer message comes, and with it all that is under way. A message has an envelope, too. */
const MOST_BYTES = 10 * 1024 * 1024 - 64 * 1024

/** What a character takes at most, escaped: `\u0000`. */
const MOST_BYTES_OF_CHARACTER = 6

function fitsOneMessage(result: CallToolResult): boolean {
  // Most results are one short text: no need to write them twice.
  const [only, ...others] = result.content
  const isPlain = only?.type === 'text' && others.length === 0 && result.structuredContent === undefined && result._meta === undefined
  if (isPlain && only.text.length * MOST_BYTES_OF_CHARACTER < MOST_BYTES - 10_000) return true
  return Buffer.byteLength(JSON.stringify(result)) <= MOST_BYTES
}

function tooLarge({ name }: AgentTool, { ok, text }: ToolResult): CallToolResult {
  return failedCall(
    `'${name}' ${ok ? 'did its work' : 'failed'}, but what it gave is larger than one message may be (10 MB). It begins: ${excerpt(text, 1000)}\nAsk for less: a smaller range, fewer rows, or a file to read in parts.`,
  )
}

/** An error that ends a run without a result, as a failure for the model. */
export function failedCall(message: string, hint?: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: `Error: ${message}${hint === undefined ? '' : `\n${hint}`}` }] }
}

/** Said before anything is checked: the checks alone would take long. */
export function tooMuchToShow({ name }: AgentTool, most: number): CallToolResult {
  const code = 'input_not_showable'
  const { class: errorClass, retryable } = FAILURES[code]
  const why = `A person may have to approve '${name}', and nobody can look at arguments with more than ${most} values. Send them in parts.`
  return { ...failedCall(why), _meta: { [ERROR_META]: { code, class: errorClass, retryable, outcome: 'not_started', hint: '' } } }
}

/** The call goes on with a run, and the calls of the tool are none any more. It is not to begin again. */
export function notRecorded({ name }: AgentTool): CallToolResult {
  const code = 'not_found'
  const { class: errorClass, retryable } = FAILURES[code]
  return {
    ...failedCall(`The calls of '${name}' are no durable runs here.`),
    _meta: { [ERROR_META]: { code, class: errorClass, retryable, outcome: 'not_started', hint: '' } },
  }
}

/** A person ended the run here. It ends no run of the client: for that the call has failed. */
export function stoppedCall({ message, code }: ExitEarly): CallToolResult {
  const { class: errorClass, retryable } = FAILURES.rejected
  return {
    ...failedCall(message, STOPPED_HINT),
    _meta: { [ERROR_META]: { code, class: errorClass, retryable, outcome: 'unknown', hint: STOPPED_HINT } },
  }
}

function successOf({ name, specification: { outputSchema } }: AgentTool, result: ToolSuccess, isText: boolean): CallToolResult {
  const content: ContentBlock[] = [{ type: 'text', text: result.text }, ...(result.content ?? []).map(blockOf)]
  if (outputSchema === undefined || isText) return { content }
  const value = asJson(result.value)
  if (value === undefined)
    return failedCall(`'${name}' did its work, but what it gave has no JSON form and cannot be handed on. Do not call it again for that.`)
  return { content, structuredContent: isObjectSchema(outputSchema) && isRecord(value) ? value : { result: value } }
}

/** The hint says what to do next: without it the model would have to guess. A client of ours takes the failure from the data, and its message from the text. */
function failureOf({ text, error, content }: ToolFailure & { readonly content?: readonly ContentPart[] }): CallToolResult {
  const { hint } = error
  const { message: _, step: __, ...told } = failureData(error)
  return {
    isError: true,
    content: [{ type: 'text', text: text.includes(hint) ? text : `${text}\n${hint}` }, ...(content ?? []).map(blockOf)],
    _meta: { [ERROR_META]: told },
  }
}

function blockOf(part: ContentPart): ContentBlock {
  if (part.type !== 'resource') return part
  const { uri, name = uri, mimeType, text, data } = part
  const about = mimeType === undefined ? { uri } : { uri, mimeType }
  if (text !== undefined) return { type: 'resource', resource: { ...about, text } }
  if (data !== undefined) return { type: 'resource', resource: { ...about, blob: data } }
  return { type: 'resource_link', name, ...about }
}

/** As the text has it; undefined where a value has no JSON form. */
function asJson(value: unknown): unknown {
  try {
    return JSON.parse(toJsonText(value ?? null)) as unknown
  } catch {
    return undefined
  }
}
