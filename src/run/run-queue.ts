import type { ClientBase } from 'pg'
import type { ConstructorOptions, PgBoss } from 'pg-boss'
import { importOptional } from '../tool/import-optional.ts'
import type { Store } from '../store/store.ts'

export const QUEUE_SCHEMA = 'toolwright_queue'
const QUEUE = 'segment'

/** A job says which run is to be taken up, and under which ticket: only the latest ticket of a run counts. */
export interface SegmentJob {
  readonly run: string
  readonly tool: string
  readonly ticket: number
}

export interface FetchedJob extends SegmentJob {
  readonly id: string
}

/** A moment, or seconds from now by the clock of the database. */
export type StartAfter = Date | number

/** How long a worker may be silent before its runs are given to others. */
const HEARTBEAT_SECONDS = 10
const MONITOR_SECONDS = 4
/** pg-boss keeps no job that waits or runs for longer than it is told to. */
const A_DAY_SECONDS = 24 * 60 * 60
const TEN_YEARS_SECONDS = 3650 * A_DAY_SECONDS
const MOST_RETRIES = 1_000_000

/** Timers that no process stays alive for: that is the worker's own to say. */
const IDLE_CLOCK: NonNullable<ConstructorOptions['clock']> = {
  now: () => Date.now(),
  // Short ones are waited for, as when it stops.
  setTimeout: (work, ms) => (ms < 1000 ? setTimeout(work, ms) : setTimeout(work, ms).unref()),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (work, ms) => setInterval(work, ms).unref(),
  clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout),
}
const NO_JOB = '00000000-0000-0000-0000-000000000000'

/** The queue of segments: runs that are to be taken up now or later, by whichever worker is free. */
export class RunQueue {
  readonly #boss: PgBoss

  private constructor(boss: PgBoss) {
    this.#boss = boss
  }

  /** Without supervision, others see to jobs whose worker has died. */
  static async open(store: Store, supervise: boolean, onError: (error: Error) => void): Promise<RunQueue> {
    const { PgBoss } = await importOptional('pg-boss', 'for durable runs', () => import('pg-boss'))
    const boss = new PgBoss({
      db: { executeSql: async (text, values) => store.pool.query(text, values as unknown[]) },
      schema: QUEUE_SCHEMA,
      schedule: false,
      supervise,
      clock: IDLE_CLOCK,
      superviseIntervalSeconds: MONITOR_SECONDS,
      monitorIntervalSeconds: MONITOR_SECONDS,
      reindex: false,
      monitorVacuum: false,
    })
    boss.on('error', onError)
    await oneAtATime(store, async () => {
      await boss.start()
      await boss.createQueue(QUEUE, {
        policy: 'standard',
        heartbeatSeconds: HEARTBEAT_SECONDS,
        expireInSeconds: A_DAY_SECONDS - 60,
        retentionSeconds: TEN_YEARS_SECONDS,
        deleteAfterSeconds: 60,
        retryLimit: MOST_RETRIES,
        retryDelay: 0,
      })
    })
    // Reads the settings of the queue. Else the first send would, over a second connection, while its transaction holds one: ten at once wait for each other.
    await boss.touch(QUEUE, NO_JOB)
    return new RunQueue(boss)
  }

  /** Enqueues as part of a transaction: a job exists exactly when what it follows from does. */
  async send(client: ClientBase, job: SegmentJob, startAfter?: StartAfter): Promise<void> {
    await this.#boss.send(QUEUE, job, {
      db: { executeSql: async (text, values) => client.query(text, values as unknown[]) },
      ...(startAfter === undefined ? {} : { startAfter }),
    })
    if (startAfter === undefined) await client.query("SELECT pg_notify('toolwright', 'queued')")
  }

  async fetch(most: number): Promise<readonly FetchedJob[]> {
    const jobs = await this.#boss.fetch<SegmentJob>(QUEUE, { batchSize: most })
    return jobs.map(({ id, data }) => ({ id, ...data }))
  }

  async complete(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#boss.complete(QUEUE, [...ids])
  }

  /** Says that the jobs are still worked on. */
  async touch(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#boss.touch(QUEUE, [...ids])
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false })
  }
}

/** Two processes that make the queue's tables at the same time would get in each other's way. */
async function oneAtATime(store: Store, work: () => Promise<void>): Promise<void> {
  const client = await store.pool.connect()
  try {
    await client.query("SELECT pg_advisory_lock(hashtextextended('toolwright.queue', 0))")
    await work()
  } finally {
    await client.query("SELECT pg_advisory_unlock(hashtextextended('toolwright.queue', 0))").catch(() => {})
    client.release()
  }
}
