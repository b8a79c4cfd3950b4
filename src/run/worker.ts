import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { CallOptions } from '../tool/context.ts'
import { toMilliseconds } from '../tool/duration.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { ReviewDecision } from '../tool/review.ts'
import { checkOptionNames } from './check-option-names.ts'
import type { ClaimedRun } from './claimed-run.ts'
import { Fenced, JournalWriter } from './journal-writer.ts'
import type { Notices } from './notices.ts'
import { recoverRuns } from './recover-runs.ts'
import type { FetchedJob } from './run-queue.ts'
import { RunRetention } from './run-retention.ts'
import type { RunsContext } from './runs-context.ts'
import { type Segment } from './segment.ts'
import { runSegment } from './run-segment.ts'
import { releaseHeldBack, takeJobs } from './take-jobs.ts'
import { lockRun, queueRun } from './wake-run.ts'
import { checkLimits } from './tool-limit.ts'
import type { ToolLimits } from './tool-limits.ts'
import type { WorkerOptions } from './worker-options.ts'

export interface WorkerParts {
  readonly context: RunsContext
  readonly notices: Notices
  readonly tools: () => Promise<ReadonlyMap<string, AgentTool>>
  readonly shared: CallOptions
  readonly options: WorkerOptions
  readonly warn: (message: string) => void
  readonly onSegment?: OnSegment | undefined
  /** Removes what is kept for a while only. */
  readonly sweep?: (() => Promise<unknown>) | undefined
}

/** Told when this worker takes a run up, and when it has brought it to an end or put it away. */
export type OnSegment = (change: { readonly run: string; readonly tool: string; readonly state: 'taken' | 'left' }) => void

const POLL_MS = 2000
const BEAT_MS = 3000
const RECOVER_EVERY_BEATS = 10
const COMPLETE_SOON_MS = 10

interface Active {
  readonly job: FetchedJob
  segment?: Segment
}

/** Takes runs off the queue and carries them on, as many at a time as it has room for. */
export class Worker {
  readonly id = `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`
  readonly #parts: WorkerParts
  readonly #concurrency: number
  readonly #limits: ToolLimits
  readonly #drainMs: number
  readonly #writer: JournalWriter
  readonly #retention: RunRetention
  readonly #active = new Map<string, Active>()
  #done: string[] = []
  #completing: NodeJS.Timeout | undefined
  #poke: () => void = () => {}
  #isStopping = false
  #loop: Promise<void> | undefined
  #beat: NodeJS.Timeout | undefined
  #beats = 0
  #stopListening: (() => void) | undefined
  #onIdle: (() => void) | undefined

  constructor(parts: WorkerParts) {
    checkOptionNames(parts.options, ['concurrency', 'limits', 'drain', 'retention'], 'The options of a worker')
    const { concurrency = 20, limits = {}, drain = '30s' } = parts.options
    if (!Number.isInteger(concurrency) || concurrency < 1)
      throw new ConfigurationError(
        'invalid_option',
        `The concurrency of a worker must be a whole number from 1 on, not ${String(concurrency)}.`,
      )
    checkLimits(limits)
    this.#parts = parts
    this.#concurrency = concurrency
    this.#limits = limits
    this.#drainMs = toMilliseconds(drain, 'The drain of a worker')
    this.#retention = new RunRetention(parts.context, parts.options.retention)
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

  /** Runs under way. */
  get size(): number {
    return this.#active.size
  }

  async start(): Promise<void> {
    await this.#announce()
    this.#stopListening = this.#parts.notices.on((kind, subject) => {
      if (kind === 'queued') this.#poke()
      else if (kind === 'woken') this.#lookNow([subject])
      else if (kind === 'reconnected') {
        this.#poke()
        this.#lookNow([...this.#active.keys()])
      }
    })
    // Keeps the process alive, also while the database is away.
    this.#beat = setInterval(() => void this.#onBeat(), BEAT_MS)
    this.#loop = this.#work()
  }

  /** Takes no more; what is under way may end, or come to where it can be put away; the rest is left to other workers. */
  async stop(): Promise<void> {
    if (this.#isStopping) return
    this.#isStopping = true
    this.#stopListening?.()
    this.#poke()
    await this.#loop
    for (const { segment } of this.#active.values()) segment?.hurry()
    await this.#idle(this.#drainMs)
    const left = [...this.#active.entries()]
    for (const [, { segment }] of left) segment?.abandon()
    clearInterval(this.#beat)
    await this.#giveBack(left.map(([run]) => run))
    await this.#idle(1000)
    clearTimeout(this.#completing)
    await this.#completeNow()
    await Promise.race([this.#writer.idle(), new Promise((resolve) => setTimeout(resolve, 1000))])
    this.#writer.close()
    await this.#parts.context.store.pool.query('DELETE FROM toolwright.worker WHERE id = $1', [this.id]).catch(() => {})
  }

  async #work(): Promise<void> {
    while (!this.#isStopping) {
      const room = this.#concurrency - this.#active.size
      let poked = false
      const waited = new Promise<void>((resolve) => {
        this.#poke = () => {
          poked = true
          resolve()
        }
      })
      const taken = room > 0 ? await this.#take(room) : 0
      if (taken > 0 || poked) continue
      await this.#pause(waited)
    }
  }

  #pause(waited: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS)
      timer.unref()
      void waited.then(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  async #take(room: number): Promise<number> {
    const { context, warn } = this.#parts
    try {
      const fetched = await context.queue.fetch(room)
      // After a time without the database, or a machine that was asleep: what is still under way here goes on, and is not begun again.
      const jobs = fetched.filter(({ id, run }) => this.#active.get(run)?.job.id !== id)
      if (jobs.length === 0) return 0
      const runs = await takeJobs(context, { jobs, worker: this.id, limits: this.#limits })
      const claimed = new Map(runs.map((run) => [`${run.id} ${run.ticket}`, run]))
      for (const job of jobs) {
        const run = claimed.get(`${job.run} ${job.ticket}`)
        claimed.delete(`${job.run} ${job.ticket}`)
        if (run === undefined) this.#complete(job)
        else void this.#carry(run, job)
      }
      return runs.length
    } catch (error) {
      warn(`Runs could not be taken off the queue; trying again: ${(error as Error).message}`)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS / 4))
      return 0
    }
  }

  async #carry(run: ClaimedRun, job: FetchedJob): Promise<void> {
    const { context, warn, onSegment } = this.#parts
    const active: Active = { job }
    this.#active.set(run.id, active)
    onSegment?.({ run: run.id, tool: run.tool, state: 'taken' })
    try {
      const wakeAt = await runSegment({ ...this.#parts, run, worker: this.id, writer: this.#writer }, (segment) => {
        active.segment = segment
      })
      if (wakeAt !== undefined) this.#wakeUp(wakeAt)
      this.#complete(job)
    } catch (error) {
      // The job stays: it may be the one by which somebody else has the run now, or the one by which the run is taken up again.
      if (!(error instanceof Fenced)) warn(`The run '${run.id}' could not be carried on here: ${(error as Error).message}`)
    }
    // The run may be under way here again, under a later ticket.
    if (this.#active.get(run.id) === active) this.#active.delete(run.id)
    onSegment?.({ run: run.id, tool: run.tool, state: 'left' })
    if (this.#limits[run.tool] !== undefined) await releaseHeldBack(context, run.tool, 1).catch(() => {})
    this.#poke()
    if (this.#active.size === 0) this.#onIdle?.()
  }

  /** The queue is asked again when the time has come, and not only at the next look. */
  #wakeUp(at: number): void {
    const ms = at - Date.now()
    if (ms < 60_000) setTimeout(() => this.#poke(), Math.max(0, ms) + 5).unref()
  }

  #complete({ id }: FetchedJob): void {
    this.#done.push(id)
    this.#completing ??= setTimeout(() => void this.#completeNow(), COMPLETE_SOON_MS)
  }

  /** A job that stays is found to be stale, or done already, by whoever takes it. */
  async #completeNow(): Promise<void> {
    this.#completing = undefined
    const done = this.#done
    this.#done = []
    const { queue, reach } = this.#parts.context
    await queue.complete(done).catch(() => {})
    if (done.length > 0) reach('job.completed')
  }

  async #onBeat(): Promise<void> {
    const { context, warn } = this.#parts
    const runs = [...this.#active.keys()]
    try {
      await context.queue.touch([...this.#active.values()].map(({ job }) => job.id))
      if (this.#beats++ % RECOVER_EVERY_BEATS === 0) {
        await this.#announce()
        await recoverRuns(context, Object.keys(this.#limits))
        await this.#parts.sweep?.()
        await this.#retention.onBeat()
      }
      await this.#look(runs)
    } catch (error) {
      warn(`The database did not hear from the worker: ${(error as Error).message}`)
    }
  }

  /** What is not seen now is seen at the next beat. */
  #lookNow(ids: readonly string[]): void {
    this.#look(ids).catch(() => {})
  }

  /** Brings what was decided or cancelled to the runs that are under way here, and drops those that are somebody else's by now. */
  async #look(ids: readonly string[]): Promise<void> {
    const segments = ids.flatMap((id) => this.#active.get(id)?.segment ?? [])
    if (segments.length === 0) return
    const { store, values } = this.#parts.context
    const { rows: runs } = await store.pool.query<{ id: string; epoch: number; cancel: string | null }>(
      'SELECT id, epoch, cancel FROM toolwright.run WHERE id = ANY($1::text[])',
      [segments.map(({ run }) => run.id)],
    )
    const current = new Map(runs.map((run) => [run.id, run]))
    const requests = segments.flatMap(({ openRequests }) => openRequests)
    const { rows: decided } =
      requests.length === 0
        ? { rows: [] }
        : await store.pool.query<{ id: string; run: string; decision: string }>(
            "SELECT id, run, decision FROM toolwright.approval WHERE id = ANY($1::text[]) AND status = 'decided'",
            [requests],
          )
    for (const segment of segments) {
      const run = current.get(segment.run.id)
      if (run?.epoch !== segment.run.epoch) segment.abandon()
      else if (run.cancel !== null) segment.cancel((JSON.parse(run.cancel) as { readonly reason?: string }).reason)
    }
    for (const { id, run, decision } of decided)
      this.#active.get(run)?.segment?.deliver(id, values.unseal(decision) as unknown as ReviewDecision)
  }

  async #announce(): Promise<void> {
    const tools = await this.#parts.tools()
    await this.#parts.context.store.pool.query(
      `INSERT INTO toolwright.worker (id, host, pid, tools) VALUES ($1, $2, $3, $4)
       ON CONFLICT (id) DO UPDATE SET seen_at = now(), tools = excluded.tools`,
      [this.id, hostname(), process.pid, [...tools.keys()]],
    )
  }

  /** What could not be brought to an end here is queued at once, and not only when the silence is noticed. */
  async #giveBack(runs: readonly string[]): Promise<void> {
    const { context } = this.#parts
    for (const run of runs) await requeue(context, run, this.id).catch(() => {})
  }

  #idle(ms: number): Promise<void> {
    if (this.#active.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#onIdle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

async function requeue(context: RunsContext, id: string, worker: string): Promise<void> {
  await context.store.transaction(async (client) => {
    const { rowCount } = await client.query(
      "UPDATE toolwright.run SET epoch = epoch + 1, fruitless = 0 WHERE id = $1 AND worker = $2 AND status = 'running'",
      [id, worker],
    )
    const run = rowCount === 1 ? await lockRun(client, id) : undefined
    if (run !== undefined) await queueRun(context, client, run)
  })
}
