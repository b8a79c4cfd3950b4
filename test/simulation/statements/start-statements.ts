import type { Transaction } from '../transaction.ts'
import { CHANGED, NOTIFY_QUEUED, SEND_JOBS, sendJob, TELL_QUEUED, tellQueued } from './queueing.ts'
import type { Parameters, Statement } from './statement.ts'

/** Runs as they are started. */
export const startStatements: readonly Statement[] = [
  {
    name: 'start',
    text: `WITH changed AS (
      INSERT INTO toolwright.run (id, key, tool, version, plan, input, input_hash, options, time_left_ms, wake_at, status, job)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, CASE WHEN $10::timestamptz > now() THEN $10 END, 'queued', gen_random_uuid())
      ON CONFLICT (key) DO NOTHING RETURNING ${CHANGED}
    ), ${TELL_QUEUED}, ${SEND_JOBS} ${NOTIFY_QUEUED}`,
    // Who inserts the same key waits for whoever did so first.
    locks: ([, key]) => ({ mode: 'exclusive', rows: typeof key === 'string' ? [`run key ${key}`] : [] }),
    run: insertRun,
  },
  {
    name: 'find by key',
    text: 'SELECT id, tool, input_hash FROM toolwright.run WHERE key = $1',
    run: (on, [key]) => on.all('run').filter((run) => run.key === key),
  },
]

function insertRun(on: Transaction, given: Parameters): readonly object[] {
  const [id, key, tool, version, plan, input, inputHash, options] = given as [string, string | null, ...string[]]
  const [timeLeftMs, startAt] = given.slice(8) as [number | null, Date | null | undefined]
  if (key !== null && on.all('run').some((run) => run.key === key)) return []
  const wakeAt = startAt instanceof Date && startAt.getTime() > on.now ? startAt.getTime() : null
  const run = {
    ...{ id, key, tool: tool as string, version: version as string, plan: plan as string, input: input as string },
    ...{
      input_hash: inputHash as string,
      options: options as string,
      time_left_ms: timeLeftMs,
      job: on.database.nextJob(),
      job_attempt: null,
    },
    ...{ status: 'queued', why: null, epoch: 0, ticket: 0, worker: null, unable: [], deaths: 0, entries_seen: 0, held_back: false },
    ...{ wake_at: wakeAt, clock_runs_since: null, cancel: null, result: null, created_at: on.now, started_at: null, ended_at: null },
  }
  on.put('run', id, run)
  tellQueued(on, id)
  sendJob(on, run)
  if (wakeAt === null) on.notify('queued')
  return [{ id, told: wakeAt === null ? '' : null }]
}
