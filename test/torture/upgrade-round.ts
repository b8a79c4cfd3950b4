import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { openRuns, type OpenedRuns } from '../../src/run/open-runs.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { killChild } from './child.ts'
import { presumeDead } from './presume-dead.ts'
import type { Scene } from './scene.ts'
import { seeded } from './seeded.ts'
import { UPGRADE_CASES, type UpgradeCase, type Version } from './upgrade-case.ts'
import { type UpgradeInput, upgradeTools } from './upgrade-tools.ts'
import type { Refusal, UpgradedRun } from './upgrade-verdict.ts'

/** `single`: all workers of the old version are gone before the first of the new one comes. `rolling`: both are there, to the end. */
export type UpgradeWay = 'single' | 'rolling'

export interface UpgradeRoundOptions {
  readonly way: UpgradeWay
  readonly runs: number
  readonly seed: number
  /** Lets people decide: until then, whoever waits for them is put away. */
  readonly onUpgrade: () => Promise<void>
}

interface Started {
  readonly id: string
  readonly name: string
  readonly upgrade: UpgradeCase
}

interface Situation extends Pick<UpgradeInput['plan'], 'wait' | 'waitAt'> {
  readonly upgrade: UpgradeCase
}

const SITUATIONS: readonly Situation[] = UPGRADE_CASES.flatMap((upgrade) =>
  (['person', 'time', 'work'] as const).flatMap((wait) =>
    upgrade.steps.old.flatMap(({ label, effect }) => (effect === undefined ? [{ upgrade, wait, waitAt: label }] : [])),
  ),
)
/** Has no divisor in common with their number. */
const STRIDE = 61

interface Starter {
  readonly runs: OpenedRuns
  readonly tools: ReadonlyMap<string, AgentTool<UpgradeInput>>
}

const WORKERS = 2
/** So long runs go on under the old version before it is replaced. */
const BEFORE_MS = 1500
/** Whoever has neither ended nor been refused by then is lost. */
const SETTLE_MS = 90_000

/** One upgrade while runs are parked, asleep, at work and queued; at the end each version takes up what it began and the other refused. */
export class UpgradeRound {
  readonly #scene: Scene
  readonly #options: UpgradeRoundOptions
  readonly #random: () => number
  readonly #workers: Record<Version, ChildProcess[]> = { old: [], new: [] }
  readonly #started: Started[] = []

  constructor(scene: Scene, options: UpgradeRoundOptions) {
    this.#scene = scene
    this.#options = options
    this.#random = seeded(options.seed)
  }

  async run(): Promise<readonly UpgradedRun[]> {
    const { way, runs: count, onUpgrade } = this.#options
    const starters = { old: await this.#openStarter('old'), new: await this.#openStarter('new') }
    try {
      await this.#startWorkers('old')
      await this.#startRuns(starters.old, Math.ceil(count * 0.7))
      await pause(BEFORE_MS)
      if (way === 'single') await this.#stopWorkers('old')
      await this.#startRuns(starters.old, Math.floor(count * 0.1))
      await this.#startWorkers('new')
      await onUpgrade()
      await this.#startRuns(starters.new, count - this.#started.length)
      await this.#settle()
      const refusals = await this.#refusals()
      // The cure that the messages name: the version that began a run takes it up again.
      for (const version of ['old', 'new'] as const) await this.#cure(starters.old.runs, version)
      return await this.#ends(starters.old.runs, refusals)
    } finally {
      await Promise.all([...this.#workers.old, ...this.#workers.new].map(killChild))
      await starters.old.runs.close()
      await starters.new.runs.close()
    }
  }

  async #openStarter(version: Version): Promise<Starter> {
    const tools = upgradeTools(version, this.#scene.ledger)
    const runs = await openRuns({
      database: this.#scene.store,
      tools: async () => tools as ReadonlyMap<string, AgentTool>,
      worker: false,
    })
    return { runs, tools }
  }

  async #startWorkers(version: Version): Promise<void> {
    const started = Array.from({ length: WORKERS }, () => this.#scene.fork('upgrade-worker-process.ts', 'direct', { version }))
    this.#workers[version].push(...started)
    await Promise.all(started.map((worker) => once(worker, 'message')))
  }

  /** Some end as a deployment ends them, some die. */
  async #stopWorkers(version: Version): Promise<void> {
    await Promise.all(
      this.#workers[version].splice(0).map(async (worker) => {
        if (this.#random() < 0.5) {
          const gone = once(worker, 'exit')
          worker.kill('SIGTERM')
          await gone
          return
        }
        await killChild(worker)
        await presumeDead(this.#scene.store, worker.pid ?? 0)
      }),
    )
  }

  async #startRuns({ runs, tools }: Starter, count: number): Promise<void> {
    for (let each = 0; each < count; each++) {
      const { upgrade, wait, waitAt } = this.#next()
      const name = `upgrade-${this.#started.length}`
      const input: UpgradeInput = { plan: { run: name, wait, waitAt, decision: 'approve' } }
      const { id } = await runs.start(tools.get(upgrade.name) as AgentTool<UpgradeInput>, input, { key: name })
      this.#started.push({ id, name, upgrade })
    }
  }

  /** All situations in turn, in an order that mixes them. */
  #next(): Situation {
    const number = this.#options.seed + this.#started.length * STRIDE
    return SITUATIONS[number % SITUATIONS.length] as Situation
  }

  /** Gives whoever is blocked to workers of this version alone. */
  async #cure(runs: OpenedRuns, version: Version): Promise<void> {
    const blocked = [...(await this.#refusals()).keys()]
    if (blocked.length === 0) return
    await this.#stopWorkers('old')
    await this.#stopWorkers('new')
    await this.#startWorkers(version)
    for (const id of blocked) await (await runs.get(id)).resume()
    await this.#settle()
  }

  /** Until all have ended or are blocked. */
  async #settle(): Promise<void> {
    const until = performance.now() + SETTLE_MS
    for (;;) {
      const { rowCount } = await this.#scene.store.pool.query(
        "SELECT 1 FROM toolwright.run WHERE ended_at IS NULL AND status <> 'blocked' LIMIT 1",
      )
      if (rowCount === 0 || performance.now() > until) return
      await pause(200)
    }
  }

  async #refusals(): Promise<ReadonlyMap<string, Refusal>> {
    const { rows } = await this.#scene.store.pool.query<{ id: string; why: string; labels: readonly string[] }>(
      `SELECT r.id, r.why, array_agg(split_part(e.path, '/', 2)) AS labels
       FROM toolwright.run r LEFT JOIN toolwright.entry e ON e.run = r.id WHERE r.status = 'blocked' GROUP BY r.id`,
    )
    return new Map(
      rows.map(({ id, why, labels }) => {
        const { code, message } = JSON.parse(why) as Pick<Refusal, 'code' | 'message'>
        return [id, { code, message, recorded: labels, couldGoOn: this.#options.way === 'rolling' }]
      }),
    )
  }

  async #ends(runs: OpenedRuns, refusals: ReadonlyMap<string, Refusal>): Promise<readonly UpgradedRun[]> {
    const { records } = await this.#scene.ledger.report()
    const byRun = Map.groupBy(records, ({ run }) => run)
    return Promise.all(
      this.#started.map(async ({ id, name, upgrade }) => {
        const handle = await runs.get(id)
        const { status } = await handle.status()
        const result = status === 'completed' && upgrade.composition === 'compound' ? await handle.result() : undefined
        const says = result?.ok === true ? String(result.value) : undefined
        return { id, upgrade, status, refusal: refusals.get(id), records: byRun.get(name) ?? [], says }
      }),
    )
  }
}
