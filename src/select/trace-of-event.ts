import type { CallInfo, ToolEvent } from '../tool/event.ts'
import type { Trace } from './traces.ts'

/** How traces are made of the events of calls. */
export interface ListenOptions {
  /** The text of the task that a call is for; undefined where there is nothing to learn from. The option `task` of the call unless given. */
  readonly textOf?: ((call: CallInfo) => string | undefined) | undefined
}

/** Failures that may mean that another tool was needed. A refused caller, a wrong input or a busy server says nothing about that. */
const AGAINST: ReadonlySet<string> = new Set(['semantic', 'not_found', 'server'])

/** Whether a failure of this class counts against the tool. */
export function isAgainst(errorClass: string | undefined): boolean {
  return AGAINST.has(errorClass ?? '')
}

/** What an event teaches: which tool served a task, or did not. Undefined for anything else. */
export function traceOf(event: ToolEvent, textOf: (call: CallInfo) => string | undefined): Trace | undefined {
  if (event.type !== 'call.finished' || !event.counts || event.replayed) return undefined
  const served = event.outcome === 'success'
  if (!served && !isAgainst(event.error?.class)) return undefined
  const text = textOf(event.call)
  if (typeof text !== 'string' || text.trim() === '') return undefined
  return { text, tool: event.call.tool, served, principal: event.call.principal?.id, at: event.at }
}
