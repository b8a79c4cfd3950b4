import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { isGone, killChild } from './child.ts'
import { pick } from './seeded.ts'

export interface GangOptions {
  readonly size: number
  readonly random: () => number
  readonly startWorker: () => ChildProcess
}

/** A worker that was asked to end has so long for it. */
const STOP_MS = 15_000

/** Workers of which there are always as many: whoever is killed, stopped or ends by itself is replaced. */
export class WorkerGang {
  readonly #options: GangOptions
  readonly #workers = new Set<ChildProcess>()
  readonly #gaps = new Set<Promise<void>>()
  readonly #isOver = new AbortController()
  /** Workers that ended without being asked to. */
  readonly crashes: string[] = []
  /** Workers that were asked to end, and had to be killed. */
  stoppedLate = 0

  constructor(options: GangOptions) {
    this.#options = options
  }

  /** Starts them, and waits until all are ready. */
  async begin(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.size }, () => once(this.#add(), 'message')))
  }

  /** Kills one outright; the next is there at once, or after a while. Gives the one that was killed. */
  async kill(): Promise<ChildProcess | undefined> {
    const victim = this.#pick()
    if (victim === undefined) return undefined
    this.#workers.delete(victim)
    await killChild(victim)
    this.#replace(this.#options.random() < 0.5 ? 0 : 2000 * this.#options.random())
    return victim
  }

  /** Asks one to end, as a deployment does, and starts another beside it. */
  async restart(): Promise<void> {
    const victim = this.#pick()
    if (victim === undefined) return
    this.#workers.delete(victim)
    this.#replace(0)
    const gone = once(victim, 'exit')
    victim.kill('SIGTERM')
    await Promise.race([gone, pause(STOP_MS, undefined, { ref: false })])
    if (isGone(victim)) return
    this.stoppedLate++
    await killChild(victim)
  }

  /** Lets one stand still for so long. */
  async pause(ms: number): Promise<void> {
    const victim = this.#pick()
    if (victim === undefined) return
    victim.kill('SIGSTOP')
    await pause(ms, undefined, { signal: this.#isOver.signal }).catch(() => {})
    victim.kill('SIGCONT')
  }

  async end(): Promise<void> {
    this.#isOver.abort()
    await Promise.all(this.#gaps)
    const all = [...this.#workers]
    this.#workers.clear()
    await Promise.all(all.map(killChild))
  }

  #pick(): ChildProcess | undefined {
    return pick(this.#options.random, [...this.#workers])
  }

  #add(): ChildProcess {
    const worker = this.#options.startWorker()
    this.#workers.add(worker)
    worker.once('exit', (code, signal) => {
      if (!this.#workers.delete(worker) || this.#isOver.signal.aborted) return
      this.crashes.push(`The worker ${worker.pid} ended by itself: ${code ?? signal}`)
      this.#replace(100)
    })
    return worker
  }

  #replace(afterMs: number): void {
    const gap = pause(afterMs, undefined, { signal: this.#isOver.signal }).then(
      () => void this.#add(),
      () => {},
    )
    this.#gaps.add(gap)
    void gap.then(() => this.#gaps.delete(gap))
  }
}
