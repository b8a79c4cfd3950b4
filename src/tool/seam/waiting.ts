import { nothingBegins } from '../engine/nothing-begins.ts'
import { cutError } from '../engine/settle.ts'
import { type Closure, isCut, Scope } from '../engine/scope.ts'
import { underWay as underWayIn } from '../engine/under-way.ts'
import type { Outcome, ToolError } from '../errors/tool-error.ts'
import { callOf } from './call-of.ts'
import { onLeave, type Whole } from './whole.ts'

/** Work of the whole besides its parts and its record: until it ends, the whole does not end and its run is not parked. */
export function underWay<T>(whole: Whole, work: () => PromiseLike<T>): Promise<T> {
  return underWayIn(callOf(whole), work)
}

/** The whole does not end before this work, even if it is cancelled. Its run may be parked meanwhile: the parts are counted separately. */
export async function toItsEnd<T>(whole: Whole, work: () => Promise<T>): Promise<T> {
  const call = callOf(whole)
  call.began()
  try {
    return await work()
  } finally {
    call.ended()
  }
}

/** Waits while the whole is open. If the caller or the clock ends the whole first, it rejects with an error that `isTimeUp` recognises. */
export function whileOpen<T>(whole: Whole, promise: PromiseLike<T>): Promise<T> {
  return callOf(whole).scope.race(promise)
}

export interface Line<T> {
  /** Joins the line; the answer comes once. Returns a function that leaves it. */
  readonly join: (answer: (given: T) => void) => () => void
  /** Returns an answer that came when the whole had ended. */
  readonly giveBack: (given: T) => void
  /** For the failure of a whole that ends before: `'rates' waited for its turn`. */
  readonly what: string
}

/** Waits in a line that others serve, while the whole is open. It leaves the line when the whole ends, or its run leaves the process. */
export function inLine<T>(whole: Whole, { join, giveBack, what }: Line<T>): Promise<T> {
  let answer: { readonly given: T } | undefined
  let leave: (() => void) | undefined
  const answered = new Promise<T>((resolve) => {
    leave = join((given) => {
      answer = { given }
      resolve(given)
    })
  })
  const stay = onLeave(whole, () => leave?.())
  return underWay(whole, async () => {
    try {
      return await whileOpen(whole, answered)
    } catch (error) {
      leave?.()
      if (answer !== undefined) giveBack(answer.given)
      throw isTimeUp(error) ? closedError(whole, what, 'not_started') : error
    } finally {
      stay?.()
    }
  })
}

/** Waits at most this long, even if the whole has ended. Then it rejects with an error that `isTimeUp` recognises. */
export function forAtMost<T>(whole: Whole, ms: number, promise: PromiseLike<T>): Promise<T> {
  return new Scope(whole.clock, ms).race(promise)
}

/** A wait was ended, and not by the promise that was waited for. */
export function isTimeUp(thrown: unknown): boolean {
  return isCut(thrown)
}

/** Throws if the whole only replays its records: nobody waits there. */
export function checkMayWait(whole: Whole, outcome: Outcome): void {
  if (callOf(whole).journal?.isClosed === true) throw nothingBegins(outcome)
}

/** Waits without a record, even if the whole has ended. */
export function pause({ clock }: Whole, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.timer(ms, resolve))
}

const CANCELLED: Closure = { kind: 'cancelled' }

/** The failure for an end of the whole by its caller or the clock. */
export function closedError(whole: Whole, where: string, outcome: Outcome): ToolError {
  return cutError(callOf(whole).scope.closed ?? CANCELLED, where, outcome)
}

/** Whether the caller, and not the clock, has ended the whole. */
export function isCancelled(whole: Whole): boolean {
  return callOf(whole).scope.closed?.kind === 'cancelled'
}
