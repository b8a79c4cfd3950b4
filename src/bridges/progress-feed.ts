import type { CallProgressed, Observer, ToolEvent } from '../tool/event.ts'

/** A preliminary result of a tool that reports progress. */
export interface ProgressOutput {
  readonly progress: {
    /** The tool that reports, which may be a part of the one that was called. */
    readonly tool: string
    readonly path: string
    readonly message?: string
    readonly progress?: number
    readonly total?: number
  }
}

const MOST_WAITING = 1000

/** Holds the reports of one run until somebody reads them; of too many, the oldest are dropped. */
export class ProgressFeed implements Observer {
  #waiting: ProgressOutput[] = []
  #wake: (() => void) | undefined

  onEvent(event: ToolEvent): void {
    if (event.type !== 'call.progressed') return
    this.#waiting.push(progressOutput(event))
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift()
    this.#wake?.()
  }

  /** All reports until the run is done, one way or another. */
  async *until(done: Promise<unknown>): AsyncGenerator<ProgressOutput, void> {
    let isDone = false
    const end = (): void => {
      isDone = true
      this.#wake?.()
    }
    done.then(end, end)
    for (;;) {
      const reports = this.#waiting
      this.#waiting = []
      yield* reports
      if (this.#waiting.length > 0) continue
      if (isDone) return
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}

/** A report as plain data: a preliminary result may travel to a browser. */
export function progressOutput({ call, message, progress, total }: CallProgressed): ProgressOutput {
  return {
    progress: {
      tool: call.tool,
      path: call.path,
      ...(message === undefined ? {} : { message }),
      ...(progress === undefined ? {} : { progress }),
      ...(total === undefined ? {} : { total }),
    },
  }
}
