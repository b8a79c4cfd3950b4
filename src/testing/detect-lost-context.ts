import { AsyncLocalStorage } from 'node:async_hooks'
import { rootCallWatchers } from '../tool/engine/call-root.ts'
import type { CallInfo, Observer } from '../tool/event.ts'

/** A tool that was called from inside another without its context: it has lost the reviewer, the deadline, the trace and the principal. */
export interface LostCall {
  readonly tool: string
  /** The path of the call that it was made from. */
  readonly inside: string
}

/** Watches for calls that were made without the context of the call around them. */
export interface LostContextDetector {
  /** Pass it as `on` to the outer call. */
  readonly observer: Observer
  readonly lost: readonly LostCall[]
  readonly stop: () => void
}

/**
 * Finds calls of `inner.call(...)` inside a tool where `context.call(...)` was meant.
 * @example
 * const detector = detectLostContext()
 * await greet.call({ name: 'Ada' }, { on: detector.observer })
 * console.log(detector.lost) // []
 * detector.stop()
 */
export function detectLostContext(): LostContextDetector {
  const current = new AsyncLocalStorage<CallInfo>()
  const lost: LostCall[] = []
  const watch = ({ name }: { readonly name: string }): void => {
    const inside = current.getStore()
    if (inside !== undefined) lost.push({ tool: name, inside: inside.path })
  }
  rootCallWatchers.add(watch)
  return {
    lost,
    observer: { onEvent: () => {}, around: (call, run) => current.run(call, run) },
    stop: () => rootCallWatchers.delete(watch),
  }
}
