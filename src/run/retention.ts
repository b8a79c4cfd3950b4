import { quote } from '../schema/quote.ts'
import { type Duration, toMilliseconds } from '../tool/duration.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { PATIENT } from './postgres/time-bounds.ts'
import type { RunsContext } from './runs-context.ts'
import { checkStatuses, FINAL_STATUSES, type RunStatus } from './state/run-state.ts'

/** How long runs that have ended are kept. A run goes as soon as one of the two says so. */
export interface Retention {
  /** Runs that ended longer ago than this go. */
  readonly olderThan?: Duration | undefined
  /** So many of those that ended last stay; the others go. */
  readonly keep?: number | undefined
}

export interface PruneOptions extends Retention {
  /** Only runs that ended like this, and only these are counted. All that have ended by default. */
  readonly statuses?: readonly RunStatus[] | undefined
}

const BATCH = 500

/** The row of the run is held while all that hangs on it goes: whoever would take the run up again finds it whole, or not at all. */
const PRUNE = `
WITH doomed AS MATERIALIZED (
  SELECT id FROM toolwright.run
  WHERE ended_at IS NOT NULL AND status = ANY($1::text[])
    AND (ended_at < now() - $2::float8 * interval '1 ms' OR (ended_at, id) < ($3::timestamptz, $4::text))
  ORDER BY ended_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
), entries AS (DELETE FROM toolwright.entry WHERE run IN (SELECT id FROM doomed)
), approvals AS (DELETE FROM toolwright.approval WHERE run IN (SELECT id FROM doomed)
), events AS (DELETE FROM toolwright.event WHERE run IN (SELECT id FROM doomed)
), artifacts AS (DELETE FROM toolwright.artifact WHERE run IN (SELECT id FROM doomed)
)
DELETE FROM toolwright.run WHERE id IN (SELECT id FROM doomed)`

/** The oldest of those that stay, by the order in which they ended. */
const OLDEST_KEPT = `
SELECT ended_at::text AS at, id FROM toolwright.run WHERE ended_at IS NOT NULL AND status = ANY($1::text[])
ORDER BY ended_at DESC, id DESC OFFSET $2 LIMIT 1`

/** Removes runs that have ended, with all that they left behind, and tells how many. A run that is still open is never removed. */
export async function pruneRuns({ store }: RunsContext, options: PruneOptions): Promise<number> {
  const olderThanMs = checkRetention(options)
  const statuses = checkStatuses(options.statuses ?? FINAL_STATUSES, FINAL_STATUSES)
  const edge = options.keep === undefined ? undefined : await edgeOf(store, statuses, options.keep)
  const values = [statuses, olderThanMs ?? null, edge?.at ?? null, edge?.id ?? null]
  let removed = 0
  for (;;) {
    const rowCount = await pruneBatch(store, values)
    removed += rowCount
    if (rowCount < BATCH) break
  }
  if (olderThanMs !== undefined)
    await store.pool.query(
      "DELETE FROM toolwright.approval WHERE run IS NULL AND status <> 'open' AND closed_at < now() - $1::float8 * interval '1 ms'",
      [olderThanMs],
    )
  return removed
}

/** Runs may have left any amount behind. */
function pruneBatch(store: RunsContext['store'], values: readonly unknown[]): Promise<number> {
  return store.transaction(async (client) => {
    await client.query('SET LOCAL statement_timeout = 0')
    const { rowCount } = await client.query({ ...PATIENT, text: PRUNE, values: [...values] })
    return rowCount ?? 0
  })
}

/** The age in milliseconds, if one is given. To remove everything has to be said: `keep: 0`. */
function checkRetention({ olderThan, keep }: Retention): number | undefined {
  if (keep !== undefined && (!Number.isInteger(keep) || keep < 0))
    throw new ConfigurationError('invalid_option', `The number of runs to keep must be a whole number from 0 on, not ${quote(keep)}.`)
  if (olderThan === undefined && keep === undefined)
    throw new ConfigurationError('invalid_option', 'Say which runs are to go: olderThan an age, or all but the latest to keep.')
  return olderThan === undefined ? undefined : toMilliseconds(olderThan, 'The age of runs to remove')
}

interface Edge {
  readonly at: string
  readonly id: string
}

/** With nothing to keep, everything lies before the edge. */
async function edgeOf(store: RunsContext['store'], statuses: readonly RunStatus[], keep: number): Promise<Edge | undefined> {
  if (keep === 0) return { at: 'infinity', id: '' }
  const { rows } = await store.pool.query<Edge>(OLDEST_KEPT, [statuses, keep - 1])
  return rows[0]
}

const EVERY_MS = 60 * 60 * 1000

/** Removes old runs once an hour, as long as a worker is there. Several workers do not get into each other's way. */
export class RunRetention {
  readonly #context: RunsContext
  readonly #retention: Retention | undefined
  #next = -Infinity

  constructor(context: RunsContext, retention: Retention | undefined) {
    if (retention !== undefined) checkRetention(retention)
    this.#context = context
    this.#retention = retention
  }

  /** Called at every beat of the worker. Gives how many runs went, or undefined where it was not the time. */
  async onBeat(now: number = performance.now()): Promise<number | undefined> {
    if (this.#retention === undefined || now < this.#next) return undefined
    this.#next = now + EVERY_MS
    return pruneRuns(this.#context, this.#retention)
  }
}
