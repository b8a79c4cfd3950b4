import { EXIT, type ExitCode } from './exit-code.ts'
import type { Output } from './output.ts'

/** How long work that was given up may take to put things in order. */
const GRACE_MS = 2000

const WAITING = 'Interrupted. Waiting for what is running to stop; once more to end at once.'

const CODES = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated } as const

/** Turns Ctrl-C into the abort of a signal; the second one ends the process at once. */
export class Interruption {
  readonly #controller = new AbortController()
  readonly #output: Output
  readonly #said: string
  #code: ExitCode | undefined

  /** `said` tells the person what happens now. */
  constructor(output: Output, said: string = WAITING) {
    this.#output = output
    this.#said = said
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => this.#interrupt(CODES[signal]))
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The exit code once there was one, else undefined. */
  get code(): ExitCode | undefined {
    return this.#code
  }

  /** Resolves when what was interrupted has had its time. */
  get overdue(): Promise<undefined> {
    return new Promise((resolve) => {
      this.signal.addEventListener('abort', () => setTimeout(() => resolve(undefined), GRACE_MS).unref(), { once: true })
    })
  }

  /** Waits until the work given up has put things in order, but not for long. A process with nothing left to do ends by itself. */
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
