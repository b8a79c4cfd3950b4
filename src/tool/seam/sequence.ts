import type { PartOptions } from '../context.ts'
import type { Call, Waiter } from '../engine/call.ts'
import { endCompound, failCompound, LATER } from '../engine/completion.ts'
import { startPart, startPartApart } from '../engine/call-part.ts'
import type { KnownPart } from '../engine/known-part.ts'
import type { SettledResult } from '../result/settled.ts'
import { callOf } from './call-of.ts'
import type { Whole } from './whole.ts'

export { knownPart, type KnownPart } from '../engine/known-part.ts'

interface Early {
  readonly isFailed: boolean
  readonly end: unknown
}

/** The run of a combinator that needs no promise, neither for its parts nor for itself: one object for the whole of it. */
export abstract class Sequence {
  private readonly call: Call
  /** After `start` has returned, the end is reported to the waiter. */
  #hasStarted = false
  /** Its end, if it came before that. */
  #early: Early | undefined = undefined

  constructor(whole: Whole) {
    this.call = callOf(whole)
  }

  /** A part has ended after its start returned. It must not throw. */
  abstract partEnded(result: SettledResult, position: number): void

  /** A part has a fatal error. */
  partFailed(fatal: unknown): void {
    this.fail(fatal)
  }

  protected get whole(): Whole {
    return this.call
  }

  /** Begins, and returns the output of a tool's function: directly if it is there at once. */
  protected start(begin: () => void): unknown {
    begin()
    return this.#begun()
  }

  /** The same for a combinator that begins with one part. */
  protected startWith(part: KnownPart, input: unknown): unknown {
    const result = this.startPart(part, input)
    if (result !== undefined) this.partEnded(result, part.position)
    return this.#begun()
  }

  #begun(): unknown {
    this.#hasStarted = true
    const early = this.#early
    if (early === undefined) return LATER
    if (early.isFailed) throw early.end
    return early.end
  }

  /** Calls a part. Returns its result if it is there at once. */
  protected startPart(part: KnownPart, input: unknown): SettledResult | undefined {
    return startPart(this as unknown as Waiter, part, input)
  }

  /** Calls a part with a deadline or a signal of its own. */
  protected startPartApart(part: KnownPart, input: unknown, options: PartOptions | undefined): void {
    startPartApart(this as unknown as Waiter, part, { input, options })
  }

  protected end(output: unknown): void {
    if (this.#hasStarted) endCompound(this.call, output)
    else this.#early = { isFailed: false, end: output }
  }

  protected fail(error: unknown): void {
    if (this.#hasStarted) failCompound(this.call, error)
    else this.#early = { isFailed: true, end: error }
  }
}
