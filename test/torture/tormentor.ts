import { setTimeout as pause } from 'node:timers/promises'
import type { Admission } from './database-proxy.ts'
import type { FaultName, FaultPlan } from './fault-plan.ts'
import { presumeDead } from './presume-dead.ts'
import type { ProxiedConnection } from './proxied-connection.ts'
import type { Scene } from './scene.ts'
import { pick, seeded } from './seeded.ts'
import { WorkerGang } from './worker-gang.ts'

export interface TormentorOptions {
  readonly seed: number
  readonly workers: number
  readonly faults: FaultPlan
  /** The share of dead workers whose silence need not be waited for. */
  readonly knownDead: number
}

/** The share of workers that reach the database through the proxy, where there are faults for it. */
const PROXIED = 0.75
/** The share of workers that hold some tools to a limit. */
const LIMITED = 0.4
/** Slower than a lease is long, now and then. */
const DELAYS_MS = [30, 300, 12_000] as const

/** Keeps workers going, and does to them, to the database and to their connections what the plan says, at random moments. */
export class Tormentor {
  readonly #scene: Scene
  readonly #options: TormentorOptions
  readonly #random: () => number
  readonly #gang: WorkerGang
  readonly #calm = new AbortController()
  #going: Promise<unknown> = Promise.resolve()
  /** How often each fault came. */
  readonly counts: Partial<Record<FaultName, number>> = {}

  constructor(scene: Scene, options: TormentorOptions) {
    this.#scene = scene
    this.#options = options
    this.#random = seeded(options.seed)
    const isProxied = Object.keys(options.faults).some((name) => name in this.#proxyFaults)
    const startWorker = (): ReturnType<Scene['fork']> => {
      const way = isProxied && this.#random() < PROXIED ? 'proxied' : 'direct'
      return scene.fork('worker-process.ts', way, { seed: options.seed, isLimited: this.#random() < LIMITED })
    }
    this.#gang = new WorkerGang({ size: options.workers, random: this.#random, startWorker })
  }

  /** Workers that ended without a reason. */
  get crashes(): readonly string[] {
    return this.#gang.crashes
  }

  get stoppedLate(): number {
    return this.#gang.stoppedLate
  }

  async begin(): Promise<void> {
    await this.#gang.begin()
    const strikes = { ...this.#workerFaults, ...this.#proxyFaults }
    this.#going = Promise.all(
      Object.entries(this.#options.faults).map(([name, { meanMs, most = Infinity }]) =>
        this.#every(meanMs, async () => {
          const count = this.counts[name as FaultName] ?? 0
          if (count < most && (await strikes[name as FaultName]())) this.counts[name as FaultName] = count + 1
        }),
      ),
    )
  }

  /** No more faults from now on. What was broken silently stays so. */
  async calm(): Promise<void> {
    this.#calm.abort()
    await this.#going
  }

  async end(): Promise<void> {
    await this.calm()
    await this.#gang.end()
  }

  async #every(meanMs: number, work: () => Promise<void>): Promise<void> {
    while (!this.#calm.signal.aborted) {
      await this.#wait(meanMs * (0.5 + this.#random()))
      if (!this.#calm.signal.aborted) await work()
    }
  }

  async #wait(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#calm.signal }).catch(() => {})
  }

  /** Each says whether there was anything to strike. */
  readonly #workerFaults = {
    workersKilled: async (): Promise<boolean> => {
      const victim = await this.#gang.kill()
      if (victim !== undefined && this.#random() < this.#options.knownDead)
        await presumeDead(this.#scene.store, victim.pid ?? 0).catch(() => {})
      return victim !== undefined
    },
    workersRestarted: async (): Promise<boolean> => {
      await this.#gang.restart()
      return true
    },
    workersPaused: async (): Promise<boolean> => {
      await this.#gang.pause(200 + 4000 * this.#random())
      return true
    },
    workersPausedBeyondLease: async (): Promise<boolean> => {
      await this.#gang.pause(11_000 + 5000 * this.#random())
      return true
    },
    databaseKilled: (): Promise<boolean> =>
      this.#scene.killDatabase().then(
        () => true,
        // It is being started again just now.
        () => false,
      ),
  }

  readonly #proxyFaults = {
    connectionsCut: async (): Promise<boolean> => this.#strike((connection) => connection.cut()),
    connectionsDelayed: async (): Promise<boolean> => {
      const ms = pick(this.#random, DELAYS_MS) ?? 0
      const isStruck = this.#strike((connection) => connection.delay(ms))
      await this.#wait(ms + 3000 * this.#random())
      for (const connection of this.#scene.proxy.connections) connection.delay(0)
      return isStruck
    },
    connectionsSilenced: async (): Promise<boolean> => {
      const silence = this.#random() < 0.5 ? 'all' : 'replies'
      return this.#strike((connection) => connection.silence(silence))
    },
    repliesLost: async (): Promise<boolean> => this.#strike((connection) => connection.loseReply()),
    newcomersRefused: (): Promise<boolean> => this.#admit('refuse'),
    newcomersUnanswered: (): Promise<boolean> => this.#admit('silent'),
  }

  /** One connection, some or all. */
  #strike(work: (connection: ProxiedConnection) => void): boolean {
    const { connections } = this.#scene.proxy
    const kind = this.#random()
    const struck = connections.filter((_, index) => (kind < 0.5 ? index === 0 : kind < 0.9 ? this.#random() < 0.4 : true))
    for (const connection of struck) work(connection)
    return struck.length > 0
  }

  async #admit(admission: Admission): Promise<boolean> {
    const { proxy } = this.#scene
    if (proxy.admission !== 'pass') return false
    proxy.admission = admission
    await this.#wait(500 + 6000 * this.#random())
    proxy.admission = 'pass'
    return true
  }
}
