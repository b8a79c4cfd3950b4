import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { createRuntime, type Runtime } from '../../src/runtime.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { checkRuns, type Losses } from './check-runs.ts'
import { killChild, startChild } from './child.ts'
import type { Taken } from './decider-process.ts'
import { planOf } from './plan-of.ts'
import { presumeDead } from './presume-dead.ts'
import { openScene, type Scene } from './scene.ts'
import { pick, seeded } from './seeded.ts'
import type { Shape } from './shape.ts'
import { shapesOf } from './shapes.ts'
import { startRun, type StartedRun } from './started-run.ts'

export interface TortureOptions {
  readonly runs: number
  readonly seed: number
  readonly workers: number
  readonly minutes: number
  /** The mean time between two kills of a worker. */
  readonly workerKillMs: number
  readonly databaseKillMs: number
  /** No more are killed after so many. */
  readonly mostWorkerKills?: number | undefined
  readonly mostDatabaseKills?: number | undefined
  /** The share of dead workers whose silence need not be waited for. */
  readonly knownDead: number
  readonly tell: (line: string) => void
}

/** What came of it. */
export interface TortureReport extends Losses {
  readonly runs: number
  readonly startedTwice: number
  readonly cancelled: number
  readonly workerKills: number
  readonly databaseKills: number
  readonly effects: number
  readonly reExecutions: number
  readonly approvals: number
  readonly seconds: number
}

/** Not more runs than this are open at the same time. */
const MOST_OPEN = 150

/** Starts runs of every shape while workers and the database are killed, and checks that nothing is lost. */
export async function torture(options: TortureOptions): Promise<TortureReport> {
  const scene = await openScene()
  const store = await openStore({ home: scene.home })
  const shapes = shapesOf(scene.ledger)
  const runtime = createRuntime({ tools: shapes.map(({ tool }) => tool), database: store, worker: false, log: quiet })
  const tormentor = new Tormentor(scene, store, options)
  const decider = await startChild('decider-process.ts', { order: { home: scene.home } })
  const taken: Taken[] = []
  decider.on('message', (message) => taken.push(message as Taken))
  const since = performance.now()
  try {
    await tormentor.begin()
    const started = await startAll({ runtime, shapes, store, options, until: since + options.minutes * 60_000 })
    await tormentor.end()
    const { records, repeats } = await scene.ledger.report()
    const losses = await checkRuns({ store, started, records, taken })
    return {
      ...losses,
      runs: started.length,
      startedTwice: started.filter((_, index) => isStartedTwice(index)).length,
      cancelled: started.filter(({ wasCancelled }) => wasCancelled).length,
      workerKills: tormentor.workerKills,
      databaseKills: tormentor.databaseKills,
      effects: records.length,
      reExecutions: repeats,
      approvals: taken.length,
      seconds: Math.round((performance.now() - since) / 1000),
    }
  } finally {
    await tormentor.end()
    await tormentor.killAll()
    await killChild(decider)
    await runtime.close()
    await store.close()
    await scene.close()
  }
}

function isStartedTwice(index: number): boolean {
  return index % 7 === 0
}

/** Some runs that would undo what they did are cancelled, most of them while they are under way. */
function cancelTime({ mayStand }: Shape, seed: number): number | undefined {
  const random = seeded(seed)
  return mayStand !== undefined && random() < 0.2 ? 600 * random() : undefined
}

interface Starting {
  readonly runtime: Runtime
  readonly shapes: readonly Shape[]
  readonly store: Store
  readonly options: TortureOptions
  /** Whoever has not ended by then is counted as lost. */
  readonly until: number
}

async function startAll({ runtime, shapes, store, options, until }: Starting): Promise<readonly StartedRun[]> {
  const { runs, seed, tell } = options
  const started: StartedRun[] = []
  for (let told = 0; ;) {
    const open = await countOpen(store)
    if (open !== undefined && started.length === runs && open === 0) return started
    if (performance.now() > until) return started
    const more = Math.min(runs - started.length, open === undefined ? 0 : MOST_OPEN - open, 25)
    const starts = Array.from({ length: Math.max(0, more) }, (_, each) => {
      const index = started.length + each
      const shape = shapes[index % shapes.length] as Shape
      const input = planOf(shape, `run-${index}`, seed + index * 7919)
      return startRun(runtime, { shape, input, callers: isStartedTwice(index) ? 2 : 1, cancelAfterMs: cancelTime(shape, seed + index) })
    })
    started.push(...(await Promise.all(starts)))
    if (started.length - told >= 250 || (starts.length === 0 && told < started.length)) {
      told = started.length
      tell(`${started.length} runs started, ${open ?? '?'} open`)
    }
    await pause(100)
  }
}

/** Undefined while the database is away. */
async function countOpen({ pool }: Store): Promise<number | undefined> {
  try {
    const { rows } = await pool.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM toolwright.run WHERE ended_at IS NULL AND status <> 'blocked'",
    )
    return rows[0]?.count
  } catch {
    return undefined
  }
}

/** Keeps workers going, kills them at random moments, and the database too. */
class Tormentor {
  readonly #scene: Scene
  readonly #store: Store
  readonly #options: TortureOptions
  readonly #random: () => number
  #workers: ChildProcess[] = []
  readonly #restarts: Promise<void>[] = []
  #isOver = false
  #going: Promise<unknown> = Promise.resolve()
  readonly #calm = new AbortController()
  workerKills = 0
  databaseKills = 0

  constructor(scene: Scene, store: Store, options: TortureOptions) {
    this.#scene = scene
    this.#store = store
    this.#options = options
    this.#random = seeded(options.seed)
  }

  async begin(): Promise<void> {
    this.#workers = await Promise.all(Array.from({ length: this.#options.workers }, () => this.#scene.startWorker()))
    const { workerKillMs, databaseKillMs, mostWorkerKills = Infinity, mostDatabaseKills = Infinity } = this.#options
    this.#going = Promise.all([
      this.#every(workerKillMs, async () => {
        if (this.workerKills < mostWorkerKills) await this.#killWorker()
      }),
      this.#every(databaseKillMs, async () => {
        if (this.databaseKills < mostDatabaseKills) await this.#killDatabase()
      }),
    ])
  }

  async end(): Promise<void> {
    this.#isOver = true
    this.#calm.abort()
    await this.#going
    await Promise.all(this.#restarts)
  }

  async killAll(): Promise<void> {
    await Promise.all(this.#workers.map(killChild))
  }

  async #every(meanMs: number, work: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      await pause(meanMs * (0.5 + this.#random()), undefined, { signal: this.#calm.signal }).catch(() => {})
      if (!this.#isOver) await work()
    }
  }

  async #killWorker(): Promise<void> {
    const victim = pick(this.#random, this.#workers)
    if (victim === undefined) return
    await killChild(victim)
    this.workerKills++
    if (this.#random() < this.#options.knownDead) await presumeDead(this.#store, victim.pid ?? 0).catch(() => {})
    this.#workers = this.#workers.filter((worker) => worker !== victim)
    this.#restarts.push(this.#scene.startWorker().then((worker) => void this.#workers.push(worker)))
  }

  async #killDatabase(): Promise<void> {
    try {
      await this.#scene.killDatabase()
      this.databaseKills++
    } catch {
      // It is being started again just now.
    }
  }
}

const quiet = { trace: hush, debug: hush, info: hush, warn: hush, error: hush, isLevelEnabled: () => false }

function hush(): void {}
