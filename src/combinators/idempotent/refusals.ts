import { reasonOf } from '../../tool/errors/message-of.ts'
import { isToolError, ToolError } from '../../tool/errors/tool-error.ts'

/** The message does not show the key: it may contain secrets. */
export function keyConflict(tool: string): ToolError {
  return new ToolError(`Tool '${tool}' was called before with the same key and another input.`, {
    code: 'idempotency_conflict',
    outcome: 'not_started',
  })
}

export function leftOpen(tool: string): ToolError {
  return new ToolError(`Tool '${tool}' was called before with the same key, and it is not known whether it took effect.`, {
    code: 'outcome_unknown',
    outcome: 'unknown',
    hint: "Check whether it took effect. If it did not, call again with another key. If the tool honours context.idempotencyKey, declare idempotent: 'keyed': then it is called again.",
  })
}

const failures = new WeakSet<object>()

/** The tool was not called: without its key it could run twice. */
export function storeFailed(tool: string, cause: unknown): ToolError {
  const error = new ToolError(`Tool '${tool}' was not called, since the store of its keys failed: ${storeReason(cause)}`, {
    code: 'service_unavailable',
    outcome: 'not_started',
    cause,
    internal: true,
  })
  failures.add(error)
  return error
}

export function isStoreFailure(error: unknown): error is ToolError {
  return isToolError(error) && failures.has(error)
}

/** The message of the store. */
export function storeReason(error: unknown): string {
  return reasonOf(isStoreFailure(error) ? error.cause : error)
}
