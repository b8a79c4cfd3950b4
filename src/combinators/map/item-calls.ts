import type { PartOptions } from '../../tool/context.ts'
import { isExitEarly } from '../../tool/errors/exit-early.ts'
import type { ToolResult } from '../../tool/result/result.ts'
import { apart, beginItem, cancelItems, type ItemRun, lastBegun, mayBegin, showOnly } from './item-part.ts'
import { recordStop, type Stop } from './stop.ts'

/** The calls of one map, in the order of the items, so many at a time. */
export class ItemCalls {
  /** What became of each item; undefined for one that had not ended. */
  readonly results: (ToolResult | undefined)[]
  readonly #run: ItemRun
  readonly #options: PartOptions | undefined
  readonly #stopsAtFailure: boolean
  readonly #idle = Promise.withResolvers<void>()
  /** Which items have begun, in their order. */
  readonly #begun: number[] = []
  #next = 0
  #underWay = 0
  /** No further item begins. */
  #isOver = false
  #stop: Stop | undefined
  #fatal: { readonly error: unknown } | undefined

  constructor(run: ItemRun, stopsAtFailure: boolean) {
    this.#run = run
    this.#options = apart(run)
    this.#stopsAtFailure = stopsAtFailure
    this.results = Array.from({ length: run.items.length })
  }

  /** Gives how it was stopped, if it was. */
  async run(): Promise<Stop | undefined> {
    const { call } = this.#run
    this.#fill(lastBegun(this.#run) + 1)
    await this.#idle.promise
    if (this.#fatal !== undefined) throw this.#fatal.error
    if (this.#isOver) this.#stop ??= this.#standing()
    if (this.#stop !== undefined) await showOnly(call, this.#stop.ended)
    return this.#stop
  }

  /** Begins what may run now, and at once whatever had begun before the run was taken up. */
  #fill(begun = 0): void {
    while (this.#next < begun || this.#underWay < this.#run.concurrency) {
      const index = this.#nextToBegin()
      if (index === undefined) break
      this.#begin(index)
    }
    if (this.#underWay === 0) this.#idle.resolve()
  }

  #nextToBegin(): number | undefined {
    while (!this.#isOver && this.#next < this.results.length) {
      const index = this.#next++
      if (mayBegin(this.#run, index)) return index
    }
    return undefined
  }

  #begin(index: number): void {
    this.#begun.push(index)
    this.#underWay++
    void this.#work(index).finally(() => {
      this.#underWay--
      this.#fill()
    })
  }

  async #work(index: number): Promise<void> {
    try {
      const result = await beginItem(this.#run, index, this.#options)
      if (this.#stop === undefined) this.results[index] = result
      if (!result.ok && this.#stopsAtFailure) await this.#end()
    } catch (error) {
      // A reviewer who stops the run in an item that was cancelled comes too late.
      if (this.#stop !== undefined && isExitEarly(error)) return
      this.#isOver = true
      this.#fatal ??= { error }
      cancelItems(this.#run.call)
    }
  }

  /** Where the caller or the clock has ended the whole, every item comes to its own end: nothing is left to cancel. */
  async #end(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    if (this.#run.call.scope.closed !== undefined) return
    await recordStop(this.#run.call, () => (this.#stop = this.#standing()))
    cancelItems(this.#run.call)
  }

  #standing(): Stop {
    const begun = this.#begun
    return {
      failed: begun.find((index) => this.results[index]?.ok === false) ?? 0,
      ended: begun.filter((index) => this.results[index] !== undefined),
      cancelled: begun.filter((index) => this.results[index] === undefined),
    }
  }
}
