import type { FetchedJob, RunQueue, SegmentJob, StartAfter } from '../../src/run/run-queue.ts'
import { BEGINNING, type Scheduler } from './scheduler.ts'
import type { SimulatedPool } from './simulated-pool.ts'
import { QUEUE } from './statements/queue-statements.ts'

interface Querying {
  readonly query: (text: string, values?: unknown[]) => Promise<unknown>
}

/** The queue of segments on the memory database, in place of pg-boss. */
export function simulatedQueue(pool: SimulatedPool, scheduler: Scheduler): RunQueue {
  const queue = {
    send: async (client: Querying, { run, tool, ticket }: SegmentJob, startAfter?: StartAfter): Promise<void> => {
      const now = BEGINNING + scheduler.now
      const startAt = startAfter === undefined ? now : startAfter instanceof Date ? startAfter.getTime() : now + startAfter * 1000
      await client.query(QUEUE.send, [run, tool, ticket, startAt])
      if (startAfter === undefined) await client.query("SELECT pg_notify('toolwright', 'queued')")
    },
    fetch: async (most: number): Promise<readonly FetchedJob[]> => {
      const { rows } = await pool.query(QUEUE.fetch, [most])
      return rows as readonly FetchedJob[]
    },
    complete: async (ids: readonly string[]): Promise<void> => {
      if (ids.length > 0) await pool.query(QUEUE.complete, [ids])
    },
    touch: async (ids: readonly string[]): Promise<void> => {
      if (ids.length > 0) await pool.query(QUEUE.touch, [ids])
    },
    close: async (): Promise<void> => {},
  }
  return queue as unknown as RunQueue
}
