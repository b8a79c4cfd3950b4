import type { Call } from './call.ts'
import type { Finish } from './door.ts'
import { type Closure, Cut, type Guard } from './scope.ts'
import { settle, settleThrown } from './settle.ts'
import type { SettledResult } from './settled.ts'

/** Waits for a leaf's promise or for the end of its scope, whichever comes first. What comes second touches nothing. */
export function raceLeaf(call: Call, output: PromiseLike<unknown>, finish: Finish): Promise<SettledResult> {
  const { scope } = call
  return new Promise((resolve, reject) => {
    const end = (settled: SettledResult | Promise<SettledResult>): void => {
      try {
        resolve(settled instanceof Promise ? settled.then((result) => finish(call, result)) : finish(call, settled))
      } catch (fatal) {
        reject(fatal as Error)
      }
    }
    const guard: Guard = (closure) => end(settleThrown(call, new Cut(closure), true))
    scope.enter(guard)
    output.then(
      (value) => {
        if (scope.leave(guard)) end(settle(call, value))
      },
      (error: unknown) => {
        if (scope.leave(guard)) end(settleThrown(call, error, true))
      },
    )
  })
}

/**
 * A compound is not cut off with its parts: it gets to see them fail, to clean up and to say what it has.
 * Only one that still waits when nothing of it is under way would never end, and is let go.
 */
export function raceCompound(call: Call, output: PromiseLike<unknown>, finish: Finish): Promise<SettledResult> {
  const { scope } = call
  return new Promise((resolve, reject) => {
    let ended = false
    const end = (settled: SettledResult | Promise<SettledResult>): void => {
      if (ended) return
      ended = true
      scope.leave(guard)
      try {
        resolve(settled instanceof Promise ? settled.then((result) => finish(call, result)) : finish(call, settled))
      } catch (fatal) {
        reject(fatal as Error)
      }
    }
    const guard: Guard = (closure: Closure) => {
      const letGo = (): void => {
        setImmediate(() => {
          if (call.inFlight === 0) end(settleThrown(call, new Cut(closure), true))
        })
      }
      call.onIdle = letGo
      if (call.inFlight === 0) letGo()
    }
    scope.enter(guard)
    output.then(
      (value) => {
        if (!ended) end(settle(call, value))
      },
      (error: unknown) => {
        if (!ended) end(settleThrown(call, error, true))
      },
    )
  })
}
