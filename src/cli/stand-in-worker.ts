import type { OpenedRuns } from '../run/open-runs.ts'
import type { Output } from './output.ts'

/** How often a command that follows a run looks whether some worker can go on with it. */
const LOOK_MS = 2000

const BEGINS = 'No other worker can go on with the run any more: this command works on it now.'
const NOBODY = 'No worker can go on with the run, and the configuration says worker: false. Start one with: toolwright worker'

export interface StandInOptions {
  /** The run that is followed. */
  readonly run: string
  readonly output: Output
  /** Opens the runs with a worker; undefined where the configuration wants none. */
  readonly open: (() => Promise<OpenedRuns>) | undefined
}

/**
 * The worker of a command that follows a run: it begins as soon as no other worker that is alive can go on with the run. Other workers may
 * leave or die at any time, so it looks again and again.
 */
export class StandInWorker {
  readonly #runs: OpenedRuns
  readonly #options: StandInOptions
  #own: OpenedRuns | undefined
  #isClosed = false
  #hasSaid = false
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()

  constructor(runs: OpenedRuns, options: StandInOptions) {
    this.#runs = runs
    this.#options = options
  }

  async start(): Promise<void> {
    if (!(await this.hasOthers())) {
      if (this.#options.open === undefined) this.#say(NOBODY)
      this.#own = await this.#options.open?.()
    }
    this.#lookLater()
  }

  /** Whether another process can go on with the run. */
  hasOthers(): Promise<boolean> {
    return this.#runs.context.store.othersMayGoOn(this.#options.run, this.#own?.workerId ?? '')
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#looking
    await this.#own?.close()
  }

  #lookLater(): void {
    if (this.#isClosed || this.#own !== undefined) return
    this.#timer = setTimeout(() => {
      // While the database is away nobody knows: it looks again.
      this.#looking = this.#look()
        .catch(() => {})
        .then(() => this.#lookLater())
    }, LOOK_MS)
  }

  async #look(): Promise<void> {
    if ((await this.hasOthers()) || this.#isClosed) return
    this.#say(this.#options.open === undefined ? NOBODY : BEGINS)
    this.#own = await this.#options.open?.()
  }

  #say(text: string): void {
    if (!this.#hasSaid) this.#options.output.note(text)
    this.#hasSaid = true
  }
}
