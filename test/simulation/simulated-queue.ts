import { JobQueue } from '../../src/run/postgres/job-queue.ts'
import type { Store } from '../../src/store/store.ts'
import { FETCH } from './statements/queue-statements.ts'

interface Querying {
  readonly executeSql: (text: string, values: readonly unknown[]) => Promise<{ readonly rows: readonly FetchedRow[] }>
}

interface FetchedRow {
  readonly id: string
  readonly attempt: number
  readonly run: string
  readonly tool: string
  readonly ticket: number
}

/** The one thing that the queue asks of pg-boss while it is open. */
const BOSS = {
  fetch: async (_queue: string, { batchSize, db }: { readonly batchSize: number; readonly db: Querying }): Promise<readonly object[]> => {
    const { rows } = await db.executeSql(FETCH, [batchSize])
    return rows.map(({ id, attempt: retryCount, ...data }) => ({ id, retryCount, data }))
  },
}

type OpenQueue = new (boss: typeof BOSS, store: Store) => JobQueue

/** The queue of segments on the memory database: all but the fetch of jobs is the product's own. */
export function simulatedQueue(store: Store): JobQueue {
  return new (JobQueue as unknown as OpenQueue)(BOSS, store)
}
