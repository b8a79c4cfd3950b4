import type { Call } from '../../tool/engine/call.ts'
import type { Waiter } from '../../tool/engine/waiter.ts'
import type { SettledResult } from '../../tool/result/settled.ts'
import type { Branch, ParallelPlan } from './branch.ts'
import { cancelBranches } from './cancel-branches.ts'
import { type BranchStart, startBranch } from './start-branch.ts'

/** What every branch came to, by its position in the plan; undefined for one that was not among those to run. */
export type BranchResults = readonly (SettledResult | undefined)[]

/** Runs every branch to its end. What is fatal in one cancels the others, and passes when they have ended. */
export function gather({ branches, limit, isApart }: Gathered, input: unknown, call: Call): Promise<BranchResults> {
  return new Promise((resolve, reject) => {
    new Gathering({ branches, limit, isApart, resolve, reject }, input, call).begin()
  })
}

interface Gathered extends Pick<ParallelPlan, 'branches' | 'limit'> {
  /** Each branch can be cancelled by itself, whoever's the scope is. */
  readonly isApart?: boolean | undefined
}

interface Ending {
  readonly resolve: (results: BranchResults) => void
  readonly reject: (fatal: Error) => void
}

class Gathering implements Waiter {
  readonly call: Call
  readonly #gathered: Gathered & Ending
  readonly #start: BranchStart
  readonly #results: (SettledResult | undefined)[] = []
  #begun = 0
  #underWay = 0
  #fatal: unknown
  /** Of a run that is taken up, the last branch that had begun: all up to there begin at once, so that they reach their records. */
  readonly #lastBegun: number

  constructor(gathered: Gathered & Ending, input: unknown, call: Call) {
    this.call = call
    this.#gathered = gathered
    this.#start = { input, isApart: gathered.isApart ?? sharesScope(call) }
    const { replay } = call.root
    this.#lastBegun = replay === undefined ? -1 : gathered.branches.findLastIndex(({ label }) => replay.holds(`${call.path}/${label}`))
  }

  /** Begins the branches in their order, each as soon as it may. */
  begin(): void {
    const { branches, limit, resolve, reject } = this.#gathered
    while (this.#begun <= this.#lastBegun || (this.#begun < branches.length && this.#underWay < limit && this.#fatal === undefined)) {
      const branch = branches[this.#begun++] as Branch
      this.#underWay++
      const result = startBranch(this, branch, this.#start)
      if (result !== undefined) this.#keep(result, branch.position)
    }
    if (this.#underWay > 0) return
    if (this.#fatal === undefined) resolve(this.#results)
    else reject(this.#fatal as Error)
  }

  partEnded(result: SettledResult, position: number): void {
    this.#keep(result, position)
    this.begin()
  }

  partFailed(fatal: unknown): void {
    this.#underWay--
    if (this.#fatal === undefined) {
      this.#fatal = fatal
      if (this.#start.isApart) cancelBranches(this.call)
      else this.call.scope.close({ kind: 'cancelled' })
    }
    this.begin()
  }

  #keep(result: SettledResult, position: number): void {
    this.#results[position] = result
    this.#underWay--
  }
}

/** Then the scope is not this call's to close: others work in it, and whoever cleans up after something fatal does so in it. */
function sharesScope({ parent, scope }: Call): boolean {
  return parent !== undefined && parent.scope === scope
}
