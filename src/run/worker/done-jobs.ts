import type { CancelTimer } from '../../tool/ports/clock.ts'
import type { RunsContext } from '../runs-context.ts'
import type { FetchedJob } from '../store/run-queue.ts'

const SOON_MS = 10

/** Jobs that are done. They are removed a moment later, those of the same moment together. */
export class DoneJobs {
  readonly #context: RunsContext
  #jobs: FetchedJob[] = []
  #cancel: CancelTimer | undefined

  constructor(context: RunsContext) {
    this.#context = context
  }

  add(job: FetchedJob): void {
    this.#jobs.push(job)
    this.#cancel ??= this.#context.store.clock.timer(SOON_MS, () => void this.remove())
  }

  /** Removes them now. A job that is not removed here is found to be old by the worker that takes it. */
  async remove(): Promise<void> {
    this.#cancel?.()
    this.#cancel = undefined
    const jobs = this.#jobs
    this.#jobs = []
    const { store, reach } = this.#context
    await store.complete(jobs).catch(() => {})
    if (jobs.length > 0) reach('job.completed')
  }
}
