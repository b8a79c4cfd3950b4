import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import { isRecord } from '../../../schema/json-schema.ts'
import { classifyError } from '../../../tool/errors/classify-error.ts'
import { type Outcome, ToolError, type ToolErrorOptions } from '../../../tool/errors/tool-error.ts'
import type { Effect } from '../../../tool/metadata.ts'
import type { ContentPart } from '../../../tool/result/result.ts'
import { failure, type ReturnedFailure, type ReturnedSuccess, success } from '../../../tool/result/returned.ts'
import { readableText } from './readable-text.ts'

const LONGEST_MESSAGE = 4000

/** The answer of a server as a result: text, other parts, and the structured content as the value; without it, the text. */
export function importedResult(answer: CallToolResult, effect: Effect): ReturnedSuccess<unknown> | ReturnedFailure {
  const { content, structuredContent, isError } = answer
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  // The text of a tool may name a cause. It does not say whether the tool has acted before; a read changes nothing.
  if (isError === true) return importedFailure(answer, text, effect === 'read' ? 'failed' : 'unknown')
  const parts = content.flatMap(contentPart)
  const isWritten = text !== '' || parts.length > 0
  return success(structuredContent ?? text, { ...(isWritten ? { text } : {}), ...(parts.length === 0 ? {} : { content: parts }) })
}

/** A server that says more than a text is one of ours; of others the text is classified. */
function importedFailure({ _meta }: CallToolResult, text: string, outcome: Outcome): ReturnedFailure {
  const message = readableText(text.replace(/^Error: /, ''), LONGEST_MESSAGE)
  const told = _meta?.['toolwright/error']
  if (isRecord(told)) return failure(message, detailsOf({ outcome, ...told }))
  const { code, class: errorClass, retryable, retryAfterMs } = classifyError(new ToolTold(message))
  return failure(message, { code, class: errorClass, retryable, retryAfterMs, outcome })
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

/**
 * What does not fit is left to the defaults of the error. What to do next stands in the text of the server: advice of our own could say the
 * opposite.
 */
function detailsOf({ code, class: errorClass, retryable, outcome }: Readonly<Record<string, unknown>>): ToolErrorOptions {
  return {
    code: typeof code === 'string' && CODE.test(code) ? code : 'tool_failed',
    class: errorClass as ToolErrorOptions['class'],
    retryable: retryable === true,
    hint: '',
    // Without a word about it, nobody may conclude that nothing happened.
    outcome: (outcome ?? 'unknown') as ToolErrorOptions['outcome'],
  }
}

/** Text parts form the text. */
function contentPart(part: ContentBlock): readonly ContentPart[] {
  switch (part.type) {
    case 'image':
    case 'audio':
      return [{ type: part.type, data: part.data, mimeType: part.mimeType }]
    case 'resource_link':
      return [{ type: 'resource', uri: part.uri, ...typeOf(part.mimeType) }]
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
