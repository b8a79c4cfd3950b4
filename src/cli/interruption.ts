import { EXIT, type ExitCode } from './exit-code.ts'
import type { Output } from './output.ts'

/** How long cancelled work may take to clean up. */
const GRACE_MS = 2000

const WAITING = 'Interrupted. Waiting for what is running to stop; once more to end at once.'

const CODES = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated } as const

/** Turns Ctrl-C into the abort of a signal; the second one ends the process at once. */
export class Interruption {
  readonly #controller = new AbortController()
  readonly #output: Output
  readonly #said: string
  #code: ExitCode | undefined

  /** `said` is the message for the person. */
  constructor(output: Output, said: string = WAITING) {
    this.#output = output
    this.#said = said
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => this.#interrupt(CODES[signal]))
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The exit code after an interruption, else undefined. */
  get code(): ExitCode | undefined {
    return this.#code
  }

  /** Resolves when the time to clean up is over. */
  get overdue(): Promise<undefined> {
    return new Promise((resolve) => {
      this.signal.addEventListener('abort', () => setTimeout(() => resolve(undefined), GRACE_MS).unref(), { once: true })
    })
  }

  /** Waits a limited time until cancelled work has cleaned up. A process with nothing left to do ends by itself. */
  async cleanUp(): Promise<void> {
    process.stdin.unref?.()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    setTimeout(() => resolve(false), GRACE_MS).unref()
    process.once('beforeExit', () => resolve(true))
    if (!(await promise)) this.#output.note('Something is still running, and is ended.')
  }

  #interrupt(code: ExitCode): void {
    if (this.#code !== undefined) process.exit(code)
    this.#code = code
    this.#output.note(this.#output.paintNote('yellow', this.#said))
    this.#controller.abort(new Error('Interrupted.'))
  }
}
