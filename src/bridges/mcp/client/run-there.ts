import type { ToolContext } from '../../../tool/context.ts'
import { isToolError, type ToolError } from '../../../tool/errors/tool-error.ts'
import type { ReturnedFailure, ReturnedSuccess } from '../../../tool/result/returned.ts'
import type { DecidedRequest } from './link-calls.ts'
import type { McpInput } from './mcp-input.ts'
import type { UpstreamAnswer } from './upstream-call.ts'

/** A call that is a durable run on the server, as it was sent first. */
export interface CallThere {
  readonly input: McpInput
  readonly key: string
  readonly run: string
}

/** Sends such a call again. It goes on with its run, or fails: it begins nothing there. */
export type CallAgain = (call: CallThere, context: ToolContext, decided?: DecidedRequest) => Promise<UpstreamAnswer>

/** The answer of the server as the result of the tool. */
export type ReadAnswer = (answer: Pick<UpstreamAnswer, 'answer' | 'undecided'>) => Promise<ReturnedSuccess<unknown> | ReturnedFailure>

/** How a durable run here reaches its run on the server. */
export interface RunsThere {
  readonly server: string
  readonly again: CallAgain
  readonly read: ReadAnswer
}

const GONE = new Set(['tool_changed', 'unknown_tool'])

/** Why the server cannot be asked as long as this program runs; undefined for a failure that may pass. */
export function goneFor(error: unknown): ToolError | undefined {
  return isToolError(error) && GONE.has(error.code) ? error : undefined
}

const FIRST_PAUSE_MS = 2000
const LONGEST_PAUSE_MS = 10 * 60_000

/** The pause before the server is asked again. It doubles. */
export function pauseBefore(time: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** time, LONGEST_PAUSE_MS)
}
