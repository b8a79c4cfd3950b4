import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { QUEUE, QUEUE_SCHEMA } from '../postgres/queue-runs.ts'
import type { ClientBase } from 'pg'

/** How much of one tool may go on, over all workers of a database. Every worker should be given the same. */
export interface ToolLimit {
  /** Runs of the tool that are under way at the same time. */
  readonly concurrency?: number | undefined
  /** Runs of the tool that begin within a stretch of time. */
  readonly rate?: { readonly count: number; readonly per: Duration } | undefined
}

export type ToolLimits = Readonly<Record<string, ToolLimit>>

export function checkLimits(limits: ToolLimits): void {
  for (const [tool, { concurrency, rate }] of Object.entries(limits)) {
    if (concurrency !== undefined && !isCount(concurrency)) throw wrong(tool, 'concurrency', concurrency)
    if (rate === undefined) continue
    if (!isCount(rate.count)) throw wrong(tool, 'rate.count', rate.count)
    if (toMilliseconds(rate.per, `The stretch of the rate of '${tool}'`) === 0) throw wrong(tool, 'rate.per', rate.per)
  }
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1
}

function wrong(tool: string, field: string, value: unknown): ConfigurationError {
  return new ConfigurationError(
    'invalid_option',
    `The ${field} of the limit for '${tool}' must be a whole number from 1 on, not ${String(value)}.`,
  )
}

/** How many runs of the tool may be taken up now, and otherwise when to look again. The transaction keeps other workers from counting. */
export interface Allowance {
  readonly runs: number
  readonly againAt: Date | undefined
  /** Those that were cancelled: they begin nothing new, and have to end. */
  readonly unlimited: ReadonlySet<string>
}

export interface Allowing {
  readonly tool: string
  readonly limit: ToolLimit
  /** Those that are to be taken up. */
  readonly runs: readonly string[]
  readonly leaseMs: number
}

const ALONE = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS is_alone'

/** Those that are to be taken up do not count, nor those whose worker has been silent for too long: they will be taken up too. */
const UNDER_WAY = `
SELECT count(*)::int AS count FROM toolwright.run r
JOIN ${QUEUE_SCHEMA}.job j ON j.name = '${QUEUE}' AND j.id = r.job AND j.state = 'active' AND j.heartbeat_on > now() - $3::float8 * interval '1 ms'
WHERE r.status = 'running' AND r.tool = $1 AND r.ended_at IS NULL AND NOT r.id = ANY($2::text[])`

const STARTED = `
SELECT count(*)::int AS count, min(started_at) AS oldest FROM toolwright.run
WHERE tool = $1 AND started_at > now() - $2::float8 * interval '1 ms' AND NOT id = ANY($3::text[])`

/** Undefined while somebody else counts. */
export async function allowance(client: ClientBase, { tool, limit, runs: taken, leaseMs }: Allowing): Promise<Allowance | undefined> {
  const { rows: alone } = await client.query<{ is_alone: boolean }>(ALONE, [`toolwright.limit ${tool}`])
  if (alone[0]?.is_alone !== true) return undefined
  const { rows: cancelled } = await client.query<{ id: string }>(
    'SELECT id FROM toolwright.run WHERE id = ANY($1::text[]) AND cancel IS NOT NULL',
    [taken],
  )
  const { concurrency, rate } = limit
  let runs = Infinity
  let againAt: Date | undefined
  if (concurrency !== undefined) {
    const { rows } = await client.query<{ count: number }>(UNDER_WAY, [tool, taken, leaseMs])
    runs = Math.min(runs, concurrency - (rows[0]?.count ?? 0))
  }
  if (rate !== undefined) {
    const window = toMilliseconds(rate.per, 'A rate')
    const { rows } = await client.query<{ count: number; oldest: Date | null }>(STARTED, [tool, window, taken])
    const left = rate.count - (rows[0]?.count ?? 0)
    if (left < runs) runs = left
    if (left <= 0) againAt = new Date((rows[0]?.oldest ?? new Date()).getTime() + window)
  }
  return { runs: Math.max(0, runs), againAt, unlimited: new Set(cancelled.map(({ id }) => id)) }
}
