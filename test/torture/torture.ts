import { setTimeout as pause } from 'node:timers/promises'
import { openRuns, type OpenedRuns } from '../../src/run/open-runs.ts'
import { checkRuns, type Losses } from './check-runs.ts'
import { killChild, startChild } from './child.ts'
import type { DeciderOrder, Taken } from './decider-process.ts'
import type { FaultName, FaultPlan } from './fault-plan.ts'
import { type RunMix, runPlan, type RunPlan } from './run-plan.ts'
import { openScene } from './scene.ts'
import { cancelRun, startRun, type StartedRun } from './started-run.ts'
import { ToolShelf } from './tool-shelf.ts'
import { Tormentor } from './tormentor.ts'

export interface TortureOptions {
  readonly runs: number
  readonly seed: number
  readonly workers: number
  /** No run is started after so long. */
  readonly minutes: number
  readonly faults: FaultPlan
  readonly mix: RunMix
  /** The share of dead workers whose silence need not be waited for. */
  readonly knownDead: number
  readonly tell: (line: string) => void
}

/** What came of it. */
export interface TortureReport extends Losses {
  readonly faults: Readonly<Partial<Record<FaultName, number>>>
  readonly runs: number
  readonly startedTwice: number
  readonly startedLater: number
  readonly cancelled: number
  readonly withDeadline: number
  readonly effects: number
  readonly reExecutions: number
  readonly lateOrders: number
  readonly approvals: number
  readonly stoppedLate: number
  readonly seconds: number
}

/** Not more runs than this are open at the same time. */
const MOST_OPEN = 100
/** After the last start faults go on for so long, or until all have ended. */
const AFTERMATH_MS = 20_000
/** Whoever has not ended so long after the last fault is lost. */
const SETTLE_MS = 120_000
const PEOPLE = ['ada', 'grace']

/** Starts runs of every kind while workers, database and connections are struck, and checks that nothing is lost. */
export async function torture(options: TortureOptions): Promise<TortureReport> {
  const { seed, mix } = options
  const scene = await openScene()
  const { store, ledger } = scene
  const shelf = new ToolShelf(seed, ledger)
  const runs = await openRuns({ database: store, tools: async () => shelf, worker: false })
  const tormentor = new Tormentor(scene, options)
  const taken: Taken[] = []
  const deciders = await Promise.all(
    PEOPLE.map(async (by, index) => {
      const order: DeciderOrder = { home: scene.home, by, seed: seed + index }
      const decider = await startChild('decider-process.ts', { order })
      return decider.on('message', (message) => taken.push(message as Taken))
    }),
  )
  const since = performance.now()
  const load = new RunLoad(runs, options)
  try {
    await tormentor.begin()
    await load.startAll((number) => runPlan(number, { shelf, seed, mix }), since + options.minutes * 60_000)
    await load.untilEnded(AFTERMATH_MS)
    await tormentor.calm()
    await load.untilEnded(SETTLE_MS)
    const { started } = load
    const { records, repeats, late } = await ledger.report()
    const { lost, ...losses } = await checkRuns({ store, started, records, taken })
    const count = (holds: (plan: RunPlan) => boolean): number => started.filter(({ plan }) => holds(plan)).length
    return {
      ...losses,
      lost: [...tormentor.crashes, ...lost],
      faults: tormentor.counts,
      runs: started.length,
      startedTwice: count(({ callers }) => callers > 1),
      startedLater: count(({ startInMs }) => startInMs !== undefined),
      cancelled: count(({ cancelAfterMs }) => cancelAfterMs !== undefined),
      withDeadline: count(({ deadlineMs }) => deadlineMs !== undefined),
      effects: records.length,
      reExecutions: repeats,
      lateOrders: late,
      approvals: taken.length,
      stoppedLate: tormentor.stoppedLate,
      seconds: Math.round((performance.now() - since) / 1000),
    }
  } finally {
    await tormentor.end()
    await Promise.all(deciders.map(killChild))
    await runs.close()
    await scene.close()
  }
}

/** Starts runs, cancels those that are to be cancelled, and waits for all. */
class RunLoad {
  readonly #runs: OpenedRuns
  readonly #options: TortureOptions
  readonly #cancels: Promise<void>[] = []
  readonly started: StartedRun[] = []

  constructor(runs: OpenedRuns, options: TortureOptions) {
    this.#runs = runs
    this.#options = options
  }

  async startAll(planOf: (number: number) => RunPlan, until: number): Promise<void> {
    const { runs, tell } = this.#options
    const { started } = this
    for (let told = 0; started.length < runs && performance.now() < until;) {
      const open = (await this.#countOpen()) ?? MOST_OPEN
      const more = Math.max(0, Math.min(runs - started.length, MOST_OPEN - open, 25))
      const plans = Array.from({ length: more }, (_, index) => planOf(started.length + index))
      started.push(...(await Promise.all(plans.map((plan) => this.#start(plan)))))
      if (started.length - told >= 250) {
        told = started.length
        tell(`${started.length} runs started, ${open} open`)
      }
      await pause(100)
    }
  }

  /** Or until so much time has passed. */
  async untilEnded(ms: number): Promise<void> {
    const until = performance.now() + ms
    await Promise.race([Promise.all(this.#cancels), pause(ms, undefined, { ref: false })])
    while ((await this.#countOpen()) !== 0 && performance.now() < until) await pause(200)
  }

  async #start(plan: RunPlan): Promise<StartedRun> {
    const started = await startRun(this.#runs, plan)
    if (plan.cancelAfterMs !== undefined) this.#cancels.push(cancelRun(this.#runs, started))
    return started
  }

  /** Undefined while the database is away. */
  async #countOpen(): Promise<number | undefined> {
    try {
      const { rows } = await this.#runs.store.pool.query<{ count: number }>(
        "SELECT count(*)::int AS count FROM toolwright.run WHERE ended_at IS NULL AND status <> 'blocked'",
      )
      return rows[0]?.count
    } catch {
      return undefined
    }
  }
}
