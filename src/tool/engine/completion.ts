import { nextTurn } from '../ports/clock.ts'
import { announceEnd } from './announce.ts'
import type { Call, Finish, Settling, Waiter } from './call.ts'
import { type Closure, Cut, ENDED, GUARDED, NOT_GUARDING } from './scope.ts'
import { settle, settleThrown } from './settle.ts'
import { ReturnedFailure, ReturnedSuccess } from '../result/returned.ts'
import { SettledFailure, type SettledResult, SettledSuccess } from '../result/settled.ts'

/** Marks an output or a result that a waiter receives later, without a promise. */
export const LATER: unique symbol = Symbol('later')

/** Waits for the output of a tool's function while its scope is open: a promise, or what the parts of a compound end with. */
export function raceOutput(call: Call, output: PromiseLike<unknown> | typeof LATER, finish: Finish): Promise<SettledResult> | typeof LATER {
  call.finish = finish
  call.stage = 'running'
  if (call.waiter !== undefined) {
    race(call, output)
    return LATER
  }
  const promise = promisedEnd(call)
  race(call, output)
  return promise
}

/** Apart from its caller, because its function would take memory in a call without a promise too. */
function promisedEnd(call: Call): Promise<SettledResult> {
  return new Promise((resolve) => {
    call.resolve = resolve
  })
}

/** The call is its own guard, unless the call around it is. That one has been told already if the scope has closed. */
function race(call: Call, output: PromiseLike<unknown> | typeof LATER): void {
  if (call.place !== GUARDED || call.scope.closed !== undefined) call.scope.enter(call)
  // By its type: a comparison of a promise with a symbol is slow.
  if (typeof output === 'symbol') return
  if (call.behaviour.leaf) raceLeaf(call, output)
  else raceCompound(call, output)
}

/** The first of its promise and the end of its scope counts; the second is ignored. */
function raceLeaf(call: Call, output: PromiseLike<unknown>): void {
  output.then(
    (value) => {
      if (!endsFirst(call)) return
      if (call.behaviour.isPlain === true && call.root.isUnjudged && endsPlainly(call, value))
        endPlainly(call, new SettledSuccess(call, value))
      else end(call, settle(call, value))
    },
    (error: unknown) => {
      if (endsFirst(call)) end(call, settleThrown(call, error, true))
    },
  )
}

/** False if the scope of a leaf closed before. A promise of another class may answer while the scope closes. */
function endsFirst(call: Call): boolean {
  return call.place === GUARDED ? call.stage === 'running' && call.scope.closed === undefined : call.scope.leave(call)
}

/** Its value is its result: no details, no output schema, nothing fatal. */
function endsPlainly({ behaviour, fatal, used }: Call, value: unknown): boolean {
  if (behaviour.output !== undefined || fatal !== undefined || used !== undefined) return false
  return typeof value !== 'object' || value === null || !isAnswer(value)
}

/** Whether it says more than its value. To ask for its class is faster than to ask for its prototype. A proxy may not even say what it is. */
function isAnswer(value: object): boolean {
  try {
    return (
      value instanceof SettledSuccess ||
      value instanceof SettledFailure ||
      value instanceof ReturnedSuccess ||
      value instanceof ReturnedFailure
    )
  } catch {
    return true
  }
}

/** The short way to the end, beside `settle` and the end of the door. */
function endPlainly(call: Call, result: SettledSuccess): void {
  const { resolve, parent, waiter } = call
  call.stage = 'ended'
  call.end = call.scope.stamp()
  call.result = result
  if (call.root.observed) announceEnd(call, result)
  parent?.ended()
  if (resolve !== undefined) resolve(result)
  else waiter?.partEnded(result, call.position)
}

/** Its scope has closed. A leaf ends at once. */
export function cutOff(call: Call, closure: Closure): void {
  if (call.behaviour.leaf) end(call, settleThrown(call, new Cut(closure), true))
  else {
    for (const part of call.allParts) if (part.place === GUARDED && part.stage === 'running') cutOff(part, closure)
    // It may have ended with them.
    if (call.stage === 'running') endWhenIdle(call, closure)
  }
}

/**
 * A compound is not cut off with its parts: it sees them fail, can clean up, and returns its own result. Only a compound that still waits
 * when nothing of it runs would never end; it is ended here.
 */
function endWhenIdle(call: Call, closure: Closure): void {
  const { replay } = call.root
  const endIfIdle = (): void => {
    if (call.inFlight === 0) failCompound(call, new Cut(closure))
  }
  const whenIdle = (): void => {
    nextTurn(() => {
      if (call.inFlight > 0) return
      // It must still reach its records, with some work of its own in between.
      if (replay?.isCatchingUpIn(call.path) === true) void replay.settledIn(call.path).then(() => nextTurn(endIfIdle))
      else endIfIdle()
    })
  }
  call.onIdle = whenIdle
  if (call.inFlight === 0) whenIdle()
}

function raceCompound(call: Call, output: PromiseLike<unknown>): void {
  output.then(
    (value) => endCompound(call, value),
    (error: unknown) => failCompound(call, error),
  )
}

/** Only the first end counts. */
export function endCompound(call: Call, output: unknown): void {
  if (output instanceof SettledSuccess && call.behaviour.isPlainLayer === true && call.root.isPlain && endsAsItsPart(call)) {
    if (call.place !== NOT_GUARDING) call.scope.leave(call)
    endPlainly(call, output)
  } else endWithOutput(call, output)
}

/** Apart from the short way: a function that keeps its arguments takes memory, even where it is not made. */
function endWithOutput(call: Call, output: unknown): void {
  endWithParts(call, () => settle(call, output))
}

/** The success of the tool inside is that of the layer, and nothing else of it is under way. */
function endsAsItsPart({ stage, inFlight, fatal, used }: Call): boolean {
  return stage === 'running' && inFlight === 0 && fatal === undefined && used === undefined
}

export function failCompound(call: Call, error: unknown): void {
  endWithParts(call, () => settleThrown(call, error, true))
}

/** A compound ends after its parts. Parts that it does not wait for are cancelled, and can undo their effects. */
function endWithParts(call: Call, settled: () => Settling): void {
  if (call.stage !== 'running') return
  call.stage = 'ending'
  if (call.inFlight > 0) releaseParts(call)
  call.scope.leave(call)
  // A shared scope must not be closed here.
  if (call.inFlight === 0 || call.parent?.scope === call.scope) {
    end(call, settled())
    return
  }
  const endIfIdle = (): void => {
    if (call.inFlight > 0) return
    call.onIdle = NOTHING
    end(call, settled())
  }
  // Named first: V8 makes a function that is written at its assignment to a field where only a full garbage collection looks.
  const onIdle = (): void => nextTurn(endIfIdle)
  call.onIdle = onIdle
  call.scope.close(ENDED)
}

/** Parts that are still under way guard the scope themselves from now on; one that has not begun to run does so when it runs. */
function releaseParts(call: Call): void {
  for (const part of call.allParts) {
    if (part.place !== GUARDED) continue
    part.place = NOT_GUARDING
    if (part.stage === 'running') part.scope.enter(part)
  }
}

/** Resolves the promise of a call. Without one, its waiter receives the result. */
function end(call: Call, settled: Settling): void {
  const { resolve } = call
  const finish = call.finish as Finish
  call.stage = 'ending'
  try {
    const result = settled instanceof Promise ? finishLater(call, settled, finish) : finish(call, settled)
    if (resolve === undefined) tell(call, result)
    else resolve(result)
  } catch (fatal) {
    if (resolve === undefined) call.waiter?.partFailed(fatal, call.position)
    else resolve(Promise.reject(fatal as Error))
  }
}

function finishLater(call: Call, settled: Promise<SettledResult>, finish: Finish): Promise<SettledResult> {
  return settled.then((each) => finish(call, each))
}

function tell(call: Call, result: Settling): void {
  const waiter = call.waiter as Waiter
  if (result instanceof Promise) tellLater(waiter, result, call.position)
  else waiter.partEnded(result, call.position)
}

/** Tells a waiter of the end of a call that has a promise. */
export function tellLater(waiter: Waiter, result: Promise<SettledResult>, position: number): undefined {
  result.then(
    (each) => waiter.partEnded(each, position),
    (fatal: unknown) => waiter.partFailed(fatal, position),
  )
}

const NOTHING = (): void => {}
