import { quote } from '../../schema/quote.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { storable, storableOrNull } from '../journal/storable.ts'
import { unknownRun } from '../run-errors.ts'
import type { RunsContext } from '../runs-context.ts'
import { type RunStatus, checkStatuses } from '../state/run-state.ts'
import { type RunInfo, type RunRow, infoOf } from './run-info.ts'

/** Which runs are listed. */
export interface ListOptions {
  /** Runs of this status, or of any of these. */
  readonly status?: RunStatus | readonly RunStatus[] | undefined
  readonly tool?: string | undefined
  readonly key?: string | undefined
  /** At most so many: 50 by default, 10000 at most. */
  readonly limit?: number | undefined
  /** Goes on after this run: the id of the last one that was listed. */
  readonly before?: string | undefined
}

const MOST = 10_000

/** Results may be large, and a list shows none. */
const COLUMNS = 'id, key, tool, version, status, why, worker, wake_at, NULL AS result, created_at, started_at, ended_at'

const MATCHES = `($1::text IS NULL OR tool = $1) AND ($2::text IS NULL OR key = $2) AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4))`

const LATEST = 'ORDER BY created_at DESC, id DESC LIMIT $5'

const LIST = `SELECT ${COLUMNS} FROM toolwright.run WHERE ${MATCHES} ${LATEST}`

/** The latest of each status by itself: those of one may be few among many others. */
const LIST_BY_STATUS = `
SELECT r.* FROM unnest($6::text[]) AS wanted (status), LATERAL (
  SELECT ${COLUMNS} FROM toolwright.run WHERE status = wanted.status AND ${MATCHES} ${LATEST}
) AS r ${LATEST}`

/** The runs of the database, newest first. */
export async function listRuns({ store, values }: RunsContext, options: ListOptions = {}): Promise<readonly RunInfo[]> {
  const { status, tool, key, limit = 50, before } = options
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
    throw new ConfigurationError(
      'invalid_option',
      `The limit of a list of runs must be a whole number from 1 to ${MOST}, not ${quote(limit)}.`,
    )
  const statuses = status === undefined ? undefined : [...new Set(checkStatuses([status].flat()))]
  const after = before === undefined ? null : await createdAt(store, before)
  const filter = [storableOrNull(tool), storableOrNull(key), after, before ?? null, limit]
  const { rows } = await (statuses === undefined
    ? store.pool.query<RunRow>(LIST, filter)
    : store.pool.query<RunRow>(LIST_BY_STATUS, [...filter, statuses]))
  return rows.map((row) => infoOf(row, values))
}

/** As a text: a date of JavaScript has fewer digits than the database. */
async function createdAt(store: RunsContext['store'], id: string): Promise<string> {
  const { rows } = await store.pool.query<{ at: string }>('SELECT created_at::text AS at FROM toolwright.run WHERE id = $1', [storable(id)])
  if (rows[0] === undefined) throw unknownRun(id)
  return rows[0].at
}
