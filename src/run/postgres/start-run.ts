import type { Store } from '../../store/store.ts'
import type { NewRun, Started } from '../store/run-queue.ts'
import { CHANGED, NOTIFY_QUEUED, SEND_JOBS, TELL_QUEUED } from './queue-runs.ts'

const START_RUN = `
WITH changed AS (
  INSERT INTO toolwright.run (id, key, tool, version, plan, input, input_hash, options, time_left_ms, wake_at, status, job)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, CASE WHEN $10::timestamptz > now() THEN $10 END, 'queued', gen_random_uuid())
  ON CONFLICT (key) DO NOTHING RETURNING ${CHANGED}
), ${TELL_QUEUED}, ${SEND_JOBS}
${NOTIFY_QUEUED}`

export async function startRun({ pool }: Store, run: NewRun): Promise<Started> {
  const { id, key, tool, version, plan, input, inputHash, options, timeLeftMs, startAt } = run
  const values = [id, key, tool, version, plan, input, inputHash, options, timeLeftMs, startAt]
  const { rowCount } = await pool.query({ name: 'toolwright.start', text: START_RUN, values })
  if (rowCount !== 0) return { outcome: 'started' }
  const { rows } = await pool.query<{ id: string; tool: string; input_hash: string }>(
    'SELECT id, tool, input_hash FROM toolwright.run WHERE key = $1',
    [key],
  )
  const [row] = rows
  return { outcome: 'taken', by: row === undefined ? undefined : { id: row.id, tool: row.tool, inputHash: row.input_hash } }
}
