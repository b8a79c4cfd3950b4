import type { ClientBase, Pool } from 'pg'
import type { Store } from '../../store/store.ts'
import { PATIENT, PROMPT } from './time-bounds.ts'
import { mayHoldBack } from './release-held-back.ts'
import type { RunStatus } from '../state/run-state.ts'

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
  readonly deaths: number
  readonly entries_seen: number
  /** What to add to `performance.now()` for the time of the database: one clock for all workers, that jumps on none of them. */
  readonly clock_base: number
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
    text: 'SELECT coalesce(full_path, path) AS path, kind, tool, key, input_hash, data FROM toolwright.entry WHERE run = $1 ORDER BY begun_no',
    values: [run],
  })
  return rows
}

const READ_ARTIFACTS = 'SELECT id, data FROM toolwright.artifact WHERE run = $1 AND id = ANY($2::text[])'

/** The texts of the run's artifacts, by id. */
export async function readArtifacts(store: Store, run: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  return store.transaction(async (client) => {
    await client.query('SET LOCAL statement_timeout = 0')
    const { rows } = await client.query<{ id: string; data: string }>({ ...PATIENT, text: READ_ARTIFACTS, values: [run, ids] })
    return new Map(rows.map(({ id, data }) => [id, data]))
  })
}

/** What is final, or why it stands still. */
export interface RunEnding {
  readonly status: RunStatus
  readonly result: string | null
  /** As its column has it; null where nothing needs a word. */
  readonly why: string | null
}

/** An answer that was lost is given again: the same claim ends the run once. Whoever blocks a run is not asked again by itself. */
const END = `
WITH mine AS (
  UPDATE toolwright.run SET status = $3, result = $4, why = $5, worker = NULL, job = NULL, clock_runs_since = NULL, wake_at = NULL,
    ended_at = CASE WHEN $3 <> 'blocked' THEN now() END, unable = CASE WHEN $3 = 'blocked' THEN array_append(unable, worker) ELSE unable END
  WHERE id = $1 AND epoch = $2 AND status = 'running' RETURNING id, tool
), withdrawn AS (
  UPDATE toolwright.approval SET status = 'withdrawn', closed_at = now()
  WHERE run = (SELECT id FROM mine) AND status = 'open' AND $3 <> 'blocked' RETURNING id
), told AS (
  INSERT INTO toolwright.event (run, type, data) SELECT id, 'status', json_strip_nulls(json_build_object('status', $3::text, 'why', $5::json)) FROM mine
)
SELECT pg_notify('toolwright', 'ended ' || id)::text AS told,
  ${mayHoldBack('mine.tool')} AS holds_back FROM mine
UNION ALL SELECT pg_notify('toolwright', 'withdrawn ' || id)::text, false FROM withdrawn
UNION ALL SELECT '', false FROM toolwright.run WHERE id = $1 AND epoch = $2 AND status = $3 AND NOT EXISTS (SELECT FROM mine)`

export interface RunEnded {
  /** False where it was claimed by somebody else meanwhile. */
  readonly isMine: boolean
  /** Others of its tool may wait for it. */
  readonly holdsBack: boolean
}

/** Ends the run, or blocks it. */
export async function endRun(on: Pool | ClientBase, { id, epoch }: ClaimedRun, { status, result, why }: RunEnding): Promise<RunEnded> {
  const { rows } = await on.query<{ holds_back: boolean }>({
    ...PROMPT,
    name: 'toolwright.end',
    text: END,
    values: [id, epoch, status, result, why],
  })
  return { isMine: rows.length > 0, holdsBack: rows.some(({ holds_back: holdsBack }) => holdsBack) }
}
