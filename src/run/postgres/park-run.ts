import type { Store } from '../../store/store.ts'
import type { Parked, Parking } from '../store/run-changes.ts'
import { allowing, SEND_JOBS } from './queue-runs.ts'
import { mayHoldBack, releaseHeldBack } from './release-held-back.ts'
import { PROMPT } from './time-bounds.ts'

/**
 * Holds the run's row, then looks at its requests and holds them too: a row that is held is read as it is now, and not as it was when the
 * statement began. A decision holds the run's row as well: either it is seen here, or it sees a run that waits and queues it.
 * Without a sleep the deadline's clock stands still: only people are waited for. A run that sleeps past its deadline is woken there, unless it
 * knows that its time is up. A time that is past is now.
 */
const PARK = `
WITH mine AS MATERIALIZED (
  SELECT id, cancel, clock_runs_since + time_left_ms * interval '1 ms' AS deadline
  FROM toolwright.run WHERE id = $1 AND epoch = $2 AND status ${allowing('park')} FOR UPDATE
), requests AS MATERIALIZED (
  SELECT id, decision, expires_at FROM toolwright.approval WHERE id = ANY($3::text[]) AND EXISTS (SELECT FROM mine) FOR SHARE
), news AS (
  SELECT (SELECT cancel FROM mine WHERE NOT $6::bool) AS cancel,
    (SELECT json_agg(json_build_object('id', id, 'decision', decision)) FROM requests WHERE decision IS NOT NULL) AS decided
), wake AS (
  SELECT least($5::timestamptz, CASE WHEN $5 IS NOT NULL AND NOT $7::bool THEN (SELECT deadline FROM mine) END, (SELECT min(expires_at) FROM requests)) AS at
), parked AS (
  UPDATE toolwright.run r SET status = 'waiting', worker = NULL, job = CASE WHEN w.at IS NOT NULL THEN gen_random_uuid() END, why = $4, ticket = r.ticket + 1, deaths = 0, unable = '{}',
    wake_at = CASE WHEN w.at IS NOT NULL THEN greatest(w.at, now()) END,
    time_left_ms = CASE WHEN $5 IS NULL AND r.clock_runs_since IS NOT NULL
      THEN greatest(0, r.time_left_ms - 1000 * extract(epoch FROM now() - r.clock_runs_since)) ELSE r.time_left_ms END,
    clock_runs_since = CASE WHEN $5 IS NOT NULL THEN r.clock_runs_since END
  FROM wake w, news n WHERE r.id = (SELECT id FROM mine) AND n.cancel IS NULL AND n.decided IS NULL
  RETURNING r.id, r.tool, r.ticket, r.job, r.wake_at
), changed AS (
  SELECT * FROM parked WHERE wake_at IS NOT NULL
), told AS (
  INSERT INTO toolwright.event (run, type, data) SELECT id, 'status', json_build_object('status', 'waiting', 'why', $4::json) FROM parked
), ${SEND_JOBS}
SELECT EXISTS (SELECT FROM mine) AS mine, EXISTS (SELECT FROM parked) AS parked, (SELECT wake_at FROM parked) AS wake_at, n.cancel, n.decided,
  ${mayHoldBack('(SELECT tool FROM parked)')} AS holds_back
FROM news n`

interface ParkRow {
  readonly mine: boolean
  readonly parked: boolean
  readonly wake_at: Date | null
  readonly cancel: string | null
  readonly decided: string | null
  readonly holds_back: boolean
}

export async function parkRun(store: Store, { claim, open, sleepsUntil, isCancelled, isOutOfTime, why }: Parking): Promise<Parked> {
  const until = sleepsUntil === undefined ? null : new Date(sleepsUntil)
  const { rows } = await store.pool.query<ParkRow>({
    ...PROMPT,
    name: 'toolwright.park',
    text: PARK,
    values: [claim.id, claim.epoch, open, why, until, isCancelled, isOutOfTime],
  })
  const [row] = rows
  if (row?.mine !== true) return { outcome: 'lost' }
  if (row.parked) {
    if (row.holds_back) await releaseHeldBack(store, claim.tool)
    return { outcome: 'parked', wakeAt: row.wake_at?.getTime() }
  }
  const decided = JSON.parse(row.decided ?? '[]') as readonly { readonly id: string; readonly decision: unknown }[]
  return {
    outcome: 'refused',
    decided: decided.map(({ id, decision }) => ({ id, decision: JSON.stringify(decision) })),
    cancel: row.cancel,
  }
}
