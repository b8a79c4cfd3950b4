import { memoryBreakers } from '../../src/combinators/breaker/memory-breakers.ts'
import { memoryLimits } from '../../src/combinators/limit/memory-limits.ts'
import type { RunsContext } from '../../src/run/runs-context.ts'
import { LEFT_TO_OTHERS } from '../../src/run/segment/run-segment.ts'
import type { WorkerOptions } from '../../src/run/worker/worker-options.ts'
import { Worker } from '../../src/run/worker/worker.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { type BuiltProgram, buildProgram } from '../programs/build-program.ts'
import { RandomStream } from '../programs/random-stream.ts'
import type { UpgradeKind } from '../programs/row.ts'
import { remembersInProcess } from '../programs/table.ts'
import { databaseBounds } from './database-bounds.ts'
import { openEngine } from './engine.ts'
import { MARKER } from './marker.ts'
import { type Listener, MemoryDatabase, type StatementRecorder } from './memory-database.ts'
import { Network } from './network.ts'
import { People } from './people.ts'
import { Place } from './place.ts'
import type { Fault, Happening, Moment, Plan } from './plan.ts'
import { useScheduler } from './replace-globals.ts'
import { BEGINNING, newProcess, Scheduler, type SimulatedProcess } from './scheduler.ts'
import { SimulatedLedger } from './simulated-ledger.ts'
import type { RunRow } from './tables.ts'
import { upgradeProgram } from './upgrade-program.ts'
import { Watch } from './watch.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const BOUNDS = await databaseBounds()

/** Long enough for everything to end that ends, and so short that what does not end costs little. */
const LONGEST_MS = 300_000
const MOST_STEPS = 600_000
/** After the last run has ended, whatever comes late must come: also from a worker that stood still, or over a way that is stuck. */
const AFTERMATH_MS = 500
const STUCK_MS = 26_000

interface LiveWorker {
  readonly worker: Worker
  readonly owner: SimulatedProcess
  readonly number: number
  /** By which runs are started in its process. */
  readonly context: RunsContext
}

interface Trigger {
  readonly isDue: () => boolean
  readonly go: () => void
}

/** A simulated process and the engine in it. */
export interface EngineProcess {
  readonly owner: SimulatedProcess
  readonly context: RunsContext
}

/** One simulated world: processes, database, ledger and people, from the start of its runs to their end. */
export class World {
  readonly plan: Plan
  readonly scheduler: Scheduler
  readonly database: MemoryDatabase
  readonly ledger: SimulatedLedger
  readonly people: People
  readonly watch: Watch
  readonly programs: readonly BuiltProgram[]
  readonly #network: Network
  readonly #places = new Map<string, Place>()
  readonly #text: string
  /** Tools that keep nothing in memory are the same for all workers. */
  readonly #isShared: boolean
  #workers: LiveWorker[] = []
  /** All that there ever were, by id. */
  readonly #everyone = new Map<string, { readonly owner: SimulatedProcess; readonly bornAt: number }>()
  #made = 0
  #standstillUntil = 0
  #triggers: Trigger[] = []
  readonly #happened = new Map<Happening, number>()

  constructor(plan: Plan, recorder?: StatementRecorder) {
    this.plan = plan
    const scheduler = new Scheduler(plan.seed)
    this.scheduler = scheduler
    scheduler.busyMs = plan.busyMs ?? 0
    useScheduler(scheduler)
    const faults = new RandomStream(Math.imul(plan.seed, 0xc2b2ae35) ^ 0x165667b1)
    this.#network = new Network(plan.network, scheduler.random, faults)
    this.watch = new Watch(this)
    this.database = new MemoryDatabase({
      scheduler,
      bounds: BOUNDS,
      longestPath: plan.longestPath ?? Infinity,
      recorder,
      onCommit: this.watch.onCommit,
      deliver: (listener, note) => this.#deliver(listener, note),
    })
    const text = plan.isEncrypted === true ? MARKER : 'x'
    const note = plan.isEncrypted === true ? ` about ${MARKER}` : ''
    this.ledger = new SimulatedLedger(scheduler, { note, onEffect: () => this.happen('effect') })
    this.#text = text
    this.programs = this.#build()
    this.#isShared = plan.upgrade === undefined && !plan.runs.some(({ program }) => remembersInProcess(program))
    this.people = new People(this, this.openProcess('people'), text)
  }

  #build(upgrade?: UpgradeKind): readonly BuiltProgram[] {
    const { plan, ledger } = this
    const runs = plan.isOneTool === true ? plan.runs.slice(0, 1) : plan.runs
    return runs.map(({ program }, index) => {
      const version = upgrade === undefined ? program : (upgradeProgram(program, upgrade) ?? program)
      return buildProgram(version, { prefix: `r${index}_`, order: ledger.order, text: this.#text })
    })
  }

  /** The tool of a run, as its starter knows it. */
  toolOf(run: number): BuiltProgram {
    const built = this.programs[this.plan.isOneTool === true ? 0 : run]
    if (built === undefined) throw new Error(`There is no run ${run} in this world.`)
    return built
  }

  /** When it began, by the clock of its database. */
  get beginning(): number {
    return BEGINNING
  }

  /** Whether a worker is well that has the programs as they were when the runs began. */
  get hasFirstVersion(): boolean {
    return this.#workers.some(({ owner, number }) => number === 1 && owner.isAlive && owner.pausedUntil <= this.scheduler.now)
  }

  /** A process with a worker that has the programs as they were when the runs began, and starts runs with them. */
  get workerForStarts(): LiveWorker | undefined {
    const { now } = this.scheduler
    return this.#workers.find(({ owner, number }) => owner.isAlive && owner.pausedUntil <= now && (number === 1 || this.#isShared))
  }

  /** Whether a worker lives, and neither stood still nor was asked to end. */
  isWell(id: string): boolean {
    return this.#workers.some(({ worker }) => worker.id === id)
  }

  /** For how long a worker has been able to see that the process of another one is no more; 0 where it cannot. */
  sawGoneFor(worker: string, gone: string): number {
    const [one, other] = [this.#everyone.get(worker), this.#everyone.get(gone)]
    const { place, diedAt } = other?.owner ?? {}
    if (one === undefined || place === undefined || diedAt === undefined || one.owner.place !== place || !place.tellsOfEnds) return 0
    return this.scheduler.now - Math.max(one.bornAt, diedAt)
  }

  /** Whether a run is blocked, and a worker is there that has not tried to go on with it. */
  mayGoOn({ status, unable, why }: RunRow): boolean {
    if (status !== 'blocked' || !LEFT_TO_OTHERS.some((code) => why?.includes(`"${code}"`) === true)) return false
    return this.#workers.some(({ owner, worker }) => owner.isAlive && !unable.includes(worker.id))
  }

  /** A process with its way to the database; where it runs does not matter unless it is said. */
  openProcess(name: string, place?: Place): EngineProcess {
    const { scheduler, database } = this
    const owner = newProcess(name, place)
    const parts = { scheduler, database, owner, network: this.#network, bounds: BOUNDS }
    const encryption = this.plan.isEncrypted === true ? { key: KEY } : undefined
    return { context: scheduler.within(owner, () => openEngine(parts, encryption)), owner }
  }

  /** Does something at a moment, in a process. */
  at({ afterStatements, afterHappening, afterMs }: Moment, owner: SimulatedProcess, run: () => void): void {
    const go = (): void => void this.scheduler.after(afterMs, owner, run)
    if (afterStatements !== undefined) this.#triggers.push({ isDue: () => this.database.statements >= afterStatements, go })
    else if (afterHappening !== undefined) {
      const { what, times } = afterHappening
      this.#triggers.push({ isDue: () => (this.#happened.get(what) ?? 0) >= times, go })
    } else go()
  }

  /** Something happened that a moment may be waiting for. */
  happen(what: Happening): void {
    this.#happened.set(what, (this.#happened.get(what) ?? 0) + 1)
  }

  /** Runs it to its end. Must be called outside of any microtask. */
  run(): void {
    const { scheduler, plan } = this
    for (let made = 0; made < plan.workers; made++) this.#startWorker()
    this.people.start()
    for (const fault of plan.faults) this.at(fault, scheduler.outside, () => this.#befall(fault))
    const latestStart = Math.max(0, ...plan.runs.map(({ startAfterMs = 0 }) => startAfterMs))
    let over = Infinity
    while (scheduler.now < latestStart + LONGEST_MS && scheduler.now <= over && scheduler.steps < MOST_STEPS) {
      if (!scheduler.step()) break
      if (this.#triggers.length > 0) this.#fire()
      // What was blocked may go on again: somebody cancelled it, or another worker knows it.
      if (!this.watch.isAllOver) over = Infinity
      else if (over === Infinity) over = this.#aftermath
    }
  }

  get #aftermath(): number {
    const { scheduler, plan } = this
    const late = plan.network.stuck > 0 ? STUCK_MS : AFTERMATH_MS
    return Math.max(scheduler.now + late, this.#standstillUntil + AFTERMATH_MS)
  }

  #fire(): void {
    if (!this.#triggers.some(isDue)) return
    const due = this.#triggers.filter(isDue)
    this.#triggers = this.#triggers.filter((trigger) => !due.includes(trigger))
    for (const { go } of due) go()
  }

  #startWorker(): void {
    const number = ++this.#made
    const { owner, context } = this.openProcess(`w${number}`, this.#placeOf(number))
    const { scheduler, plan } = this
    const programs = number === 1 || this.#isShared ? this.programs : this.#build(plan.upgrade)
    const tools = new Map<string, AgentTool>(programs.map(({ tool }) => [tool.name, tool]))
    const { limit } = plan
    const isLimited = limit !== undefined && (!limit.isOnFirstOnly || number === 1)
    const limits = isLimited ? Object.fromEntries([...tools.keys()].map((tool) => [tool, { concurrency: limit.concurrency }])) : {}
    const options: WorkerOptions = { limits, drain: '2s' }
    scheduler.after(0.01, owner, () => {
      const warn = (message: string): void => scheduler.note('warns', message)
      const worker = new Worker({
        context,
        tools: async () => tools,
        shared: { stores: { idempotency: context.idempotency, breakers: memoryBreakers(), limits: memoryLimits() } },
        options,
        warn,
      })
      this.#everyone.set(worker.id, { owner, bornAt: scheduler.now })
      const start = (): void => void worker.start().catch(() => setTimeout(start, 100))
      start()
      const starting: RunsContext = { ...context, start: (run) => worker.startRun(run) }
      if (owner.isAlive) this.#workers.push({ worker, owner, number, context: starting })
    })
  }

  /** Who is on a machine of its own shares no place with anybody. */
  #placeOf(worker: number): Place {
    const { places } = this.plan
    const plan = places?.[(worker - 1) % places.length]
    if (plan === undefined) return new Place({ start: worker, name: worker, space: 0 })
    const { start, name, space } = plan
    const key = `${start} ${name} ${space}`
    const place = this.#places.get(key) ?? new Place(plan)
    this.#places.set(key, place)
    return place
  }

  #befall(fault: Fault): void {
    const { scheduler, database } = this
    if (fault.kind === 'restart') return this.#restart(database)
    const victim = this.#workers.find(({ owner }) => owner.isAlive && owner.pausedUntil <= scheduler.now)
    if (victim === undefined) return
    const { owner, worker } = victim
    this.watch.faults++
    switch (fault.kind) {
      case 'kill':
        this.#replace(owner)
        return scheduler.kill(owner)
      case 'pause':
        this.#replace(owner, 1)
        this.#standstillUntil = Math.max(this.#standstillUntil, scheduler.now + fault.ms)
        return scheduler.pause(owner, fault.ms)
      case 'clock':
        owner.clockOffset += fault.ms
        return scheduler.note('clock jumps', `${owner.name} by ${fault.ms} ms`)
      case 'slow':
        scheduler.busyMs = fault.ms
        return scheduler.note('is slow', `all by ${fault.ms} ms`)
      case 'stop':
        this.#replace(owner)
        scheduler.note('is asked to end', owner.name)
        scheduler.after(0, owner, () => void worker.stop().then(() => scheduler.kill(owner)))
    }
  }

  /** Another worker takes its place after a while. */
  #replace(gone: SimulatedProcess, within = 500): void {
    const { scheduler } = this
    this.#workers = this.#workers.filter(({ owner }) => owner !== gone)
    scheduler.after(scheduler.random.between(0.5, within), scheduler.outside, () => this.#startWorker())
  }

  #restart(database: MemoryDatabase): void {
    const { scheduler } = this
    scheduler.note('restarts', 'the database')
    database.restart()
    for (const { owner, hear } of database.listeners)
      scheduler.after(scheduler.random.between(100, 300), owner, () => hear('reconnected', ''))
  }

  #deliver({ owner, hear }: Listener, note: string): void {
    if (this.#network.isNoticeLost()) return
    const space = note.indexOf(' ')
    const [kind, subject] = space < 0 ? [note, ''] : [note.slice(0, space), note.slice(space + 1)]
    this.scheduler.after(this.scheduler.random.between(0.05, 1), owner, () => hear(kind, subject))
  }
}

function isDue(trigger: Trigger): boolean {
  return trigger.isDue()
}
