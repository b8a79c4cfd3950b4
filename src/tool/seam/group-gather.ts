import type { Call, Waiter } from '../engine/call.ts'
import type { KnownPart } from '../engine/known-part.ts'
import type { SettledResult } from '../result/settled.ts'
import { cancelParts, type GroupStart, lastBegun, mayBegin, startGroupPart } from './group-part.ts'
import type { Group, GroupResults } from './group-plan.ts'

/** Called when every part has ended, or after a fatal error when the rest has ended. */
export interface Ending {
  allEnded(results: readonly (SettledResult | undefined)[]): void
  partFailed(fatal: unknown): void
}

/** Runs every part to its end. */
export function gather(call: Call, plan: Group, input: unknown, options?: GroupStart['options']): Promise<GroupResults['results']> {
  return new Promise((resolve, reject) => {
    new Gathering(call, plan, { input, options, ending: { allEnded: resolve, partFailed: reject } }).begin()
  })
}

interface Gathered extends Pick<GroupStart, 'input' | 'options'> {
  readonly ending: Ending
}

export class Gathering implements Waiter {
  readonly call: Call
  readonly #plan: Group
  readonly #start: GroupStart
  readonly #ending: Ending
  readonly #results: (SettledResult | undefined)[] = []
  #begun = 0
  #underWay = 0
  #fatal: unknown
  readonly #lastBegun: number

  constructor(call: Call, plan: Group, { input, options, ending }: Gathered) {
    this.call = call
    this.#plan = plan
    this.#start = { input, isApart: plan.isApart ?? sharesScope(call), options }
    this.#ending = ending
    // As long as it will be: a list that grows is copied again and again.
    this.#results.length = plan.parts.length
    this.#lastBegun = lastBegun(call, plan.parts)
  }

  /** Begins the parts in their order, each as soon as it may. */
  begin(): void {
    const { parts, limit } = this.#plan
    while (this.#begun <= this.#lastBegun || (this.#begun < parts.length && this.#underWay < limit && this.#fatal === undefined)) {
      const part = parts[this.#begun++] as KnownPart
      if (this.#plan.leavesOutRefused === true && !mayBegin(this.call, part)) continue
      this.#underWay++
      const result = startGroupPart(this, part, { plan: this.#plan, start: this.#start })
      if (result !== undefined) this.#keep(result, part.position)
    }
    if (this.#underWay > 0) return
    if (this.#fatal === undefined) this.#ending.allEnded(this.#results)
    else this.#ending.partFailed(this.#fatal)
  }

  partEnded(result: SettledResult, position: number): void {
    this.#keep(result, position)
    this.begin()
  }

  partFailed(fatal: unknown): void {
    this.#underWay--
    if (this.#fatal === undefined) {
      this.#fatal = fatal
      if (this.#start.isApart) cancelParts(this.call, this.#plan.parts)
      else this.call.scope.close({ kind: 'cancelled' })
    }
    this.begin()
  }

  #keep(result: SettledResult, position: number): void {
    this.#results[position] = result
    this.#underWay--
  }
}

/** Then this call must not close the scope: other calls use it, and so does the undoing after a fatal error. */
function sharesScope({ parent, scope }: Call): boolean {
  return parent !== undefined && parent.scope === scope
}
