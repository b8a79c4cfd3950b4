import type { ClientBase, Pool } from 'pg'
import type { JsonData } from '../tool/journal/codec.ts'
import type { SegmentJob } from './run-queue.ts'
import type { RunStatus } from './run-status.ts'

/** A run that this worker holds: nobody else writes to it unless they claim it anew. */
export interface ClaimedRun {
  readonly id: string
  readonly epoch: number
  /** Of the job by which it was claimed. */
  readonly ticket: number
  readonly tool: string
  readonly version: string
  readonly plan: string
  readonly input: string
  readonly options: string
  readonly cancel: string | null
  /** How much of its time is left; null without a deadline. */
  readonly time_left_ms: number | null
  /** How often it was claimed without a word in its journal since. */
  readonly fruitless: number
  readonly entries_seen: number
  /** What to add to `performance.now()` for the time of the database: one clock for all workers, that jumps on none of them. */
  readonly clock_base: number
}

const CLAIM = `
WITH claimed AS (
UPDATE toolwright.run r SET
  epoch = r.epoch + 1, worker = $3, status = 'running', why = NULL, wake_at = NULL, held_back = false,
  started_at = coalesce(r.started_at, now()), fruitless = r.fruitless + 1,
  time_left_ms = CASE WHEN r.clock_runs_since IS NULL THEN r.time_left_ms
    ELSE greatest(0, r.time_left_ms - 1000 * extract(epoch FROM now() - r.clock_runs_since)) END,
  clock_runs_since = CASE WHEN r.time_left_ms IS NOT NULL THEN now() END
FROM unnest($1::text[], $2::int[]) AS j (run, ticket)
WHERE r.id = j.run AND r.ticket = j.ticket AND r.status IN ('queued', 'running', 'waiting')
RETURNING r.id, r.epoch, r.ticket, r.tool, r.version, r.plan, r.input, r.options, r.cancel, r.time_left_ms, r.fruitless, r.entries_seen
), told AS (
  INSERT INTO toolwright.event (run, type, data) SELECT id, 'status', json_build_object('status', 'running', 'worker', $3::text) FROM claimed
)
SELECT *, 1000 * extract(epoch FROM clock_timestamp())::float8 AS clock_base FROM claimed`

/** Takes the runs of these jobs; a job whose ticket is stale, or whose run has ended, gives none. */
export async function claimRuns(pool: Pool | ClientBase, jobs: readonly SegmentJob[], worker: string): Promise<readonly ClaimedRun[]> {
  const { rows } = await pool.query<ClaimedRun>({
    name: 'toolwright.claim',
    text: CLAIM,
    values: [jobs.map(({ run }) => run), jobs.map(({ ticket }) => ticket), worker],
  })
  const tick = performance.now()
  return rows.map((row) => ({ ...row, clock_base: row.clock_base - tick }))
}

export interface EntryRow {
  readonly path: string
  readonly kind: string
  readonly tool: string | null
  readonly key: string | null
  readonly input_hash: string | null
  readonly data: string | null
}

/** What the run has recorded so far, in the order in which it began. */
export async function readEntries(pool: Pool, run: string): Promise<readonly EntryRow[]> {
  const { rows } = await pool.query<EntryRow>({
    name: 'toolwright.read_entries',
    text: 'SELECT path, kind, tool, key, input_hash, data FROM toolwright.entry WHERE run = $1 ORDER BY begun_no',
    values: [run],
  })
  return rows
}

/** The texts of the run's artifacts, by id. */
export async function readArtifacts(pool: Pool, run: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await pool.query<{ id: string; data: string }>(
    'SELECT id, data FROM toolwright.artifact WHERE run = $1 AND id = ANY($2::text[])',
    [run, ids],
  )
  return new Map(rows.map(({ id, data }) => [id, data]))
}

/** What is final, or why it stands still. */
export interface RunEnding {
  readonly status: RunStatus
  readonly result: string | null
  readonly why: JsonData
}

const END = `
WITH mine AS (
  UPDATE toolwright.run SET status = $3, result = $4, why = $5, worker = NULL, clock_runs_since = NULL, wake_at = NULL,
    ended_at = CASE WHEN $3 <> 'blocked' THEN now() END
  WHERE id = $1 AND epoch = $2 RETURNING id
), withdrawn AS (
  UPDATE toolwright.approval SET status = 'withdrawn', closed_at = now()
  WHERE run = (SELECT id FROM mine) AND status = 'open' AND $3 <> 'blocked' RETURNING id
), told AS (
  INSERT INTO toolwright.event (run, type, data) SELECT id, 'status', json_strip_nulls(json_build_object('status', $3::text, 'why', $5::json)) FROM mine
)
SELECT pg_notify('toolwright', 'ended ' || id) FROM mine
UNION ALL SELECT pg_notify('toolwright', 'withdrawn ' || id) FROM withdrawn`

/** Ends the run, or blocks it; false where it was claimed by somebody else meanwhile. */
export async function endRun(on: Pool | ClientBase, { id, epoch }: ClaimedRun, { status, result, why }: RunEnding): Promise<boolean> {
  const { rowCount } = await on.query({
    name: 'toolwright.end',
    text: END,
    values: [id, epoch, status, result, why === null ? null : JSON.stringify(why)],
  })
  return (rowCount ?? 0) > 0
}
