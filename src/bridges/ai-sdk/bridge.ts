import type { ToAiSdkOptions } from './bridge-options.ts'
import type { ParkedRun } from './parked-run.ts'
import type { ParkedRuns } from './parked-runs.ts'
import { ModelOutputs } from './model-output.ts'
import { StepSignals } from './step-signals.ts'

const MOST_FINISHED = 1000

/** What the tools of one `toAiSdk` share. */
export class Bridge {
  readonly options: ToAiSdkOptions
  readonly parked: ParkedRuns
  readonly outputs = new ModelOutputs()
  readonly signals = new StepSignals()
  /** The program passes `toolApproval`: whoever must be asked can be. */
  asksThroughSdk = false
  readonly #finished = new Map<string, ParkedRun>()

  constructor(options: ToAiSdkOptions, parked: ParkedRuns) {
    this.options = options
    this.parked = parked
  }

  /** Keeps a run that ended before it was asked for. */
  finished(run: ParkedRun): void {
    this.#finished.set(run.identity.key, run)
    for (const oldest of this.#finished.keys()) {
      if (this.#finished.size <= MOST_FINISHED) break
      this.#finished.delete(oldest)
    }
  }

  /** Hands it out, once. */
  takeFinished(key: string): ParkedRun | undefined {
    const run = this.#finished.get(key)
    this.#finished.delete(key)
    return run
  }
}
