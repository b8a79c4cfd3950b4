import { ToolError } from '../../tool/errors/tool-error.ts'
import { spokenError } from './spoken-error.ts'

/** What the model reads when a run waits for a person in the middle of an execution: the next call like it asks them. */
export function approvalPending(name: string, reason: string): ToolError {
  const hint = `Call '${name}' again with exactly the same input: a person is asked then, and it goes on where it stopped.`
  const message = `A person must approve before '${name}' can go on: ${reason} ${hint}`
  return spokenError(new ToolError(message, { code: 'approval_pending', outcome: 'failed', hint }))
}
