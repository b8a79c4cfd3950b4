import type { ClientBase } from 'pg'
import type { JsonData } from '../tool/journal/codec.ts'
import type { ReviewDecision } from '../tool/review.ts'
import type { ClaimedRun } from './claimed-run.ts'
import type { RunsContext } from './runs-context.ts'

export interface Parking {
  readonly run: ClaimedRun
  /** The requests that the run waits for, as far as it knows. */
  readonly open: readonly string[]
  /** When the next sleep is over, by the clock of the database. */
  readonly sleepsUntil: number | undefined
}

export type Parked =
  | { readonly outcome: 'parked'; readonly wakeAt: number | undefined }
  | { readonly outcome: 'lost' }
  | {
      readonly outcome: 'refused'
      readonly decided: readonly { readonly id: string; readonly decision: ReviewDecision }[]
      readonly cancel: { readonly reason?: string } | undefined
    }

/**
 * Puts a run away. It holds the run's row while it looks for what was decided meanwhile: whoever decides holds the same row, and so either
 * is seen here, or sees a run that waits and queues it.
 */
export async function parkRun(context: RunsContext, parking: Parking): Promise<Parked> {
  context.reach('run.parking')
  const parked = await context.store.transaction((client) => tryToPark(context, client, parking))
  if (parked.outcome === 'parked') context.reach('run.parked')
  return parked
}

async function tryToPark(context: RunsContext, client: ClientBase, parking: Parking): Promise<Parked> {
  const { run, open } = parking
  const { rows } = await client.query<{ cancel: string | null; ticket: number; deadline: Date | null }>(
    "SELECT cancel, ticket, clock_runs_since + time_left_ms * interval '1 ms' AS deadline FROM toolwright.run WHERE id = $1 AND epoch = $2 AND status = 'running' FOR UPDATE",
    [run.id, run.epoch],
  )
  const [row] = rows
  if (row === undefined) return { outcome: 'lost' }
  const { rows: requests } = await client.query<{ id: string; decision: string | null; expires_at: Date | null }>(
    'SELECT id, decision, expires_at FROM toolwright.approval WHERE id = ANY($1::text[])',
    [open],
  )
  const decided = requests.flatMap(({ id, decision }) =>
    decision === null ? [] : [{ id, decision: context.values.unseal(decision) as unknown as ReviewDecision }],
  )
  const cancel = row.cancel !== null && run.cancel === null ? (JSON.parse(row.cancel) as { reason?: string }) : undefined
  if (decided.length > 0 || cancel !== undefined) return { outcome: 'refused', decided, cancel }
  const expiries = requests.flatMap(({ expires_at: at }) => (at === null ? [] : [at.getTime()]))
  // A run that sleeps past its deadline ends there; while only people are waited for, its clock stands still.
  const deadline = parking.sleepsUntil === undefined ? Infinity : (row.deadline?.getTime() ?? Infinity)
  const earliest = Math.min(parking.sleepsUntil ?? Infinity, deadline, ...expiries)
  const wakeAt = earliest === Infinity ? undefined : earliest
  await putAway(context, client, { parking, ticket: row.ticket, wakeAt })
  return { outcome: 'parked', wakeAt }
}

interface Away {
  readonly parking: Parking
  readonly ticket: number
  readonly wakeAt: number | undefined
}

/** Without a sleep the deadline's clock stands still: only people are waited for. */
const PUT_AWAY = `
UPDATE toolwright.run SET status = 'waiting', worker = NULL, why = $2, wake_at = $3, ticket = $4, fruitless = 0,
  time_left_ms = CASE WHEN $5 AND clock_runs_since IS NOT NULL
    THEN greatest(0, time_left_ms - 1000 * extract(epoch FROM now() - clock_runs_since)) ELSE time_left_ms END,
  clock_runs_since = CASE WHEN $5 THEN NULL ELSE clock_runs_since END
WHERE id = $1`

async function putAway({ queue }: RunsContext, client: ClientBase, { parking, ticket, wakeAt }: Away): Promise<void> {
  const { run, open, sleepsUntil } = parking
  const next = ticket + 1
  const wake = wakeAt === undefined ? undefined : new Date(wakeAt)
  const why = JSON.stringify(waitsFor(parking))
  await client.query(PUT_AWAY, [run.id, why, wake ?? null, next, open.length > 0 && sleepsUntil === undefined])
  await client.query(
    "INSERT INTO toolwright.event (run, type, data) VALUES ($1, 'status', json_build_object('status', 'waiting', 'why', $2::json))",
    [run.id, why],
  )
  if (wake !== undefined) await queue.send(client, { run: run.id, tool: run.tool, ticket: next }, wake)
}

function waitsFor({ open, sleepsUntil }: Parking): JsonData {
  const people = open.length === 1 ? 'a person' : `${open.length} people`
  const time = sleepsUntil === undefined ? '' : `the time ${new Date(sleepsUntil).toISOString()}`
  const message = [open.length > 0 ? people : '', time].filter((each) => each !== '').join(' and ')
  return { code: open.length > 0 ? 'person' : 'time', message: `It waits for ${message}.` }
}
