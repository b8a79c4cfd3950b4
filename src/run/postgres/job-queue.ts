import type { ConstructorOptions, PgBoss } from 'pg-boss'
import { type CancelTimer, systemClock } from '../../tool/ports/clock.ts'
import type { AppStore } from '../../store/app-store.ts'
import type { Store } from '../../store/store.ts'
import { every, goneAmong, idleTimer, pause, within } from '../host.ts'
import type { FetchedJob } from '../store/run-queue.ts'
import { loadQueue } from './load-queue.ts'
import { PROMPT } from './time-bounds.ts'
import { QUEUE, QUEUE_SCHEMA } from './queue-runs.ts'
import { USUAL_TIMINGS } from '../worker/worker-options.ts'

type SegmentJob = Pick<FetchedJob, 'run' | 'tool' | 'ticket'>

const MONITOR_SECONDS = 4
const MAINTENANCE_SECONDS = 60
/** pg-boss keeps no job that waits or runs for longer than it is told to. */
const A_DAY_SECONDS = 24 * 60 * 60
const TEN_YEARS_SECONDS = 3650 * A_DAY_SECONDS
const MOST_RETRIES = 1_000_000
/** Between two looks for jobs whose holder is no more. */
const LOOK_EVERY_MS = 1000
/** A queue whose database hangs is left, not closed. */
const CLOSE_MS = 1000

/** Timers that no process stays alive for: that is the worker's own to say. Short ones are waited for, as when the queue stops. */
const IDLE_CLOCK: NonNullable<ConstructorOptions['clock']> = {
  now: systemClock.now,
  setTimeout: (work, ms) => (ms < 1000 ? systemClock.timer(ms, work) : idleTimer(ms, work)),
  clearTimeout: (timer) => (timer as CancelTimer | undefined)?.(),
  setInterval: (work, ms) => every({ timer: idleTimer }, ms, work),
  clearInterval: (timer) => (timer as CancelTimer | undefined)?.(),
}

const HELD = `unnest($1::uuid[], $2::int[]) AS held (id, attempt)
WHERE j.name = '${QUEUE}' AND j.id = held.id AND j.retry_count = held.attempt AND j.state = 'active'`

/** A job that is worked on for days does not expire. */
const TOUCH_JOBS = `
UPDATE ${QUEUE_SCHEMA}.job j SET heartbeat_on = now(),
  started_on = CASE WHEN j.started_on < now() - interval '1 hour' THEN now() ELSE j.started_on END
FROM ${HELD} RETURNING j.id`

const LEAVE_JOBS = `UPDATE ${QUEUE_SCHEMA}.job j SET state = 'retry', heartbeat_on = NULL FROM ${HELD}`

/**
 * Lets others fetch jobs whose holder was silent for too long: the next fetch raises their attempt. A job that somebody changes right now is
 * left alone: a worker that stopped inside a transaction must not hold up the others.
 */
const LEAVE_SILENT = `
UPDATE ${QUEUE_SCHEMA}.job SET state = 'retry', heartbeat_on = NULL
WHERE name = '${QUEUE}' AND id IN (
  SELECT id FROM ${QUEUE_SCHEMA}.job
  WHERE name = '${QUEUE}' AND state = 'active' AND heartbeat_on < now() - interval '${USUAL_TIMINGS.leaseMs} milliseconds'
  FOR UPDATE SKIP LOCKED
)`

const HOLDERS = "SELECT DISTINCT worker FROM toolwright.run WHERE ended_at IS NULL AND status = 'running' AND worker IS NOT NULL"

/**
 * The claim of the next holder raises the epoch of the run: whatever the last one has still under way is refused from then on.
 * A job that was fetched again since is not the dead worker's any more, though the run names it until the next claim: hence the attempt. And the
 * row of the run is locked, so that a claim that is being made is either waited for by the next look or seen by this one.
 */
const LEAVE_OF_GONE = `
UPDATE ${QUEUE_SCHEMA}.job SET state = 'retry', heartbeat_on = NULL
WHERE name = '${QUEUE}' AND id IN (
  SELECT j.id FROM ${QUEUE_SCHEMA}.job j JOIN toolwright.run r ON r.job = j.id AND r.job_attempt = j.retry_count
  WHERE j.name = '${QUEUE}' AND j.state = 'active' AND r.ended_at IS NULL AND r.status = 'running' AND r.worker = ANY($1::text[])
  FOR UPDATE OF j, r SKIP LOCKED
)`

const DELETE_JOBS = `DELETE FROM ${QUEUE_SCHEMA}.job j USING ${HELD}`

/** The queue of segments: runs that are to be taken up now or later, by whichever worker is free. */
export class JobQueue {
  readonly #boss: PgBoss
  readonly #store: Store
  #fetchText: string | undefined
  #lookedAt = -Infinity

  private constructor(boss: PgBoss, store: Store) {
    this.#boss = boss
    this.#store = store
  }

  /** Without supervision, others see to jobs whose worker has died. */
  static async open(store: AppStore, supervise: boolean, onError: (error: Error) => void): Promise<JobQueue> {
    const { PgBoss } = await loadQueue()
    const boss = new PgBoss({
      db: { executeSql: async (text, values) => store.pool.query(text, values as unknown[]) },
      schema: store.schemas.queue,
      schedule: false,
      supervise,
      clock: IDLE_CLOCK,
      superviseIntervalSeconds: MONITOR_SECONDS,
      monitorIntervalSeconds: MONITOR_SECONDS,
      maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
      reindex: false,
      monitorVacuum: false,
    })
    boss.on('error', onError)
    await oneAtATime(store, async () => {
      await boss.start()
      await boss.createQueue(QUEUE, {
        policy: 'standard',
        heartbeatSeconds: USUAL_TIMINGS.leaseMs / 1000,
        expireInSeconds: A_DAY_SECONDS - 60,
        retentionSeconds: TEN_YEARS_SECONDS,
        deleteAfterSeconds: MAINTENANCE_SECONDS,
        retryLimit: MOST_RETRIES,
        retryDelay: 0,
      })
    })
    return new JobQueue(boss, store)
  }

  async fetch(most: number): Promise<readonly FetchedJob[]> {
    await this.#leaveLost()
    const db = {
      executeSql: async (text: string, values?: unknown[]) =>
        this.#store.pool.query({ ...PROMPT, name: this.#nameOf(text), text, values: values ?? [] }),
    }
    const jobs = await this.#boss.fetch<SegmentJob>(QUEUE, { batchSize: most, db })
    return jobs.map(({ id, data, retryCount }) => ({ id, attempt: retryCount, ...data }))
  }

  /**
   * The supervision of the queue looks for silent holders too, but first when a process has lived for some seconds: processes that are killed
   * sooner would never find the runs that others have left. A holder that ran here and is no more need not be waited for.
   */
  async #leaveLost(): Promise<void> {
    const now = systemClock.tick()
    if (now - this.#lookedAt < LOOK_EVERY_MS) return
    this.#lookedAt = now
    const { pool } = this.#store
    await pool.query({ ...PROMPT, text: LEAVE_SILENT })
    const { rows } = await pool.query<{ readonly worker: string }>({ ...PROMPT, text: HOLDERS })
    const gone = goneAmong(rows.map(({ worker }) => worker))
    if (gone.length > 0) await pool.query({ ...PROMPT, text: LEAVE_OF_GONE, values: [gone] })
  }

  /** A statement with a name is planned once for a connection. The queue asks for jobs by one text; another one has no name. */
  #nameOf(text: string): string | undefined {
    this.#fetchText ??= text
    return text === this.#fetchText ? 'toolwright.fetch' : undefined
  }

  /** Removes jobs that are done. One that was given to somebody else meanwhile stays. */
  async complete(jobs: readonly FetchedJob[]): Promise<void> {
    if (jobs.length > 0) await this.#store.pool.query({ ...PROMPT, name: 'toolwright.complete', text: DELETE_JOBS, values: held(jobs) })
  }

  /** Says that the jobs are still worked on, and gives the ids of those that are still the caller's. */
  async touch(jobs: readonly FetchedJob[]): Promise<ReadonlySet<string>> {
    if (jobs.length === 0) return new Set()
    const { rows } = await this.#store.pool.query<{ id: string }>({
      ...PROMPT,
      name: 'toolwright.touch',
      text: TOUCH_JOBS,
      values: held(jobs),
    })
    return new Set(rows.map(({ id }) => id))
  }

  /** Lets others fetch jobs that were fetched and not begun. */
  async leave(jobs: readonly FetchedJob[]): Promise<void> {
    if (jobs.length > 0) await this.#store.pool.query({ ...PROMPT, text: LEAVE_JOBS, values: held(jobs) })
  }

  async close(): Promise<void> {
    await within(systemClock, this.#boss.stop({ graceful: false }), CLOSE_MS)
  }
}

function held(jobs: readonly FetchedJob[]): [ids: string[], attempts: number[]] {
  return [jobs.map(({ id }) => id), jobs.map(({ attempt }) => attempt)]
}

const LOCK_AGAIN_MS = 50

/** Two processes that make the queue's tables at the same time would get in each other's way. */
async function oneAtATime(store: Store, work: () => Promise<void>): Promise<void> {
  const client = await store.pool.connect()
  const [lock, unlock] = ['pg_try_advisory_lock', 'pg_advisory_unlock'].map(
    (name) => `SELECT ${name}(hashtextextended('toolwright.queue', 0)) AS done`,
  ) as [string, string]
  try {
    while ((await client.query<{ done: boolean }>(lock)).rows[0]?.done !== true) await pause(systemClock, LOCK_AGAIN_MS)
    await work()
  } finally {
    await client.query(unlock).catch(() => {})
    client.release()
  }
}
