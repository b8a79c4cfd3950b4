import type { Store } from '../../store/store.ts'
import type { WorkerInfo } from '../store/run-queue.ts'
import { PROMPT } from './time-bounds.ts'

/** Those who have not been heard of for a day are forgotten. */
const ANNOUNCE = `
WITH gone AS (DELETE FROM toolwright.worker WHERE seen_at < now() - interval '1 day' AND id <> $1)
INSERT INTO toolwright.worker (id, host, pid, tools, limited) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (id) DO UPDATE SET seen_at = now(), tools = excluded.tools, limited = excluded.limited`

export async function announce({ pool }: Store, { id, host, pid, tools, limited }: WorkerInfo): Promise<void> {
  await pool.query({ ...PROMPT, text: ANNOUNCE, values: [id, host, pid, tools, limited] })
}

export async function forget({ pool }: Store, worker: string): Promise<void> {
  await pool.query({ ...PROMPT, text: 'DELETE FROM toolwright.worker WHERE id = $1', values: [worker] })
}

const OTHERS = `
SELECT FROM toolwright.worker w JOIN toolwright.run r ON r.id = $2 AND r.tool = ANY(w.tools)
WHERE w.id <> $1 AND NOT w.id = ANY(r.unable) AND w.seen_at > now() - interval '15 seconds' LIMIT 1`

export async function othersMayGoOn({ pool }: Store, run: string, worker: string): Promise<boolean> {
  const { rowCount } = await pool.query({ ...PROMPT, text: OTHERS, values: [worker, run] })
  return rowCount !== 0
}
