import { printable } from '../printable.ts'
import { NOT_ACCEPTED } from '../input/accepted-inputs.ts'
import { isModelArguments, type ModelArguments } from '../input/arguments.ts'
import { admit, police } from './admit.ts'
import { announceEnd, announceStart, surround } from './announce.ts'
import type { Call, Finish, Settling, Waiter } from './call.ts'
import { mayReachRecords } from './catch-up.ts'
import { drive, isGenerator } from './drive.ts'
import { LATER, raceOutput, tellLater } from './completion.ts'
import { noteValidated } from './call-view.ts'
import { copyInput, keepAccepted, needsOwnInput, refusePromise } from './own-input.ts'
import { type Attempt, runRecorded } from './run-recorded.ts'
import { Cut } from './scope.ts'
import { settle, settleThrown } from './settle.ts'
import { tellInDialect } from './told-in-dialect.ts'
import type { SettledFailure, SettledResult } from '../result/settled.ts'

/** `LATER` only if a waiter receives the result. */
type Begun = Settling | typeof LATER

/**
 * The one door. Every call of every tool, alone or nested, by program, model or peer, passes here and nowhere else.
 * Resolves to a result; rejects only with ConfigurationError and ExitEarly, which pass every layer.
 */
export function enter(call: Call, given: unknown): Promise<SettledResult> {
  call.given = given
  try {
    const result = start(call)
    if (!(result instanceof Promise)) return Promise.resolve(result as SettledResult)
    call.pending = result
    return result
  } catch (fatal) {
    return rejected(call, fatal)
  }
}

/** The same for a caller without a promise: returns the result if it is there at once, otherwise the waiter receives it. */
export function enterFor(waiter: Waiter, call: Call, given: unknown): SettledResult | undefined {
  call.waiter = waiter
  call.given = given
  try {
    const result = start(call)
    return result === LATER ? undefined : result instanceof Promise ? tellLater(waiter, result, call.position) : result
  } catch (fatal) {
    return failWaiter(waiter, call, fatal)
  }
}

/** The same for a call to which the short way is open. The caller may have validated the input already. */
export function enterPlainly(waiter: Waiter, call: Call, given: unknown, accepted: unknown): SettledResult | undefined {
  if (accepted === NOT_ACCEPTED && isModelArguments(given)) return enterFor(waiter, call, given)
  call.waiter = waiter
  call.given = given
  try {
    const result = runPlainly(call, accepted)
    return result === LATER ? undefined : result instanceof Promise ? tellLater(waiter, result, call.position) : result
  } catch (fatal) {
    return failWaiter(waiter, call, fatal)
  }
}

function failWaiter(waiter: Waiter, call: Call, fatal: unknown): undefined {
  waiter.partFailed(passed(call, fatal), call.position)
}

function start(call: Call): Begun {
  // Nobody watches it, and nobody can have approved a part of it.
  if (call.root.isPlain) return beginGiven(call)
  const unusable = call.root.approvedParts === undefined ? undefined : takeApproved(call)
  if (unusable === undefined) return call.root.observed ? startObserved(call) : beginGiven(call)
  if (call.root.observed) announceStart(call)
  return conclude(call, unusable)
}

/** The failure if it would get another input than the one that was approved for it. */
function takeApproved(call: Call): SettledFailure | undefined {
  try {
    call.root.approvedParts?.take(call)
    return undefined
  } catch (thrown) {
    return unusableInput(call, thrown)
  }
}

/** Observers must see the input that runs, so it is copied before they hear of the call. */
function startObserved(call: Call): Begun {
  const unusable = copyForObservers(call)
  announceStart(call)
  if (unusable !== undefined) return conclude(call, unusable)
  return call.root.isUnjudged && call.behaviour.isPlain === true && !isModelArguments(call.given) ? runListened(call) : beginGiven(call)
}

function beginGiven(call: Call): Begun {
  const { given } = call
  return isModelArguments(given) ? beginAsModel(call, given) : begin(call)
}

/** The failure if the input cannot be copied. */
function copyForObservers(call: Call): SettledFailure | undefined {
  try {
    copyInput(call)
    return undefined
  } catch (thrown) {
    return unusableInput(call, thrown)
  }
}

/** The failure if the call cannot have its input for itself. An observed call has copied it before its start was announced. */
function ownInput(call: Call): SettledFailure | undefined {
  try {
    if (!call.root.observed) copyInput(call)
    refusePromise(call)
    return undefined
  } catch (thrown) {
    return unusableInput(call, thrown)
  }
}

/** Nothing of such an input is shown. */
function unusableInput(call: Call, thrown: unknown): SettledFailure {
  call.given = undefined
  return settleThrown(call, thrown, false)
}

/** The arguments of a model or a peer must be converted to the input first. */
function beginAsModel(call: Call, given: ModelArguments): Begun {
  try {
    call.given = call.behaviour.input.unwrap(given, call.tool)
    if (given.decoder !== undefined) tellInDialect(call, given)
  } catch (thrown) {
    return conclude(call, settleThrown(call, thrown, false))
  }
  return begin(call)
}

function begin(call: Call): Begun {
  if (call.root.isPlain) {
    if (call.behaviour.isPlain === true) return runPlainly(call, NOT_ACCEPTED)
    if (call.behaviour.isPlainLayer === true) return runLayerPlainly(call)
  }
  const unusable = needsOwnInput(call) ? ownInput(call) : undefined
  if (unusable !== undefined) return conclude(call, unusable)
  const journal = call.behaviour.leaf ? call.journal : undefined
  if (journal === undefined) return attempt(call, UNRECORDED)
  call.waiter = undefined
  return runRecorded(call, journal, RECORDED)
}

/**
 * The short way, for a leaf that only its input can keep out, in a run that nobody watches, judges or records. It does in one function what
 * the long way does in five: their code together is more than the compiler puts into one. A law compares the two.
 */
function runPlainly(call: Call, accepted: unknown): Begun {
  const { behaviour, scope } = call
  let started = false
  let output: unknown
  try {
    if (scope.closed !== undefined) throw new Cut(scope.closed)
    const input = accepted === NOT_ACCEPTED ? behaviour.input.accept(call.given, call.tool) : accepted
    if (input instanceof Promise) return runAdmitted(call, police(call, call.given, input), UNRECORDED)
    started = true
    output = behaviour.run(input, call)
  } catch (thrown) {
    return conclude(call, settleThrown(call, thrown, started))
  }
  return isPromise(output) ? raceOutput(call, output, conclude) : finishOutput(call, output, conclude)
}

/** The short way of such a leaf in a run that is only listened to. The same law compares it. */
function runListened(call: Call): Begun {
  const { behaviour, scope } = call
  let started = false
  let output: unknown
  try {
    refusePromise(call)
    if (scope.closed !== undefined) throw new Cut(scope.closed)
    const input = behaviour.input.accept(call.given, call.tool)
    if (input instanceof Promise) return runAdmitted(call, police(call, call.given, input), UNRECORDED)
    noteValidated(call, input)
    started = true
    output = behaviour.run(input, call)
  } catch (thrown) {
    return conclude(call, settleThrown(call, thrown, started))
  }
  return isPromise(output) ? raceOutput(call, output, conclude) : finishOutput(call, output, conclude)
}

/** The short way of a layer that only passes its input on: the tool inside passes the door itself. The same law compares it. */
function runLayerPlainly(call: Call): Begun {
  const { behaviour, scope } = call
  const unusable = behaviour.keepsInput === true ? ownInput(call) : undefined
  if (unusable !== undefined) return conclude(call, unusable)
  let started = false
  let output: unknown
  try {
    if (scope.closed !== undefined) throw new Cut(scope.closed)
    started = true
    output = behaviour.run(call.given, call)
  } catch (thrown) {
    return conclude(call, settleThrown(call, thrown, started))
  }
  return isPromise(output) || output === LATER ? raceOutput(call, output, conclude) : finishOutput(call, output, conclude)
}

const UNRECORDED: Attempt = { finish: conclude }

/** A recorded leaf has no waiter: there is a promise. */
const RECORDED = { attempt: attempt as (call: Call, options: Attempt) => Settling, again: runAdmitted, conclude }

/** Admits and runs: synchronously if nothing must wait. */
function attempt(call: Call, options: Attempt): Begun {
  let input: unknown
  try {
    checkOpen(call)
    input = admit(call, call.given)
  } catch (thrown) {
    return options.finish(call, refused(call, thrown))
  }
  return input instanceof Promise || options.dispatch !== undefined ? runAdmitted(call, input, options) : run(call, input, options.finish)
}

/** A caller of this asynchronous part waits for its promise. */
async function runAdmitted(call: Call, admitted: unknown, { finish, dispatch }: Attempt): Promise<SettledResult> {
  call.waiter = undefined
  let input: unknown
  try {
    input = await admitted
    if (dispatch !== undefined) await dispatch(input)
  } catch (thrown) {
    return finish(call, refused(call, thrown))
  }
  // No waiter is needed: there is a promise.
  return run(call, input, finish) as Settling
}

/** If the call is refused now, the records inside it are not reached. */
function refused(call: Call, thrown: unknown): SettledFailure {
  const failure = settleThrown(call, thrown, false)
  const { replay } = call.root
  if (replay?.isCatchingUp === true && failure.error.class === 'authorization') replay.leave(call.path)
  return failure
}

function run(call: Call, input: unknown, finish: Finish): Begun {
  let started = false
  let output: unknown
  try {
    checkOpen(call)
    keepAccepted(call, input)
    started = true
    output = call.root.surrounded ? surround(call, input) : call.behaviour.run(input, call)
  } catch (thrown) {
    return finish(call, settleThrown(call, thrown, started))
  }
  return isPromise(output) || output === LATER ? raceOutput(call, output, finish) : finishOutput(call, output, finish)
}

/** An output that is not a native promise, but may be a thenable. */
function finishOutput(call: Call, output: unknown, finish: Finish): Begun {
  let settled: Settling
  try {
    const promise = isThenable(output) ? settling(output) : isGenerator(output) ? drive(output, call) : undefined
    if (promise !== undefined) return raceOutput(call, promise, finish)
    settled = settle(call, output)
  } catch (thrown) {
    settled = settleThrown(call, thrown, true)
  }
  return settled instanceof Promise ? finishLater(call, settled, finish) : finish(call, settled)
}

/**
 * Nothing begins in a closed scope. A compound is not work by itself: while the run catches up it may be entered, so that recorded parts in
 * it and after it are reached and can be undone. If it had not begun, its shielded calls are not made either.
 */
function checkOpen(call: Call): void {
  const { closed } = call.scope
  if (closed === undefined) return
  if (!mayReachRecords(call)) throw new Cut(closed)
  if (call.root.replay?.hasDone(call.path) !== true) call.lazily.onlyWalks = true
}

async function finishLater(call: Call, settled: Promise<SettledResult>, finish: Finish): Promise<SettledResult> {
  return finish(call, await settled)
}

function rejected(call: Call, fatal: unknown): Promise<SettledResult> {
  const promise = Promise.reject(fatal as Error)
  call.pending = promise
  passed(call, fatal)
  return promise
}

/** A fatal error is thrown through the caller. A part that is not awaited must not end the process, and cannot end a whole that has ended. */
function passed({ parent, pending }: Call, fatal: unknown): unknown {
  if (parent === undefined) return fatal
  pending?.catch(() => {})
  if (parent.stage === 'ended') {
    const message = fatal instanceof Error ? fatal.message : String(fatal)
    process.emitWarning(printable(`'${parent.tool}' ended before one of its parts, which then failed: ${message}`), 'ToolwrightWarning')
  }
  return fatal
}

/** The end of every call. A fatal error is thrown from here, and by the caller too, even if the caller catches it. */
function conclude(call: Call, result: SettledResult): SettledResult {
  const { root, parent, fatal } = call
  call.end = call.scope.stamp()
  call.stage = 'ended'
  if (fatal === undefined) {
    call.result = result
    if (call.used !== undefined) result.add({ usage: call.used })
  } else {
    if (!result.ok) call.fatalOutcome = result.error.outcome
    if (parent !== undefined) parent.fatal ??= fatal
  }
  if (root.observed) announceEnd(call, result)
  parent?.ended()
  if (fatal !== undefined) throw passed(call, fatal)
  return result
}

/** A thenable follows no rules: it may throw, or settle twice. */
function settling(output: PromiseLike<unknown>): Promise<unknown> {
  return new Promise((resolve) => resolve(output))
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}

/** Also for what cannot even be asked, such as a revoked proxy. */
function isPromise(output: unknown): output is Promise<unknown> {
  try {
    return output instanceof Promise
  } catch {
    return false
  }
}
