import type { Call, Waiter } from '../engine/call.ts'
import { startPart } from '../engine/call-part.ts'
import { endCompound, failCompound, LATER } from '../engine/completion.ts'
import type { KnownPart } from '../engine/known-part.ts'
import type { SettledResult } from '../result/settled.ts'
import { callOf } from './call-of.ts'
import type { Whole } from './whole.ts'

/** What all calls of a layer share. */
export interface OnePartPlan<Held, Pass = unknown> {
  readonly part: KnownPart
  /** Whether the result of the part is that of the whole; if not, the plan ends the run. Without a result the part has a fatal error. It must not throw. */
  readonly partOver: (run: OnePart<Held, Pass>, result: SettledResult | undefined) => boolean
}

interface Early {
  readonly isFailed: boolean
  readonly end: unknown
}

/**
 * A call of a layer that goes on at once, without a promise of its own, and must know when its part is over. One class without others below
 * it, with named fields: every call of every layer makes one.
 */
export class OnePart<Held, Pass = unknown> implements Waiter {
  declare readonly call: Call
  declare readonly plan: OnePartPlan<Held, Pass>
  /** What the layer needs when the part is over. */
  declare readonly held: Held
  declare readonly pass: Pass
  declare private hasStarted: boolean
  /** Its end, if it came before the start has returned. */
  declare private early: Early | undefined

  constructor(whole: Whole, plan: OnePartPlan<Held, Pass>, held: Held, pass: Pass) {
    this.call = callOf(whole)
    this.plan = plan
    this.held = held
    this.pass = pass
    this.hasStarted = false
    this.early = undefined
  }

  /** Calls the part, and returns the output of a tool's function: directly if it is there at once. */
  begin(input: unknown): unknown {
    const result = startPart(this, this.plan.part, input)
    if (result !== undefined) this.partEnded(result)
    this.hasStarted = true
    return this.early === undefined ? LATER : endedEarly(this.early)
  }

  partEnded(result: SettledResult): void {
    if (this.plan.partOver(this, result)) this.end(result)
  }

  partFailed(fatal: unknown): void {
    this.plan.partOver(this, undefined)
    this.fail(fatal)
  }

  /** Ends the whole with this output. */
  end(output: unknown): void {
    if (this.hasStarted) endCompound(this.call, output)
    else this.early = { isFailed: false, end: output }
  }

  fail(error: unknown): void {
    if (this.hasStarted) failCompound(this.call, error)
    else this.early = { isFailed: true, end: error }
  }
}

function endedEarly({ isFailed, end }: Early): unknown {
  if (isFailed) throw end
  return end
}
