import type { JsonData } from '../../tool/journal/codec.ts'
import type { ReviewDecision } from '../../tool/review.ts'
import { reasonOfCancel } from '../cancel-run.ts'
import type { ClaimedRun } from './claimed-run.ts'
import { PROMPT } from './time-bounds.ts'
import { SEND_JOBS } from './queue-runs.ts'
import { mayHoldBack } from './release-held-back.ts'
import type { RunsContext } from '../runs-context.ts'

export interface Parking {
  readonly run: ClaimedRun
  /** The requests that the run waits for, as far as it knows. */
  readonly open: readonly string[]
  /** When the next sleep is over, by the clock of the database. */
  readonly sleepsUntil: number | undefined
  /** It knows that it is cancelled, and waits all the same: for what is being undone. */
  readonly isCancelled: boolean
}

export type Parked =
  | { readonly outcome: 'parked'; readonly wakeAt: number | undefined; readonly holdsBack: boolean }
  | { readonly outcome: 'lost' }
  | {
      readonly outcome: 'refused'
      readonly decided: readonly { readonly id: string; readonly decision: ReviewDecision }[]
      readonly cancel: { readonly reason?: string | undefined } | undefined
    }

/**
 * Holds the run's row, then looks at its requests and holds them too: a row that is held is read as it is now, and not as it was when the
 * statement began. Whoever decides holds the run's row as well, and so either is seen here, or sees a run that waits and queues it.
 * Without a sleep the deadline's clock stands still: only people are waited for. A run that sleeps past its deadline ends there. A time that
 * is past is now.
 */
const PARK = `
WITH mine AS MATERIALIZED (
  SELECT id, cancel, clock_runs_since + time_left_ms * interval '1 ms' AS deadline
  FROM toolwright.run WHERE id = $1 AND epoch = $2 AND status = 'running' FOR UPDATE
), requests AS MATERIALIZED (
  SELECT id, decision, expires_at FROM toolwright.approval WHERE id = ANY($3::text[]) AND EXISTS (SELECT FROM mine) FOR SHARE
), news AS (
  SELECT (SELECT cancel FROM mine WHERE NOT $6::bool) AS cancel,
    (SELECT json_agg(json_build_object('id', id, 'decision', decision)) FROM requests WHERE decision IS NOT NULL) AS decided
), wake AS (
  SELECT least($5::timestamptz, CASE WHEN $5 IS NOT NULL THEN (SELECT deadline FROM mine) END, (SELECT min(expires_at) FROM requests)) AS at
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

/** Puts a run away, unless something was decided meanwhile. */
export async function parkRun(context: RunsContext, parking: Parking): Promise<Parked> {
  context.reach('run.parking')
  const { store, values } = context
  const { run, open, sleepsUntil, isCancelled } = parking
  const until = sleepsUntil === undefined ? null : new Date(sleepsUntil)
  const { rows } = await store.pool.query<ParkRow>({
    ...PROMPT,
    name: 'toolwright.park',
    text: PARK,
    values: [run.id, run.epoch, open, values.sealReason(waitsFor(parking)), until, isCancelled],
  })
  const [row] = rows
  if (row?.mine !== true) return { outcome: 'lost' }
  if (row.parked) {
    context.reach('run.parked')
    return { outcome: 'parked', wakeAt: row.wake_at?.getTime(), holdsBack: row.holds_back }
  }
  const decided = JSON.parse(row.decided ?? '[]') as readonly { readonly id: string; readonly decision: JsonData }[]
  return {
    outcome: 'refused',
    decided: decided.map(({ id, decision }) => ({
      id,
      decision: values.unseal(JSON.stringify(decision)) as unknown as ReviewDecision,
    })),
    cancel: row.cancel === null ? undefined : { reason: reasonOfCancel(context, row.cancel) },
  }
}

function waitsFor({ open, sleepsUntil }: Parking): { readonly code: string; readonly message: string } {
  const people = open.length === 1 ? 'a person' : `${open.length} people`
  const time = sleepsUntil === undefined ? '' : `the time ${new Date(sleepsUntil).toISOString()}`
  const message = [open.length > 0 ? people : '', time].filter((each) => each !== '').join(' and ')
  return { code: open.length > 0 ? 'person' : 'time', message: `It waits for ${message}.` }
}
