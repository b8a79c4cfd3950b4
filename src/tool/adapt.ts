import { isConfigurationError } from './errors/configuration-error.ts'
import { isExitEarly } from './errors/exit-early.ts'
import { ToolError, type ToolErrorOptions } from './errors/tool-error.ts'
import { textOf } from './result/text-of.ts'

/**
 * Applies a plain function that an author put between tools: an adapter, a merge, a predicate. What it throws, and a promise, is a
 * failure that begins with `what`: `The adapter 'latest'`. What ends a run passes.
 */
export function adapt<T>(what: string, apply: () => T, options: ToolErrorOptions = {}): T {
  let adapted: T
  try {
    adapted = apply()
  } catch (cause) {
    if (isConfigurationError(cause) || isExitEarly(cause)) throw cause
    throw new ToolError(`${what} failed${reasonOf(cause)}`, { ...options, code: 'adapter_failed', cause })
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

/** Nobody waits for it, so nobody would hear it reject. What only looks like a promise may call either function at once, or throw. */
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
