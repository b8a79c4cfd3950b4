import type { ModelMessage } from 'ai'
import type { ToolRun } from './tool-run.ts'

interface Step {
  signal: AbortSignal | undefined
  /** The runs that end with the step, and how to let them go. */
  readonly begun: Map<ToolRun, () => void>
}

/**
 * The abort signals of the steps of a conversation. `toolApproval` is told no signal, but `onInputAvailable` is, for the same list of
 * messages, and before or after it.
 */
export class StepSignals {
  readonly #steps = new WeakMap<readonly ModelMessage[], Step>()

  tell(messages: readonly ModelMessage[], signal: AbortSignal | undefined): void {
    const step = this.#step(messages)
    step.signal = signal
    for (const [run, letGo] of step.begun) {
      letGo()
      step.begun.set(run, run.follow(signal))
    }
  }

  /** The run ends with the step, until the returned function is called. */
  follow(messages: readonly ModelMessage[], run: ToolRun): () => void {
    const { signal, begun } = this.#step(messages)
    begun.set(run, run.follow(signal))
    return () => {
      begun.get(run)?.()
      begun.delete(run)
    }
  }

  #step(messages: readonly ModelMessage[]): Step {
    const known = this.#steps.get(messages)
    if (known !== undefined) return known
    const step: Step = { signal: undefined, begun: new Map() }
    this.#steps.set(messages, step)
    return step
  }
}
