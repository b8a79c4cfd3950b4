import type { Call } from '../../tool/engine/call.ts'
import { diverged } from '../../tool/engine/decide.ts'
import { passOverCancelled } from '../../tool/engine/unvisited-effects.ts'
import type { Waiter } from '../../tool/engine/waiter.ts'
import type { ErrorClass } from '../../tool/errors/error-codes.ts'
import type { SettledResult } from '../../tool/result/settled.ts'
import type { Branch, ParallelPlan } from './branch.ts'
import { cancelBranches } from './cancel-branches.ts'
import { gather } from './gather.ts'
import { letGoAgain, undoLosers } from './let-go.ts'
import { isRecorded, type RaceEnd, type RaceResults, readEnd, recordEnd } from './race-end.ts'
import { type BranchStart, startBranch } from './start-branch.ts'
import { startTimeLimit } from './time-limit.ts'

/**
 * Runs branches until the join is met, can no longer be met, or the time is up; records who had ended by then; cancels the rest, waits for
 * them to let go, and undoes what can be undone of them. A replay that finds the record runs exactly those who had ended: a branch that had
 * not cannot win any more, and only goes on letting go.
 */
export function race(plan: ParallelPlan, input: unknown, call: Call): Promise<RaceResults> {
  return isRecorded(call) ? replay(plan, input, call) : new Race(plan, input, call).run()
}

async function replay(plan: ParallelPlan, input: unknown, call: Call): Promise<RaceResults> {
  const { ended, cancelled } = await readEnd(call)
  const branches = plan.branches.filter(({ label }) => ended.includes(label))
  if (branches.length !== ended.length)
    throw diverged(call, call.path, `a race of ${labels(plan.branches)}`, `that ${ended.join(', ')} ended`)
  const replayed = await gather({ ...plan, branches, limit: branches.length }, input, call)
  const losers = plan.branches.filter(({ label }) => cancelled.includes(label))
  await letGoAgain(losers, input, call)
  passOverLosers(plan, ended, call)
  keepSteps(call, ended)
  return { results: plan.branches.map(({ position }) => replayed[position]), cancelled }
}

function labels(branches: readonly Branch[]): string {
  return branches.map(({ label }) => label).join(', ')
}

/** A person, the caller or the clock has spoken: no branch is begun in place of the one that they stopped. */
const FINAL: ReadonlySet<ErrorClass> = new Set(['rejected', 'cancelled', 'deadline'])

class Race implements Waiter {
  readonly call: Call
  readonly #plan: ParallelPlan
  readonly #start: BranchStart
  readonly #end = Promise.withResolvers<RaceEnd>()
  readonly #results: (SettledResult | undefined)[]
  readonly #idle = Promise.withResolvers<void>()
  #begun = 0
  #underWay = 0
  #succeeded = 0
  /** No further branch begins. */
  #isShut = false
  /** Nothing that arrives counts any more. */
  #isOver = false
  /** What is recorded is still coming back. */
  #isReturning = false
  #isDue = false
  /** Of a run that is taken up, the position of the last branch that had begun: branches begin in their order. */
  readonly #lastBegun: number

  constructor(plan: ParallelPlan, input: unknown, call: Call) {
    this.#plan = plan
    this.call = call
    this.#start = { input, isApart: true }
    this.#results = plan.branches.map(() => undefined)
    this.#lastBegun = call.root.replay === undefined ? -1 : plan.branches.findLastIndex(({ label }) => hasBegun(call, label))
  }

  async run(): Promise<RaceResults> {
    const { afterMs } = this.#plan.join
    const stopTime =
      afterMs === undefined
        ? undefined
        : startTimeLimit(this.call, { afterMs, onUp: () => this.#finish(), onError: (error) => this.#fail(error) })
    if (this.call.journal !== undefined) this.#awaitRecorded()
    this.#begin()
    try {
      const { cancelled } = await this.#end.promise
      return { results: this.#results, cancelled }
    } finally {
      stopTime?.()
      await this.#cancelRest()
    }
  }

  /**
   * A replay gives back what is recorded in another order than it came in. So nothing is decided before all of it is back and a turn of the
   * event loop is over: then everything in it has come at the same time.
   */
  #awaitRecorded(): void {
    const { journal, root, path } = this.call
    this.#isReturning = true
    journal?.inFlight?.(1)
    const isBack = (): void => {
      journal?.inFlight?.(-1)
      this.#isReturning = false
      if (this.#isDue) this.#finish()
    }
    setImmediate(() => {
      if (root.replay?.isCatchingUpIn(path) === true) void root.replay.settledIn(path).then(() => setImmediate(isBack))
      else isBack()
    })
  }

  /** Begins what may run now; of a run that was recorded also what had begun before. */
  #begin(): void {
    const { limit } = this.#plan
    while (this.#toCome > 0 && this.#underWay < limit && !this.#isOver) this.#beginNext()
    while (this.#begun <= this.#lastBegun) this.#beginNext()
  }

  #beginNext(): void {
    const branch = this.#plan.branches[this.#begun++] as Branch

    this.#underWay++
    const result = startBranch(this, branch, this.#start)
    if (result !== undefined) queueMicrotask(() => this.partEnded(result, branch.position))
  }

  partEnded(result: SettledResult, position: number): void {
    this.#underWay--
    this.#arrive(position, result)
    if (this.#underWay === 0) this.#idle.resolve()
  }

  partFailed(fatal: unknown): void {
    this.#underWay--
    this.#fail(fatal)
    if (this.#underWay === 0) this.#idle.resolve()
  }

  #arrive(index: number, result: SettledResult): void {
    if (this.#isOver) return
    const { join, needed } = this.#plan
    this.#results[index] = result
    if (result.ok) this.#succeeded++
    else if (this.call.scope.closed !== undefined || (join.stopsWhenMet && FINAL.has(result.error.class))) this.#isShut = true
    const isMet = join.stopsWhenMet && this.#succeeded >= needed
    const left = this.#underWay + this.#toCome
    if (isMet || left === 0 || this.#succeeded + left < needed) this.#finish()
    else this.#begin()
  }

  get #toCome(): number {
    return this.#isShut ? 0 : this.#plan.branches.length - this.#begun
  }

  #finish(): void {
    if (this.#isOver) return
    if (this.#isReturning) {
      this.#isDue = true
      this.#isShut = true
      return
    }
    this.#isOver = true
    if (this.#plan.join.kind === 'first') this.#keepFirst()
    const begun = this.#plan.branches.slice(0, this.#begun).map(({ label }) => label)
    const ended = begun.filter((_, index) => this.#results[index] !== undefined)
    const cancelled = begun.filter((_, index) => this.#results[index] === undefined)
    this.#end.resolve(recordEnd(this.call, { ended, cancelled }))
  }

  /** Of several that came back in the same turn one has won. */
  #keepFirst(): void {
    const winner = this.#results.findIndex((result) => result?.ok === true)
    for (const [index, result] of this.#results.entries()) if (result?.ok === true && index !== winner) this.#results[index] = undefined
  }

  #fail(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#end.reject(error)
  }

  /** What the cancelled came to is told by their events. */
  async #cancelRest(): Promise<void> {
    if (this.#underWay > 0) {
      cancelBranches(this.call)
      await this.#idle.promise
    }
    const ended = this.#plan.branches.filter((_, index) => this.#results[index] !== undefined).map(({ label }) => label)
    await undoLosers(this.call, ended)
    passOverLosers(this.#plan, ended, this.call)
    keepSteps(this.call, ended)
  }
}

/** What a branch recorded says that it had begun. */
function hasBegun({ root, path }: Call, label: string): boolean {
  return root.replay?.holds(`${path}/${label}`) === true
}

function passOverLosers({ branches }: ParallelPlan, ended: readonly string[], call: Call): void {
  for (const { label } of branches) if (!ended.includes(label)) passOverCancelled(call, `${call.path}/${label}`)
}

/** Steps show those who had ended, in a replay as in the run itself. */
function keepSteps(call: Call, ended: readonly string[]): void {
  call.showOnly(new Set(ended))
}
