import { hostname } from 'node:os'
import type { CancelTimer, Clock } from '../../tool/ports/clock.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { toMilliseconds } from '../../tool/duration.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { Fenced, JournalWriter } from '../journal/journal-writer.ts'
import { DoneJobs } from './done-jobs.ts'
import { type HeldJob, JobLeases } from './job-leases.ts'
import { MissedTools } from './missed-tools.ts'
import { bringNews } from './run-news.ts'
import { every, newWorkerId, pause, within } from '../host.ts'
import {
  type ClaimedRun,
  type Claiming,
  type Claims,
  type FetchedJob,
  type NewRun,
  type Started,
  SUSPECT_AFTER,
  type TakenRun,
} from '../store/run-queue.ts'
import { RunRetention } from '../retention.ts'
import type { RunsContext } from '../runs-context.ts'
import type { SharedOptions } from '../step-rules.ts'
import { type Segment } from '../segment/segment.ts'
import { LEFT_TO_OTHERS, runSegment } from '../segment/run-segment.ts'
import { Room } from './room.ts'
import { checkLimits, type ToolLimits, unknownLimits } from './tool-limit.ts'
import { type OnSegment, checkWorkerNames, USUAL_TIMINGS, type WorkerOptions, type WorkerTimings } from './worker-options.ts'

export interface WorkerParts {
  readonly context: RunsContext
  readonly tools: () => Promise<ReadonlyMap<string, AgentTool>>
  readonly shared: SharedOptions
  readonly options: WorkerOptions
  readonly timings?: Partial<WorkerTimings> | undefined
  readonly warn: (message: string) => void
  readonly onSegment?: OnSegment | undefined
  /** Calls back when `tools` may give others. */
  readonly onToolsChanged?: ((listener: () => void) => () => void) | undefined
}

const RECOVER_EVERY_BEATS = 10
/** A write that takes longer than so many leases is stuck: the runs are better off with another worker. */
const STUCK_LEASES = 3
/** How long a worker that stops waits for a database that does not answer. */
const LEAVE_LOOP_MS = 1000
const CLEAN_UP_MS = 2500
/** A run that may have brought workers down is watched alone for so long, and for twice as long after each further time. */
const WATCH_MS = 30_000
const LONGEST_WATCH_MS = 3_600_000

interface Active extends HeldJob {
  segment?: Segment
  /** Until when it is watched alone. */
  readonly watchedUntil: number
}

/** Takes runs off the queue and carries them on, as many at a time as it has room for. */
export class Worker {
  readonly id = newWorkerId()
  readonly #parts: WorkerParts
  readonly #clock: Clock
  readonly #room: Room
  readonly #limits: ToolLimits
  readonly #drainMs: number
  readonly #writer: JournalWriter
  readonly #retention: RunRetention
  readonly #timings: WorkerTimings
  readonly #leases: JobLeases
  readonly #missed: MissedTools
  readonly #done: DoneJobs
  readonly #active = new Map<string, Active>()
  /** Fetched and not claimed yet. They count as held from the start: a claim that takes its time does not lose them. */
  readonly #unclaimed = new Map<string, HeldJob>()
  #poke: () => void = () => {}
  #isStopping = false
  #loop: Promise<void> | undefined
  #stopBeating: CancelTimer | undefined
  readonly #wakeUps = new Set<CancelTimer>()
  #beats = 0
  /** The beats so far; never rejects. */
  #beaten: Promise<unknown> = Promise.resolve()
  #stopListening: (() => void) | undefined
  #onIdle: (() => void) | undefined

  constructor(parts: WorkerParts) {
    checkWorkerNames(parts.options)
    const { concurrency = 20, limits = {}, drain = '30s' } = parts.options
    if (!Number.isInteger(concurrency) || concurrency < 1)
      throw new ConfigurationError(
        'invalid_option',
        `The concurrency of a worker must be a whole number from 1 on, not ${String(concurrency)}.`,
      )
    checkLimits(limits)
    this.#parts = parts
    this.#clock = parts.context.store.clock
    this.#timings = { ...USUAL_TIMINGS, ...parts.timings }
    this.#missed = new MissedTools(parts.tools)
    this.#leases = new JobLeases(parts.context, this.#timings.leaseMs)
    this.#done = new DoneJobs(parts.context)
    this.#limits = limits
    this.#drainMs = toMilliseconds(drain, 'The drain of a worker')
    this.#retention = new RunRetention(parts.context, parts.options.retention)
    this.#room = new Room({
      ...{ context: parts.context, worker: this.id, concurrency, limits, active: this.#active, unclaimed: this.#unclaimed },
      onTaken: async (taken, confirmedAt) => {
        if (!(await this.#givesBack([taken]))) void this.#carry(taken.run, { job: taken.job, confirmedAt })
      },
      onFree: () => this.#onFree(),
    })
    const { store, reach } = parts.context
    this.#writer = new JournalWriter({
      store,
      reach,
      onTrouble: (trouble) =>
        parts.warn(
          trouble === undefined
            ? 'The database answers again.'
            : `The database does not take what is written; trying again: ${trouble.message}`,
        ),
    })
  }

  async start(): Promise<void> {
    await this.#announce()
    const problem = unknownLimits(this.#limits, [...(await this.#parts.tools()).keys()])
    if (problem !== undefined) this.#parts.warn(problem)
    const stopListening = this.#parts.context.store.on((kind, subject) => {
      if (kind === 'queued') this.#onQueued()
      else if (kind === 'woken') this.#lookNow([subject])
      else if (kind === 'reconnected') {
        this.#onQueued()
        this.#lookNow([...this.#active.keys()])
      }
    })
    const stopHearing = this.#parts.onToolsChanged?.(() => this.#onToolsChanged())
    // Named first: V8 makes a function that is written at its assignment to a field where only a full garbage collection looks.
    const stop = (): void => {
      stopListening()
      stopHearing?.()
    }
    this.#stopListening = stop
    // Keeps the process alive, also while the database is away.
    this.#stopBeating = every(this.#clock, this.#timings.beatMs, () => {
      const beat = this.#onBeat()
      this.#beaten = this.#beaten.then(() => beat)
    })
    this.#loop = this.#work()
  }

  /** Records a new run, and takes it up at once if there is room. */
  startRun(run: NewRun): Promise<Started> {
    return this.#room.start(run)
  }

  /** Takes no more; what is under way may end, or come to where it can be put away; the rest is left to other workers. */
  async stop(): Promise<void> {
    if (this.#isStopping) return
    this.#isStopping = true
    this.#room.close()
    this.#stopListening?.()
    this.#poke()
    await within(this.#clock, this.#loop ?? Promise.resolve(), LEAVE_LOOP_MS)
    for (const { segment } of this.#active.values()) segment?.hurry()
    await this.#idle(this.#drainMs)
    const left = [...this.#active.keys()]
    for (const { segment } of this.#active.values()) segment?.abandon()
    this.#stopBeating?.()
    for (const cancel of this.#wakeUps) cancel()
    await within(this.#clock, this.#cleanUp(left), CLEAN_UP_MS)
    this.#writer.close()
  }

  async #cleanUp(left: readonly string[]): Promise<void> {
    const { store } = this.#parts.context
    await store.giveBack(left, this.id).catch(() => {})
    await store.leave([...this.#unclaimed.values()].map(({ job }) => job)).catch(() => {})
    await this.#idle(CLEAN_UP_MS)
    await this.#done.remove()
    await this.#writer.idle()
    // A beat under way would announce the worker again.
    await this.#beaten
    await store.forget(this.id)
  }

  async #work(): Promise<void> {
    while (!this.#isStopping) {
      const room = this.#room.free
      let poked = false
      const waited = new Promise<void>((resolve) => {
        const poke = (): void => {
          poked = true
          resolve()
        }
        this.#poke = poke
      })
      const mayBeMore = room > 0 && (await this.#take(room))
      if (mayBeMore || poked) continue
      await this.#pause(waited)
    }
  }

  #onQueued(): void {
    this.#room.onQueued()
    this.#poke()
  }

  /** What somebody else holds for a moment is asked for again soon. */
  #pause(waited: Promise<void>): Promise<void> {
    const { pollMs } = this.#timings
    return new Promise((resolve) => {
      const cancel = this.#clock.timer(this.#unclaimed.size > 0 ? pollMs / 10 : pollMs, resolve)
      void waited.then(() => {
        cancel()
        resolve()
      })
    })
  }

  /** Returns whether the queue may hold more. If not, the next run that is queued sends a notice. */
  async #take(room: number): Promise<boolean> {
    try {
      const asked = room - this.#unclaimed.size
      const fetched = await this.#fetch(asked)
      const jobs = [...this.#unclaimed.values()].map(({ job }) => job)
      if (jobs.length === 0) return false
      const { leaseMs } = this.#timings
      const takesSuspect = ![...this.#active.values()].some(({ watchedUntil }) => watchedUntil > this.#clock.tick())
      const claims = await this.#claim({ jobs, worker: this.id, limits: this.#limits, takesSuspect, leaseMs })
      for (const job of claims.over) {
        this.#unclaimed.delete(job.id)
        this.#done.add(job)
      }
      if (await this.#givesBack(claims.runs)) return false
      for (const { run, job } of claims.runs) {
        const confirmedAt = this.#unclaimed.get(job.id)?.confirmedAt ?? -Infinity
        this.#unclaimed.delete(job.id)
        void this.#carry(run, { job, confirmedAt })
      }
      // A worker that can go on with them is told, and should come first.
      if (claims.leavesSome) await pause(this.#clock, this.#timings.pollMs / 10)
      return claims.runs.length + claims.over.length > 0 && fetched >= asked
    } catch (error) {
      this.#parts.warn(`Runs could not be taken off the queue; trying again: ${(error as Error).message}`)
      await pause(this.#clock, this.#timings.pollMs / 4)
      return true
    }
  }

  /** A worker that is asked to end has left the jobs of these to others by now, and begins nothing more. */
  async #givesBack(taken: readonly TakenRun[]): Promise<boolean> {
    if (!this.#isStopping) return false
    const ids = taken.map(({ run }) => run.id)
    await this.#parts.context.store.giveBack(ids, this.id)
    return true
  }

  async #claim(claiming: Claiming): Promise<Claims> {
    const { store, reach } = this.#parts.context
    const claims = await store.claim(claiming)
    reach('run.claimed')
    return claims
  }

  async #fetch(room: number): Promise<number> {
    if (room <= 0) return 0
    const confirmedAt = this.#clock.tick()
    const jobs = await this.#room.fetch(room)
    for (const job of jobs) {
      const active = this.#active.get(job.run)
      // After a time without the database, or a machine that was asleep: what is still under way here goes on, and is not begun again.
      if (active !== undefined && isNextFetch(active.job, job)) Object.assign(active, { job, confirmedAt })
      else this.#unclaimed.set(job.id, { job, confirmedAt })
    }
    return jobs.length
  }

  async #carry(run: ClaimedRun, held: HeldJob): Promise<void> {
    const { warn, onSegment } = this.#parts
    const active: Active = { ...held, watchedUntil: this.#endOfWatch(run) }
    this.#active.set(run.id, active)
    onSegment?.({ run: run.id, tool: run.tool, state: 'taken' })
    let unable: string | undefined
    try {
      const { lingerMs } = this.#timings
      const holdsLease = (): true | Promise<boolean> => this.#leases.holds(active)
      const onUnable = (why: string): void => void (unable = why)
      const task = { ...this.#parts, run, worker: this.id, writer: this.#writer, lingerMs, holdsLease, onUnable }
      const wakeAt = await this.#missed.during(run.tool, (tools) =>
        runSegment({ ...task, tools }, (segment) => void (active.segment = segment)),
      )
      if (wakeAt !== undefined) this.#wakeUp(wakeAt)
      this.#done.add(active.job)
    } catch (error) {
      // The job stays: it may be the one by which somebody else has the run now, or the one by which the run is taken up again.
      if (!(error instanceof Fenced)) warn(`The run '${run.id}' could not be carried on here: ${(error as Error).message}`)
    }
    // The run may be under way here again, under a later ticket.
    if (this.#active.get(run.id) === active) this.#active.delete(run.id)
    onSegment?.({ run: run.id, tool: run.tool, state: 'left', unable })
    this.#onFree()
  }

  /** If the worker had room before, it has taken everything in the queue. */
  #onFree(): void {
    if (this.#room.free === 1 || this.#unclaimed.size > 0) this.#poke()
    if (this.#room.isEmpty) this.#onIdle?.()
  }

  /** The queue is asked again when the time has come, and not only at the next look. */
  #wakeUp(at: number): void {
    const ms = at - this.#clock.now()
    if (ms >= 60_000 || this.#isStopping) return
    const cancel = this.#clock.timer(Math.max(0, ms) + 5, () => {
      this.#wakeUps.delete(cancel)
      this.#poke()
    })
    this.#wakeUps.add(cancel)
  }

  async #onBeat(): Promise<void> {
    const { warn } = this.#parts
    const { store } = this.#parts.context
    const runs = [...this.#active.keys()]
    try {
      await this.#touch()
      await this.#announce()
      await this.#missed.resume(store)
      if (this.#beats++ % RECOVER_EVERY_BEATS === 0) {
        await store.recover(LEFT_TO_OTHERS)
        await store.idempotency.sweep()
        await store.boards?.sweep()
        await this.#retention.onBeat()
      }
      await store.releaseHeldBack(this.#limits)
      await this.#look(runs)
    } catch (error) {
      warn(`The database did not hear from the worker: ${(error as Error).message}`)
    }
  }

  /** A sign of life says that runs make headway: not while nothing of them can be recorded. */
  async #touch(): Promise<void> {
    const mostMs = STUCK_LEASES * this.#timings.leaseMs
    if (this.#writer.stuckMs > mostMs) {
      this.#parts.warn('What runs record has not been written for too long: they are left to other workers.')
      return
    }
    const moving = [...this.#active.values()].filter(({ segment }) => segment === undefined || segment.endingMs <= mostMs)
    await this.#leases.renew([...moving, ...this.#unclaimed.values()])
  }

  /** What is not seen now is seen at the next beat. */
  #lookNow(ids: readonly string[]): void {
    this.#look(ids).catch(() => {})
  }

  #look(ids: readonly string[]): Promise<void> {
    return bringNews(this.#parts.context, ids, (id) => this.#active.get(id)?.segment)
  }

  /** What goes wrong here goes well at the next beat. */
  #onToolsChanged(): void {
    const { store } = this.#parts.context
    const told = this.#announce().then(() => this.#missed.resume(store))
    this.#beaten = Promise.all([this.#beaten, told.catch(() => {})])
  }

  async #announce(): Promise<void> {
    const tools = await this.#parts.tools()
    const worker = { id: this.id, host: hostname(), pid: process.pid, tools: [...tools.keys()], limited: Object.keys(this.#limits) }
    await this.#parts.context.store.announce(worker)
  }

  #idle(ms: number): Promise<void> {
    if (this.#room.isEmpty) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = this.#clock.timer(ms, resolve)
      const onIdle = (): void => {
        cancel()
        resolve()
      }
      this.#onIdle = onIdle
    })
  }

  #endOfWatch({ deaths }: ClaimedRun): number {
    if (deaths <= SUSPECT_AFTER) return -Infinity
    return this.#clock.tick() + Math.min(LONGEST_WATCH_MS, WATCH_MS * 2 ** (deaths - SUSPECT_AFTER - 1))
  }
}

/** Nobody was given the job in between. Somebody who was may have claimed the run: what is under way here then counts no more, and the run is taken up anew. */
function isNextFetch(before: FetchedJob, job: FetchedJob): boolean {
  return before.id === job.id && job.attempt === before.attempt + 1
}
