import type { ClientBase } from 'pg'
import { toMilliseconds } from '../tool/duration.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { ToolLimit, ToolLimits } from './tool-limits.ts'

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
}

export async function allowance(client: ClientBase, tool: string, limit: ToolLimit): Promise<Allowance> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`toolwright.limit ${tool}`])
  const { concurrency, rate } = limit
  let runs = Infinity
  let againAt: Date | undefined
  if (concurrency !== undefined) {
    const { rows } = await client.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM toolwright.run WHERE status = 'running' AND tool = $1 AND ended_at IS NULL",
      [tool],
    )
    runs = Math.min(runs, concurrency - (rows[0]?.count ?? 0))
  }
  if (rate !== undefined) {
    const window = toMilliseconds(rate.per, 'A rate')
    const { rows } = await client.query<{ count: number; oldest: Date | null }>(
      `SELECT count(*)::int AS count, min(started_at) AS oldest FROM toolwright.run
       WHERE tool = $1 AND started_at > now() - $2::float8 * interval '1 ms'`,
      [tool, window],
    )
    const left = rate.count - (rows[0]?.count ?? 0)
    if (left < runs) runs = left
    if (left <= 0) againAt = new Date((rows[0]?.oldest ?? new Date()).getTime() + window)
  }
  return { runs: Math.max(0, runs), againAt }
}
