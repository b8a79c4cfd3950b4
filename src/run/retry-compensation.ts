import type { ClientBase } from 'pg'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { retryPath, undoingOf } from '../tool/journal/undoing.ts'
import { AS_QUEUED, queueing } from './postgres/queue-runs.ts'
import { allows, type RunStatus } from './state/run-state.ts'
import type { RunsContext } from './runs-context.ts'
import { storedPath } from './postgres/stored-path.ts'
import { unknownRun } from './run-errors.ts'

const DECISIONS = "SELECT coalesce(full_path, path) AS path, data FROM toolwright.entry WHERE run = $1 AND kind = 'decision'"

const WRITE_RETRY = `
INSERT INTO toolwright.entry (run, path, full_path, kind, data, begun_no, ended_no, begun_at, ended_at)
VALUES ($1, $2, $3, 'decision', $4, nextval('toolwright.moment'), nextval('toolwright.moment'), now(), now())`

const RETRY = queueing(`  UPDATE toolwright.run SET ${AS_QUEUED}, wake_at = NULL, result = NULL, cancel = NULL, deaths = 0 WHERE id = $1`)

/** Every tool of the run that could not undo all of its steps gets another round. */
export async function retryCompensation(context: RunsContext, id: string, by?: string): Promise<void> {
  const { values } = context
  await context.store.transaction(async (client) => {
    const status = await lockedStatus(client, id)
    const { rows } = await client.query<{ path: string; data: string }>(DECISIONS, [id])
    const failed = rows.filter(({ path, data }) => undoingOf({ path, value: values.unseal(data) })?.state === 'compensation_failed')
    const paths = new Set(rows.map(({ path }) => path))
    if (failed.length === 0 || !allows('retryCompensation', status))
      throw new ConfigurationError('run_not_open', `The run '${id}' has no saga whose compensation failed; there is nothing to try again.`)
    for (const { path } of failed) {
      let round = 1
      while (paths.has(retryPath(path, round))) round++
      const next = storedPath(retryPath(path, round))
      await client.query(WRITE_RETRY, [id, next.path, next.fullPath, values.seal(by === undefined ? {} : { by })])
    }
    await client.query(RETRY, [id])
  })
}

async function lockedStatus(client: ClientBase, id: string): Promise<RunStatus> {
  const { rows } = await client.query<{ status: RunStatus }>('SELECT status FROM toolwright.run WHERE id = $1 FOR UPDATE', [id])
  if (rows[0] === undefined) throw unknownRun(id)
  return rows[0].status
}
