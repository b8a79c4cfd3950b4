import type { Tool, ToolExecutionOptions } from 'ai'
import { isRecord } from '../../schema/json-schema.ts'
import { excerpt, quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { ApprovalOptions, RequireApproval } from '../../tool/approval-rule.ts'
import type { ToolContext } from '../../tool/context.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import type { Metadata } from '../../tool/metadata.ts'
import { tool } from '../../tool/tool.ts'
import { textOf } from '../../tool/result/text-of.ts'
import { foreignOutput } from './foreign-output.ts'
import { foreignSchema } from './foreign-schema.ts'

export interface Adoption {
  readonly metadata: (Metadata & { readonly requireApproval?: RequireApproval<never> | undefined }) | undefined
  /** What the tool gets as `context`. */
  readonly context: unknown
}

type Foreign = Tool<unknown, unknown, Record<string, unknown>>
type Options = ToolExecutionOptions<Record<string, unknown>>

/** Makes a tool of ours that runs an AI SDK tool. */
export function adoptTool(key: string, foreign: unknown, { metadata = {}, context }: Adoption): AgentTool {
  if (!isRecord(foreign)) throw new ConfigurationError('not_a_tool', `Tool '${key}' of the AI SDK is ${quote(foreign)}, and no tool.`)
  const { inputSchema, execute, toModelOutput, needsApproval, type, description } = foreign as Foreign
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
    ...metadata,
    name: nameOf(key),
    description: descriptionOf(key, description, context),
    inputSchema: foreignSchema(inputSchema, `The inputSchema of AI SDK tool '${key}'`),
    requireApproval: combined(metadata.requireApproval, needsApproval, (input, judge) => judge(input, own(''))),
    async execute(input: unknown, call: ToolContext) {
      const output = await lastOf(execute(input, own(call.invocationId, call.signal)), call)
      if (toModelOutput === undefined) return output
      return foreignOutput(output, await toModelOutput({ toolCallId: call.invocationId, input, output }))
    },
  })
}

const LONGEST_NAME = 64

/** The SDK allows more characters in a key than all models do in a name. */
function nameOf(key: string): string {
  return key.replaceAll(/[^A-Za-z0-9_]/g, '_').slice(0, LONGEST_NAME)
}

function descriptionOf(key: string, description: Foreign['description'], context: unknown): string {
  const text: unknown = typeof description === 'function' ? description({ context: context as never }) : description
  return typeof text === 'string' && text.trim() !== '' ? text : `The tool ${key}.`
}

type NeedsApproval = NonNullable<Foreign['needsApproval']>
type Judge = Extract<NeedsApproval, (...given: never[]) => unknown>

/** A person is asked when either of the two says so. A rule that answers by a promise cannot be waited for here: it counts as yes. */
function combined(
  own: RequireApproval<never> | undefined,
  foreign: NeedsApproval | undefined,
  ask: (input: unknown, judge: Judge) => unknown,
): RequireApproval<unknown> {
  const options: ApprovalOptions<never> = typeof own === 'object' ? own : {}
  const isAsked = (typeof own === 'object' ? (own.when ?? true) : (own ?? false)) as boolean | ((input: unknown) => boolean)
  if (foreign === undefined || foreign === false) return { ...(options as ApprovalOptions<unknown>), when: isAsked }
  const when =
    foreign === true || isAsked === true
      ? true
      : (input: unknown): boolean => ask(input, foreign) !== false || (typeof isAsked === 'function' && isAsked(input))
  return { ...(options as ApprovalOptions<unknown>), when }
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
