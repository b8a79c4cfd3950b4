import type { Call } from './call.ts'
import type { Finish } from './door.ts'
import { type Closure, Cut, type Guard, NOT_GUARDING } from './scope.ts'
import { settle, settleThrown } from './settle.ts'
import type { SettledResult } from './settled.ts'
import type { Waiter } from './waiter.ts'

type Settling = SettledResult | Promise<SettledResult>

/** Stands for a result that a waiter is told of. Nobody waits for it. */
export const TOLD: Promise<never> = new Promise(() => {})

/** Waits for what a tool's function promised, as long as its scope lets it. */
export function raceOutput(call: Call, output: PromiseLike<unknown>, finish: Finish): Promise<SettledResult> {
  const race = call.behaviour.leaf ? raceLeaf : raceCompound
  call.finish = finish
  if (call.waiter !== undefined) {
    race(call, output)
    return TOLD
  }
  return new Promise((resolve, reject) => {
    call.ends = { resolve, reject }
    race(call, output)
  })
}

/** Its promise or the end of its scope, whichever comes first; what comes second touches nothing. The call is its own guard. */
function raceLeaf(call: Call, output: PromiseLike<unknown>): void {
  call.scope.enter(call)
  output.then(
    (value) => {
      if (call.scope.leave(call)) end(call, settle(call, value))
    },
    (error: unknown) => {
      if (call.scope.leave(call)) end(call, settleThrown(call, error, true))
    },
  )
}

/** A leaf has no say in when it ends. */
export function cutOff(call: Call, closure: Closure): void {
  end(call, settleThrown(call, new Cut(closure), true))
}

/**
 * A compound is not cut off with its parts: it gets to see them fail, to clean up and to say what it has.
 * Only one that still waits when nothing of it is under way would never end, and is let go.
 */
function raceCompound(call: Call, output: PromiseLike<unknown>): void {
  const { scope } = call
  let isOver = false
  const endOnce = (settled: () => Settling): void => {
    if (isOver) return
    isOver = true
    scope.leave(guard)
    end(call, settled())
  }
  const guard: Guard = {
    place: NOT_GUARDING,
    told: (closure) => {
      const letGo = (): void => {
        setImmediate(() => {
          if (call.inFlight === 0) endOnce(() => settleThrown(call, new Cut(closure), true))
        })
      }
      call.onIdle = letGo
      if (call.inFlight === 0) letGo()
    },
  }
  scope.enter(guard)
  output.then(
    (value) => endOnce(() => settle(call, value)),
    (error: unknown) => endOnce(() => settleThrown(call, error, true)),
  )
}

/** The two ends of the promise of a call. Without one, its waiter is told. */
export interface Ends {
  readonly resolve: (result: Settling) => void
  readonly reject: (error: Error) => void
}

function end(call: Call, settled: Settling): void {
  const { ends } = call
  const finish = call.finish as Finish
  try {
    const result = settled instanceof Promise ? settled.then((each) => finish(call, each)) : finish(call, settled)
    if (ends === undefined) tell(call, result)
    else ends.resolve(result)
  } catch (fatal) {
    if (ends === undefined) call.waiter?.partFailed(fatal, call.position)
    else ends.reject(fatal as Error)
  }
}

function tell(call: Call, result: Settling): void {
  const { position } = call
  const waiter = call.waiter as Waiter
  if (!(result instanceof Promise)) waiter.partEnded(result, position)
  else
    result.then(
      (each) => waiter.partEnded(each, position),
      (fatal: unknown) => waiter.partFailed(fatal, position),
    )
}
