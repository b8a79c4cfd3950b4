import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import { receipt } from '../../../runtime/run-receipt.ts'
import { isRecord } from '../../../schema/json-schema.ts'
import { classifyError } from '../../../tool/errors/classify-error.ts'
import { ToolError, type ToolErrorOptions } from '../../../tool/errors/tool-error.ts'
import type { Effect } from '../../../tool/metadata.ts'
import { failureDetails } from '../../../tool/result/failure-details.ts'
import type { PendingRun } from '../../../tool/result/pending-run.ts'
import type { ContentPart, ResultIssue } from '../../../tool/result/result.ts'
import { failure, type ReturnedFailure, type ReturnedSuccess, success } from '../../../tool/result/returned.ts'
import { RUN_META } from '../call-key.ts'
import { ERROR_META } from '../call-result.ts'
import { readableText } from './readable-text.ts'
import { toldPending } from './told-pending.ts'

const LONGEST_MESSAGE = 4000

/** What else is known of an answer. */
export interface Answered {
  readonly server: string
  readonly effect: Effect
  /** Why a question of the server was not decided here. */
  readonly undecided?: string | undefined
  /** Whether the `run_status` of the server is there, by which its runs are asked about. */
  readonly hasStatus: boolean
}

/** The answer of a server as a result: text, other parts, and the structured content as the value; without it, the text. */
export function importedResult(answer: CallToolResult, answered: Answered): ReturnedSuccess<unknown> | ReturnedFailure {
  const { content, structuredContent, isError } = answer
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  if (isError === true) return importedFailure(answer, text, answered)
  const parts = content.flatMap(contentPart)
  const isWritten = text !== '' || parts.length > 0
  const issue = undecidedIssue(answered)
  return success(structuredContent ?? text, {
    ...(isWritten ? { text } : {}),
    ...(parts.length === 0 ? {} : { content: parts }),
    ...(issue === undefined ? {} : { issues: [issue] }),
  })
}

/** Without an answer the server has done what it thought best. The model must hear of it, and so must a person whose answer did not count. */
function undecidedIssue({ server, undecided }: Answered): ResultIssue | undefined {
  if (undecided === undefined) return undefined
  return { severity: 'warning', message: undecidedText(server, undecided), told: true }
}

function undecidedText(server: string, why: string): string {
  return `Nobody has decided here what MCP server '${server}' asked: ${/[.!?]$/.test(why) ? why : `${why}.`}`
}

/** A server that says more than a text is one of ours; of others the text is classified. */
function importedFailure({ _meta }: CallToolResult, text: string, { server, effect, undecided, hasStatus }: Answered): ReturnedFailure {
  // The text of a tool may name a cause. It does not say whether the tool has acted before; a read changes nothing.
  const outcome = effect === 'read' ? 'failed' : 'unknown'
  const whole = text.replace(/^Error: /, '')
  const here = undecided === undefined ? '' : ` ${undecidedText(server, undecided)}`
  const told = _meta?.[ERROR_META]
  if (isRecord(told)) {
    const pending = toldPending(told['pending'], server)
    const isOfCall = pending !== undefined && _meta?.[RUN_META] === pending.run
    if (pending !== undefined)
      return importedReceipt({ ...pending, ...(isOfCall ? { isOfCall } : {}), ...(hasStatus ? {} : { withoutStatus: true }) }, here)
    return failure(`${readableText(withoutHint(whole, told['hint']), LONGEST_MESSAGE)}${here}`, detailsOf({ outcome, ...told }))
  }
  const message = readableText(whole, LONGEST_MESSAGE)
  const { code, class: errorClass, retryable, retryAfterMs } = classifyError(new ToolTold(message))
  return failure(`${message}${here}`, { code, class: errorClass, retryable, retryAfterMs, outcome })
}

/** The run goes on there. Its receipt is written anew, so that it says where; why its form was closed is known better here. */
function importedReceipt(pending: PendingRun, here: string): ReturnedFailure {
  const { refused: _, ...unrefused } = pending
  const { error } = receipt(here === '' ? pending : unrefused)
  const [message, hint] = [error.message, error.hint].map((each) => readableText(each, LONGEST_MESSAGE))
  return failure(`${message}${here}`, { ...failureDetails(error), hint, pending })
}

/** The text of a failure ends with its hint, for clients that read nothing else. */
function withoutHint(text: string, hint: unknown): string {
  return typeof hint === 'string' && hint !== '' && text.endsWith(`\n${hint}`) ? text.slice(0, -hint.length - 1) : text
}

/** Only its message says what went wrong: often with the code of a system, of HTTP or of JSON-RPC, by which it is classified. */
class ToolTold extends Error {
  override readonly name = 'McpToolError'
  readonly code: string | number | undefined
  readonly status: number | undefined

  constructor(message: string) {
    super(message)
    const [, system] = /^(?:Error: )?(E[A-Z]{3,20})\b/.exec(message) ?? []
    const [, protocol] = /^MCP error (-32\d{3})\b/.exec(message) ?? []
    const [, http] = /\b(?:HTTP|status(?: code)?:?) ([45]\d\d)\b/i.exec(message) ?? []
    this.code = system ?? (protocol === undefined ? undefined : Number(protocol))
    this.status = http === undefined ? undefined : Number(http)
  }
}

const CODE = /^[a-z][a-z0-9_]{0,63}$/

/** What does not fit is left to the defaults of the error. A server that names no hint has it in its text: advice of our own could say the opposite. */
function detailsOf(told: Readonly<Record<string, unknown>>): ToolErrorOptions {
  const { code, class: errorClass, retryable, outcome, hint, retryAfterMs, internal } = told
  return {
    code: typeof code === 'string' && CODE.test(code) ? code : 'tool_failed',
    class: errorClass as ToolErrorOptions['class'],
    retryable: retryable === true,
    hint: typeof hint === 'string' ? readableText(hint, LONGEST_MESSAGE) : '',
    retryAfterMs: retryAfterMs as ToolErrorOptions['retryAfterMs'],
    // Without a word about it, nobody may conclude that nothing happened.
    outcome: (outcome ?? 'unknown') as ToolErrorOptions['outcome'],
    internal: internal === true,
  }
}

const LONGEST_NAME = 200

/** Text parts form the text. */
function contentPart(part: ContentBlock): readonly ContentPart[] {
  switch (part.type) {
    case 'image':
    case 'audio':
      return [{ type: part.type, data: part.data, mimeType: part.mimeType }]
    case 'resource_link':
      return [{ type: 'resource', uri: part.uri, name: readableText(part.name, LONGEST_NAME), ...typeOf(part.mimeType) }]
    case 'resource': {
      const { resource } = part
      const about = { type: 'resource', uri: resource.uri, ...typeOf(resource.mimeType) } as const
      return ['text' in resource ? { ...about, text: resource.text } : { ...about, data: resource.blob }]
    }
    default:
      return []
  }
}

function typeOf(mimeType: string | undefined): { readonly mimeType?: string } {
  return mimeType === undefined ? {} : { mimeType }
}

/** The value of a call does not fit: the call took effect all the same. */
export function unfitOutput(server: string, issues: string): ToolError {
  return new ToolError(`The answer of MCP server '${server}' does not fit the schema of the tool: ${issues}`, {
    code: 'invalid_output',
    outcome: 'unknown',
  })
}
