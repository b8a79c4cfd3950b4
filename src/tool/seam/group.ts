import type { SettledResult } from '../result/settled.ts'
import { callOf } from './call-of.ts'
import { gather, Gathering } from './group-gather.ts'
import type { Group, GroupResults } from './group-plan.ts'
import { race } from './group-race.ts'
import { Sequence } from './sequence.ts'
import type { Whole } from './whole.ts'

const NONE: readonly string[] = []

/** Runs parts side by side. Something fatal in one cancels the others, and passes when they have ended. */
export function group(whole: Whole, plan: Group, input: unknown): Promise<GroupResults> {
  const call = callOf(whole)
  return plan.rule === undefined
    ? gather(call, plan, input).then((results) => ({ results, cancelled: NONE, isEarly: false }))
    : race(call, plan, input)
}

/** The same for a combinator that does nothing else: returns the output of a tool's function, without a promise if possible. */
export function runGroup(whole: Whole, plan: Group, input: unknown, join: (ended: GroupResults) => unknown): unknown {
  if (plan.rule !== undefined) return race(callOf(whole), plan, input).then(join)
  return new GroupRun(whole, join).begin(plan, input)
}

class GroupRun extends Sequence {
  readonly #join: (ended: GroupResults) => unknown

  constructor(whole: Whole, join: (ended: GroupResults) => unknown) {
    super(whole)
    this.#join = join
  }

  begin(plan: Group, input: unknown): unknown {
    return this.start(() => new Gathering(callOf(this.whole), plan, { input, ending: this }).begin())
  }

  /** Not used: the gathering waits for the parts. */
  partEnded(): void {}

  allEnded(results: readonly (SettledResult | undefined)[]): void {
    try {
      const output = this.#join({ results, cancelled: NONE, isEarly: false })
      if (output instanceof Promise)
        output.then(
          (value) => this.end(value),
          (error: unknown) => this.fail(error),
        )
      else this.end(output)
    } catch (error) {
      this.fail(error)
    }
  }
}
