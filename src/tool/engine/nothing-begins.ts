import { type Outcome, ToolError } from '../errors/tool-error.ts'

/** The failure of a step that would go on where nothing does. */
export function nothingBegins(outcome: Outcome = 'not_started'): ToolError {
  return new ToolError('Nothing new begins in a part that is being undone.', { code: 'journal_failed', outcome })
}
