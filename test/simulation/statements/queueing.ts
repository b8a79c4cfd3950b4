import type { JobRow, RunRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'

/** What is the same in the texts of all statements that queue runs. */
export const AS_QUEUED =
  "status = 'queued', ticket = ticket + 1, job = gen_random_uuid(), why = NULL, worker = NULL, held_back = false, ended_at = NULL"

export const CHANGED = 'id, tool, ticket, job, wake_at'

export const SEND_JOBS = `jobs AS (
  INSERT INTO toolwright_queue.job (id, name, data, start_after, keep_until, retry_limit, retry_delay, expire_seconds, deletion_seconds, policy, heartbeat_seconds)
  SELECT c.job, q.name, jsonb_build_object('run', c.id, 'tool', c.tool, 'ticket', c.ticket), coalesce(c.wake_at, now()), 'infinity',
    q.retry_limit, q.retry_delay, q.expire_seconds, q.deletion_seconds, q.policy, q.heartbeat_seconds
  FROM changed c JOIN toolwright_queue.queue q ON q.name = 'segment'
)`

export const TELL_QUEUED = `told AS (
  INSERT INTO toolwright.event (run, type, data) SELECT id, 'status', '{"status":"queued"}' FROM changed
)`

export const NOTIFY_QUEUED = "SELECT id, CASE WHEN wake_at IS NULL THEN pg_notify('toolwright', 'queued')::text END AS told FROM changed"

export function queueing(changes: string): string {
  return `WITH changed AS ( ${changes} RETURNING ${CHANGED} ), ${TELL_QUEUED}, ${SEND_JOBS} ${NOTIFY_QUEUED}`
}

/** Columns that a statement sets of the runs that it queues, beside those that all of them set. */
export type QueuedColumns = Partial<RunRow> & Pick<RunRow, 'wake_at'>

/** Queues a run under a new ticket, with the job by which it is taken up. */
export function asQueued(on: Transaction, run: RunRow, columns: QueuedColumns): RunRow {
  const row: RunRow = {
    ...{ ...run, status: 'queued', ticket: run.ticket + 1, job: on.database.nextJob(), why: null, worker: null },
    ...{ held_back: false, ended_at: null, ...columns },
  }
  on.put('run', run.id, row)
  sendJob(on, row)
  return row
}

/** The job of a run that was queued or put away until a time. */
export function sendJob(on: Transaction, { id: run, tool, ticket, job: id, wake_at }: RunRow): void {
  if (id === null) throw new Error('A run that is queued names its job.')
  const job: JobRow = { id, run, tool, ticket, startAt: wake_at ?? on.now, state: 'created', attempt: 0, isBegun: false, heartbeat: null }
  on.put('job', id, job)
}

export function tellQueued(on: Transaction, run: string): void {
  on.tell(run, 'status', '{"status":"queued"}')
}

/** What `queueing` does with each run that its statement changes. */
export function queueRuns(on: Transaction, runs: readonly RunRow[], columns: (run: RunRow) => QueuedColumns): readonly object[] {
  return runs.map((run) => {
    const { id, wake_at: wakeAt } = asQueued(on, run, columns(run))
    tellQueued(on, id)
    if (wakeAt === null) on.notify('queued')
    return { id, told: wakeAt === null ? '' : null }
  })
}
