import type { Clock } from '../../tool/ports/clock.ts'
import type { RunsContext } from '../runs-context.ts'
import type { FetchedJob } from '../store/run-queue.ts'

/** A job that this worker has been given. */
export interface HeldJob {
  job: FetchedJob
  /** By the tick of the clock: when the sign of life was sent that the store has confirmed last. */
  confirmedAt: number
}

/** Renews the leases of jobs, and tells whether they hold. */
export class JobLeases {
  readonly #context: RunsContext
  readonly #clock: Clock
  readonly #leaseMs: number

  constructor(context: RunsContext, leaseMs: number) {
    this.#context = context
    this.#clock = context.store.clock
    this.#leaseMs = leaseMs
  }

  /** Nobody else is given the run while the last confirmed sign of life is younger than the lease; after that, the store is asked. */
  holds(held: HeldJob): true | Promise<boolean> {
    return this.#clock.tick() - held.confirmedAt < this.#leaseMs ? true : this.#ask(held)
  }

  async renew(held: readonly HeldJob[]): Promise<void> {
    const sentAt = this.#clock.tick()
    const mine = await this.#context.store.touch(held.map(({ job }) => job))
    for (const each of held) if (mine.has(each.job.id)) each.confirmedAt = sentAt
  }

  async #ask(held: HeldJob): Promise<boolean> {
    const { store, patiently } = this.#context
    const { job } = held
    const sentAt = this.#clock.tick()
    const isMine = (await patiently(() => store.touch([job]))).has(job.id)
    if (!isMine) return false
    held.confirmedAt = sentAt
    return this.holds(held)
  }
}
