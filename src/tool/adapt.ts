import { isConfigurationError } from './errors/configuration-error.ts'
import { isExitEarly } from './errors/exit-early.ts'
import { isToolError, ToolError, type ToolErrorOptions } from './errors/tool-error.ts'
import { textOf } from './result/text-of.ts'

/**
 * Applies a synchronous function of an author between tools: an adapter, a merge, a predicate. If it throws or returns a promise, that is a
 * failure whose message begins with `what`: `The adapter 'latest'`. Fatal errors are thrown on.
 */
export function adapt<T>(what: string, apply: () => T, options: ToolErrorOptions = {}): T {
  let adapted: T
  try {
    adapted = apply()
  } catch (cause) {
    if (isConfigurationError(cause) || isExitEarly(cause)) throw cause
    throw new ToolError(`${what} failed${reasonOf(cause)}`, {
      ...options,
      code: 'adapter_failed',
      cause,
      internal: isToolError(cause) ? cause.internal : true,
    })
  }
  if (!isPromise(adapted)) return adapted
  ignore(adapted)
  throw new ToolError(`${what} returned a promise. It must be synchronous; put asynchronous work into a step.`, {
    ...options,
    code: 'adapter_failed',
  })
}

function reasonOf(cause: unknown): string {
  const why = cause instanceof Error ? cause.message : textOf(cause)
  return why.trim() === '' ? ' and gave no reason.' : `: ${why}`
}

/** Prevents an unhandled rejection of a promise that is not used. A thenable may call either function at once, or throw. */
function ignore(promise: PromiseLike<unknown>): void {
  try {
    void promise.then(doNothing, doNothing)
  } catch {
    // It was refused already.
  }
}

function doNothing(): void {}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}
