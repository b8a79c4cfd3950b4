import type { Store } from '../../store/store.ts'
import { UNDO_MARK } from '../../tool/journal/undoing.ts'
import { storable } from '../journal/storable.ts'
import { SEND_JOBS, TELL_QUEUED } from './queue-runs.ts'

/**
 * A run that stands still is queued now, also one that was to begin later; one that runs is told. Its requests wait no more, but for those
 * of shielded calls, such as those that undo a step: they go on, and may ask people.
 */
const CANCEL = `
WITH open AS MATERIALIZED (
  SELECT id, status, status IN ('waiting', 'blocked') OR (status = 'queued' AND (held_back OR wake_at IS NOT NULL)) AS stands
  FROM toolwright.run WHERE id = $1 AND ended_at IS NULL FOR UPDATE
), cancelled AS (
  UPDATE toolwright.run r SET cancel = coalesce(r.cancel, $2), status = CASE WHEN o.stands THEN 'queued' ELSE r.status END,
    ticket = r.ticket + o.stands::int, job = CASE WHEN o.stands THEN gen_random_uuid() ELSE r.job END, why = CASE WHEN NOT o.stands THEN r.why END, wake_at = CASE WHEN NOT o.stands THEN r.wake_at END,
    held_back = r.held_back AND NOT o.stands
  FROM open o WHERE r.id = o.id RETURNING r.id, r.tool, r.ticket, r.job, o.stands, o.status AS was
), changed AS (
  SELECT id, tool, ticket, job, NULL::timestamptz AS wake_at FROM cancelled WHERE stands
), withdrawn AS (
  UPDATE toolwright.approval SET status = 'withdrawn', closed_at = now()
  WHERE run = (SELECT id FROM open) AND status = 'open' AND NOT is_shielded AND position('${UNDO_MARK}' IN path) = 0 RETURNING id
), ${TELL_QUEUED}, ${SEND_JOBS}
SELECT CASE WHEN stands THEN pg_notify('toolwright', 'queued')::text WHEN was = 'running' THEN pg_notify('toolwright', 'woken ' || id)::text END AS told
FROM cancelled
UNION ALL SELECT pg_notify('toolwright', 'withdrawn ' || id)::text FROM withdrawn`

export async function cancelRun(store: Store, id: string, cancel: string): Promise<'cancelled' | 'ended' | undefined> {
  const { rowCount } = await store.pool.query(CANCEL, [storable(id), cancel])
  if ((rowCount ?? 0) > 0) return 'cancelled'
  const { rowCount: known } = await store.pool.query('SELECT FROM toolwright.run WHERE id = $1', [storable(id)])
  return known === 0 ? undefined : 'ended'
}
