import type { ClientBase } from 'pg'
import type { StartAfter } from './run-queue.ts'
import type { RunsContext } from './runs-context.ts'
import type { RunStatus } from './run-status.ts'

export interface LockedRun {
  readonly id: string
  readonly tool: string
  readonly status: RunStatus
  readonly epoch: number
  readonly ticket: number
}

/** Holds the run's row for the rest of the transaction; whoever changes a run holds it first. */
export async function lockRun(client: ClientBase, id: string): Promise<LockedRun | undefined> {
  const { rows } = await client.query<LockedRun>('SELECT id, tool, status, epoch, ticket FROM toolwright.run WHERE id = $1 FOR UPDATE', [
    id,
  ])
  return rows[0]
}

/** Lets something new reach a run: one that stands still is queued, one that runs is told. */
export async function wakeRun(context: RunsContext, client: ClientBase, run: LockedRun): Promise<void> {
  if (run.status === 'waiting') await queueRun(context, client, run)
  else if (run.status === 'running') await client.query("SELECT pg_notify('toolwright', $1)", [`woken ${run.id}`])
}

/** Queues a run under a new ticket: jobs that were sent before mean nothing any more. */
export async function queueRun(context: RunsContext, client: ClientBase, run: LockedRun, startAfter?: StartAfter): Promise<void> {
  const ticket = run.ticket + 1
  await client.query(
    "UPDATE toolwright.run SET status = 'queued', ticket = $2, why = NULL, wake_at = NULL, worker = NULL, held_back = false, ended_at = NULL WHERE id = $1",
    [run.id, ticket],
  )
  await client.query(`INSERT INTO toolwright.event (run, type, data) VALUES ($1, 'status', '{"status":"queued"}')`, [run.id])
  await context.queue.send(client, { run: run.id, tool: run.tool, ticket }, startAfter)
}
