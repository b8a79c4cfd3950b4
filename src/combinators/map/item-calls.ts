import type { PartOptions } from '../../tool/context.ts'
import type { ToolResult } from '../../tool/result.ts'
import { apart, beginItem, cancelItems, type ItemRun, showOnly } from './item-part.ts'
import { recordStop, type Stop } from './stop.ts'

/** The calls of one map, in the order of the items, so many at a time. */
export class ItemCalls {
  /** What became of each item; undefined for one that had not ended. */
  readonly results: (ToolResult | undefined)[]
  readonly #run: ItemRun
  readonly #options: PartOptions | undefined
  readonly #stopsAtFailure: boolean
  #next = 0
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
    const { call, concurrency } = this.#run
    await Promise.all(Array.from({ length: Math.min(concurrency, this.results.length) }, () => this.#work()))
    if (this.#fatal !== undefined) throw this.#fatal.error
    if (this.#stop !== undefined) await showOnly(call, this.#stop.ended)
    return this.#stop
  }

  async #work(): Promise<void> {
    const { call } = this.#run
    try {
      while (!this.#isOver && this.#next < this.results.length && call.scope.closed === undefined) {
        const index = this.#next++
        const result = await beginItem(this.#run, index, this.#options)
        if (this.#stop === undefined) this.results[index] = result
        if (!result.ok && this.#stopsAtFailure) await this.#end()
      }
    } catch (error) {
      this.#isOver = true
      this.#fatal ??= { error }
      cancelItems(call)
    }
  }

  async #end(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    await recordStop(this.#run.call, () => (this.#stop = this.#standing()))
    cancelItems(this.#run.call)
  }

  #standing(): Stop {
    const begun = Array.from({ length: this.#next }, (_, index) => index)
    return {
      failed: begun.find((index) => this.results[index]?.ok === false) ?? 0,
      ended: begun.filter((index) => this.results[index] !== undefined),
      cancelled: begun.filter((index) => this.results[index] === undefined),
    }
  }
}
