import { Call } from '../../tool/engine/call.ts'
import { Scope } from '../../tool/engine/scope.ts'

interface TimeLimit {
  readonly afterMs: number
  readonly onUp: () => void
  /** The sleep could not be recorded. */
  readonly onError: (error: unknown) => void
}

/**
 * Sleeps beside the branches: recorded like any sleep, so that a replay waits only for what is left, but with a scope of its own, so that it
 * can be ended when nobody needs it any more. The returned function ends it.
 */
export function startTimeLimit(call: Call, { afterMs, onUp, onError }: TimeLimit): () => void {
  const scope = new Scope(call.root.clock, Infinity, call.scope)
  const sleeper = new Call(call.root, call.built, call.behaviour, scope).belongTo(call, TIME_LABEL)
  void sleeper
    .sleep(afterMs)
    .then(onUp, (error: unknown) => {
      if (scope.closed === undefined) onError(error)
    })
    .finally(() => scope.release())
  return () => scope.close({ kind: 'cancelled' })
}

/** No branch has a label that begins with a dot. */
const TIME_LABEL = '.time'
