import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A worker as its parent sees it. */
export class WorkerProcess {
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>

  constructor(environment: NodeJS.ProcessEnv) {
    this.#child = fork(join(import.meta.dirname, 'worker.ts'), { env: environment })
    this.#exited = new Promise((resolve) => this.#child.once('exit', resolve))
  }

  /** Resolves when it takes runs. */
  async ready(): Promise<void> {
    const child = this.#child
    const isReady = once(child, 'message').then(() => true)
    if (await Promise.race([isReady, this.#exited.then(() => false)])) return
    throw new Error(`A worker could not start: it ended with ${String(child.exitCode ?? child.signalCode)}.`)
  }

  /** Lets it end what it has under way. Gives its exit code. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM')
    await this.#exited
    return this.#child.exitCode
  }

  /** Ends it in the middle of whatever it does. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }
}
