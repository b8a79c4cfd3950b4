import type { RunsContext } from '../runs-context.ts'
import type { FetchedJob, NewRun, Started, TakenRun } from '../store/run-queue.ts'
import type { ToolLimits } from './tool-limit.ts'

export interface RoomParts {
  readonly context: RunsContext
  readonly worker: string
  readonly concurrency: number
  readonly limits: ToolLimits
  /** Runs under way. */
  readonly active: { readonly size: number }
  /** Jobs that were fetched and not claimed yet. */
  readonly unclaimed: { readonly size: number }
  /** A run was taken up with its start; the sign of life that it is was sent at this tick. */
  readonly onTaken: (taken: TakenRun, confirmedAt: number) => Promise<void> | undefined
  /** There is room again. */
  readonly onFree: () => void
}

/** How many runs a worker may still take, and which new runs it takes up with their start. */
export class Room {
  readonly #parts: RoomParts
  /** Runs that are being started here, and jobs that are being fetched: each may take room. */
  #starting = 0
  #fetching = 0
  /** The last look at the queue left nothing in it, and nobody has told of a run since. */
  #isQueueEmpty = false
  #notices = 0
  #isClosed = false

  constructor(parts: RoomParts) {
    this.#parts = parts
  }

  get free(): number {
    const { concurrency, active } = this.#parts
    return concurrency - active.size - this.#starting
  }

  /** No run is under way, or being started. */
  get isEmpty(): boolean {
    return this.#parts.active.size + this.#starting === 0
  }

  /** A run waits in the queue. */
  onQueued(): void {
    this.#notices++
    this.#isQueueEmpty = false
  }

  async fetch(most: number): Promise<readonly FetchedJob[]> {
    const notices = this.#notices
    this.#fetching = most
    try {
      const jobs = await this.#parts.context.store.fetch(most)
      this.#isQueueEmpty = jobs.length < most && this.#notices === notices
      return jobs
    } finally {
      this.#fetching = 0
    }
  }

  /** New runs are left to others. */
  close(): void {
    this.#isClosed = true
  }

  /**
   * Records a run and takes it up in one statement, if there is room for it and no other run waits in the queue, as far as this worker knows:
   * those come first. Else it is queued. If the answer is lost, the run is taken up like one whose worker is silent.
   */
  async start(run: NewRun): Promise<Started> {
    const { context, worker, onTaken, onFree } = this.#parts
    const { store } = context
    if (!this.#takes(run)) return store.start(run)
    const confirmedAt = store.clock.tick()
    this.#starting++
    try {
      const started = await store.start(run, worker)
      if (started.outcome === 'started' && started.taken !== undefined) await onTaken(started.taken, confirmedAt)
      return started
    } finally {
      this.#starting--
      onFree()
    }
  }

  /** The limit of a tool counts runs when they are claimed. */
  #takes({ tool, startAt }: NewRun): boolean {
    const { limits, unclaimed } = this.#parts
    if (this.#isClosed || !this.#isQueueEmpty || startAt !== null || limits[tool] !== undefined) return false
    return this.free - this.#fetching - unclaimed.size > 0
  }
}
