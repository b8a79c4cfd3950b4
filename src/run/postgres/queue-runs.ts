import { type RunTransition, TRANSITIONS } from '../state/run-state.ts'

/** Where the jobs lie. */
export const QUEUE_SCHEMA = 'toolwright_queue'
export const QUEUE = 'segment'

/** The columns of a run that is queued. The ticket is new: jobs that were sent before mean nothing any more. */
export const AS_QUEUED = `status = 'queued', ticket = ticket + 1, job = gen_random_uuid(), why = NULL, worker = NULL, held_back = false, ended_at = NULL`

/** What a statement that queues runs gives of them, under the name `changed`. */
export const CHANGED = 'id, tool, ticket, job, wake_at'

/** Sends the jobs of the runs in `changed`, in the statement that changed them: a job exists exactly when what it follows from does. */
export const SEND_JOBS = `jobs AS (
  INSERT INTO ${QUEUE_SCHEMA}.job (id, name, data, start_after, keep_until, retry_limit, retry_delay, expire_seconds, deletion_seconds, policy, heartbeat_seconds)
  SELECT c.job, q.name, jsonb_build_object('run', c.id, 'tool', c.tool, 'ticket', c.ticket), coalesce(c.wake_at, now()), 'infinity',
    q.retry_limit, q.retry_delay, q.expire_seconds, q.deletion_seconds, q.policy, q.heartbeat_seconds
  FROM changed c JOIN ${QUEUE_SCHEMA}.queue q ON q.name = '${QUEUE}'
)`

/** Tells those who follow the runs in `changed`. */
export const TELL_QUEUED = `told AS (
  INSERT INTO toolwright.event (run, type, data) SELECT id, 'status', '{"status":"queued"}' FROM changed
)`

/** Tells the workers, unless all of the runs in `changed` are for later. */
export const NOTIFY_QUEUED = `SELECT id, CASE WHEN wake_at IS NULL THEN pg_notify('toolwright', 'queued')::text END AS told FROM changed`

/** Queues the runs that the given statement changes and returns. */
export function queueing(changes: string): string {
  return `
WITH changed AS (
${changes}
  RETURNING ${CHANGED}
), ${TELL_QUEUED}, ${SEND_JOBS}
${NOTIFY_QUEUED}`
}

/** The condition on a status under which a transition may happen: `IN ('queued', 'waiting')`. */
export function allowing(transition: RunTransition): string {
  const [first, ...more] = TRANSITIONS[transition].from.map((status) => `'${status}'`)
  return more.length === 0 ? `= ${first}` : `IN (${[first, ...more].join(', ')})`
}
