import type { Call } from './call.ts'
import { endCompound, failCompound, TOLD } from './race.ts'
import type { SettledResult } from '../result/settled.ts'
import type { Waiter } from './waiter.ts'

/** The run of a combinator that needs no promise: neither for its parts nor for itself. */
export abstract class WaitingRun implements Waiter {
  readonly call: Call
  /** What `start` gave back cannot be changed any more: the end is told. */
  #hasStarted = false
  #isOver = false
  #output: unknown
  #error: unknown

  constructor(call: Call) {
    this.call = call
  }

  abstract partEnded(result: SettledResult, position: number): void

  partFailed(fatal: unknown): void {
    this.fail(fatal)
  }

  /** Begins, and gives what a tool's function gives: the output where it is there at once. */
  protected start(begin: () => void): unknown {
    begin()
    this.#hasStarted = true
    if (!this.#isOver) return TOLD
    if (this.#error !== undefined) throw this.#error
    return this.#output
  }

  protected end(output: unknown): void {
    if (this.#hasStarted) endCompound(this.call, output)
    else {
      this.#isOver = true
      this.#output = output
    }
  }

  protected fail(error: unknown): void {
    if (this.#hasStarted) failCompound(this.call, error)
    else {
      this.#isOver = true
      this.#error = error
    }
  }
}
