import type { ClientBase } from 'pg'
import type { Store } from '../../store/store.ts'
import { storable, storableOrNull } from '../journal/storable.ts'
import type {
  ArtifactRow,
  EventRow,
  FullEntryRow,
  FullRunRow,
  HappenedRow,
  OpenKey,
  OpenRun,
  RunFilter,
  RunNews,
  RunReading,
  RunRow,
  WholeRun,
} from '../store/run-reading.ts'
import { approvalOf, type StoredApproval } from './approvals.ts'
import { PATIENT, PROMPT } from './time-bounds.ts'

const RUN_COLUMNS = 'id, key, tool, version, status, why, worker, wake_at, result, created_at, started_at, ended_at'

interface StoredRow extends Omit<RunRow, 'wakeAt' | 'createdAt' | 'startedAt' | 'endedAt'> {
  readonly wake_at: Date | null
  readonly created_at: Date
  readonly started_at: Date | null
  readonly ended_at: Date | null
}

function runOf(row: StoredRow): RunRow {
  const { id, key, tool, version, status, why, worker, result } = row
  return {
    ...{ id, key, tool, version, status, why, worker, result },
    wakeAt: row.wake_at?.getTime() ?? null,
    createdAt: row.created_at.getTime(),
    startedAt: row.started_at?.getTime() ?? null,
    endedAt: row.ended_at?.getTime() ?? null,
  }
}

/** Results may be large, and a list shows none. */
const LISTED_COLUMNS = 'id, key, tool, version, status, why, worker, wake_at, NULL AS result, created_at, started_at, ended_at'

const MATCHES = `($1::text IS NULL OR tool = $1) AND ($2::text IS NULL OR key = $2) AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4))`

const LATEST = 'ORDER BY created_at DESC, id DESC LIMIT $5'

const LIST = `SELECT ${LISTED_COLUMNS} FROM toolwright.run WHERE ${MATCHES} ${LATEST}`

/** The latest of each status by itself: those of one may be few among many others. */
const LIST_BY_STATUS = `
SELECT r.* FROM unnest($6::text[]) AS wanted (status), LATERAL (
  SELECT ${LISTED_COLUMNS} FROM toolwright.run WHERE status = wanted.status AND ${MATCHES} ${LATEST}
) AS r ${LATEST}`

async function listRuns({ pool }: Store, filter: RunFilter): Promise<readonly RunRow[] | undefined> {
  const { statuses, tool, key, limit, before } = filter
  const after = before === undefined ? null : await createdAt(pool, before)
  if (after === undefined) return undefined
  const values = [storableOrNull(tool), storableOrNull(key), after, before ?? null, limit]
  const { rows } = await (statuses === undefined
    ? pool.query<StoredRow>(LIST, values)
    : pool.query<StoredRow>(LIST_BY_STATUS, [...values, statuses]))
  return rows.map(runOf)
}

/** As a text: a date of JavaScript has fewer digits than the database. */
async function createdAt(pool: Store['pool'], id: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ at: string }>('SELECT created_at::text AS at FROM toolwright.run WHERE id = $1', [storable(id)])
  return rows[0]?.at
}

interface StoredEntry extends Omit<FullEntryRow, 'inputHash' | 'begunAt' | 'endedAt'> {
  readonly full_path: string | null
  readonly input_hash: string | null
  readonly begun_at: Date
  readonly ended_at: Date | null
}

function readRun(store: Store, id: string, largest: number): Promise<WholeRun | undefined> {
  return store.transaction(async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query('SET LOCAL statement_timeout = 0')
    const row = await fullRow(client, id)
    if (row === undefined) return undefined
    const entries = await client.query<StoredEntry>('SELECT * FROM toolwright.entry WHERE run = $1 ORDER BY begun_no', [id])
    const approvals = await client.query<StoredApproval>('SELECT * FROM toolwright.approval WHERE run = $1 ORDER BY requested_at, id', [id])
    const events = await client.query<Omit<EventRow, 'at'> & { readonly at: Date }>(
      'SELECT no, at, type, data FROM toolwright.event WHERE run = $1 ORDER BY no',
      [id],
    )
    const artifacts = await client.query<ArtifactRow>({
      ...PATIENT,
      text: 'SELECT id, bytes, CASE WHEN bytes <= $2::float8 THEN data END AS data FROM toolwright.artifact WHERE run = $1 ORDER BY created_at, id',
      values: [id, largest],
    })
    const living = await client.query("SELECT FROM toolwright.worker WHERE id = $1 AND seen_at > now() - interval '15 seconds'", [
      row.worker,
    ])
    return {
      row,
      hasLivingWorker: living.rows.length > 0,
      entries: entries.rows.map(entryOf),
      approvals: approvals.rows.map(approvalOf),
      events: events.rows.map(({ at, ...event }) => ({ ...event, at: at.getTime() })),
      artifacts: artifacts.rows,
    }
  })
}

async function fullRow(client: ClientBase, id: string): Promise<FullRunRow | undefined> {
  const { rows } = await client.query<StoredRow & Omit<FullRunRow, keyof RunRow | 'inputHash'> & { readonly input_hash: string }>(
    `SELECT ${RUN_COLUMNS}, plan, input, input_hash, options FROM toolwright.run WHERE id = $1`,
    [storable(id)],
  )
  const [row] = rows
  if (row === undefined) return undefined
  const { plan, input, input_hash: inputHash, options } = row
  return { ...runOf(row), plan, input, inputHash, options }
}

function entryOf(row: StoredEntry): FullEntryRow {
  const { path, full_path: fullPath, kind, tool, key, input_hash: inputHash, input, data, begun_at: begunAt, ended_at: endedAt } = row
  const times = { begunAt: begunAt.getTime(), endedAt: endedAt?.getTime() ?? null }
  return { path: fullPath ?? path, kind, tool, key, inputHash, input, data, ...times }
}

const EVENTS = `
SELECT * FROM (
  SELECT no, at, type, NULL::text AS path, NULL::text AS tool, data FROM toolwright.event WHERE run = $1 AND no > $2
  UNION ALL
  SELECT begun_no, begun_at, kind || '.begun', coalesce(full_path, path), tool, CASE WHEN kind <> 'call' THEN data END FROM toolwright.entry
    WHERE run = $1 AND begun_no > $2 AND kind IN ('call', 'review', 'sleep')
  UNION ALL
  SELECT ended_no, ended_at, kind || '.ended', coalesce(full_path, path), tool, data FROM toolwright.entry
    WHERE run = $1 AND ended_no > $2 AND kind IN ('call', 'review')
) AS happened ORDER BY no LIMIT $3`

const OPEN = `
SELECT id, tool, status, plan, input, options, cancel FROM toolwright.run
WHERE ended_at IS NULL AND id > $1 ORDER BY id LIMIT $2`

/** The last character of Unicode ends every range of keys that begin alike. */
const LAST = '\u{10FFFF}'

/** The comparison must be that of the index `run_open_key`. */
const OPEN_KEYS = `
SELECT id, key, cancel IS NOT NULL AS "isCancelled" FROM toolwright.run
WHERE ended_at IS NULL AND key COLLATE "C" >= $1 AND key COLLATE "C" < $2 ORDER BY key COLLATE "C" DESC LIMIT $3`

const READ_DECIDED =
  "SELECT id, run, decision FROM toolwright.approval WHERE id = ANY($1::text[]) AND status = 'decided' ORDER BY closed_at"

/** Two reads: where nobody is waited for, there is nothing to read of requests. */
async function readNews({ pool }: Store, runs: readonly string[], requests: readonly string[]): Promise<RunNews> {
  const { rows } = await pool.query<RunNews['runs'][number]>({
    ...PROMPT,
    text: 'SELECT id, epoch, cancel FROM toolwright.run WHERE id = ANY($1::text[])',
    values: [runs],
  })
  if (requests.length === 0) return { runs: rows, decided: [] }
  const { rows: decided } = await pool.query<RunNews['decided'][number]>({ ...PROMPT, text: READ_DECIDED, values: [requests] })
  return { runs: rows, decided }
}

export function postgresReading(store: Store): RunReading {
  const { pool } = store
  return {
    findRun: async (id) => {
      const text = `SELECT ${RUN_COLUMNS} FROM toolwright.run WHERE id = $1`
      const { rows } = await pool.query<StoredRow>({ ...PROMPT, text, values: [storable(id)] })
      return rows[0] === undefined ? undefined : runOf(rows[0])
    },
    listRuns: (filter) => listRuns(store, filter),
    readRun: (id, largest) => readRun(store, id, largest),
    readEvents: async (run, after, most) => {
      const { rows } = await pool.query<Omit<HappenedRow, 'at'> & { readonly at: Date }>({
        ...PROMPT,
        name: 'toolwright.read_events',
        text: EVENTS,
        values: [run, after, most],
      })
      return rows.map(({ at, ...row }) => ({ ...row, at: at.getTime() }))
    },
    readOpenRuns: async (after, most) => (await pool.query<OpenRun>(OPEN, [after, most])).rows,
    readOpenKeys: async (start, below, most) =>
      (await pool.query<OpenKey>({ ...PROMPT, text: OPEN_KEYS, values: [start, below ?? `${start}${LAST}`, most] })).rows,
    readNews: (runs, requests) => readNews(store, runs, requests),
  }
}
