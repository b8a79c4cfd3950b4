import type { Retention } from './prune-options.ts'
import { checkRetention, pruneRuns } from './prune-runs.ts'
import type { RunsContext } from './runs-context.ts'

const EVERY_MS = 60 * 60 * 1000

/** Removes old runs once an hour, as long as a worker is there. Several workers do not get into each other's way. */
export class RunRetention {
  readonly #context: RunsContext
  readonly #retention: Retention | undefined
  #next = -Infinity

  constructor(context: RunsContext, retention: Retention | undefined) {
    if (retention !== undefined) checkRetention(retention)
    this.#context = context
    this.#retention = retention
  }

  /** Called at every beat of the worker. Gives how many runs went, or undefined where it was not the time. */
  async onBeat(now: number = performance.now()): Promise<number | undefined> {
    if (this.#retention === undefined || now < this.#next) return undefined
    this.#next = now + EVERY_MS
    return pruneRuns(this.#context, this.#retention)
  }
}
