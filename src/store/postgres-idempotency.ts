import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Claimed, IdempotencyStore, KeyClaim } from '../tool/idempotency-store.ts'
import type { JsonData } from '../tool/journal/codec.ts'
import { idempotencyMigration } from './idempotency-migration.ts'
import { migrate } from './migrate.ts'
import { type IdempotencyStatements, idempotencyStatements } from './postgres-idempotency-statements.ts'

/** Keys in a database: one for all processes that share it. */
export interface PostgresIdempotency extends IdempotencyStore {
  /** Removes what is past its time, and says how many keys. */
  readonly sweep: () => Promise<number>
}

type Querying = Pick<Pool, 'query'>

interface KeyRow {
  readonly mine: boolean
  readonly same: boolean
  readonly state: 'held' | 'done'
  readonly fence: string
  readonly result: string | null
  readonly lease_ms: number
}

/** A key that is freed between the two halves of a claim leaves nothing to be read; it is claimed again. */
const MOST_LOOKS = 10
const SHORTEST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 1000
/** A hundred years: times beyond what a database can add are as good as for ever. */
const FOR_EVER_MS = 3_155_760_000_000

/**
 * Keeps the keys of `idempotent` in PostgreSQL, in a table that it makes when it is first used. Times are the database's: the clocks of the
 * processes do not matter.
 * @example
 * const store = await openStore({ idleStop: '1s' })
 * const idempotency = postgresIdempotency(store.pool)
 * await idempotent(issueRefund).call({ orderId: 'o1', amount: 20 }, { idempotency, idempotencyKey: 'request-7' })
 * await store.close()
 */
export function postgresIdempotency(pool: Pool): PostgresIdempotency {
  const sql = idempotencyStatements()
  const ready = madeOnce(pool)
  const touched = async (text: string, values: readonly unknown[]): Promise<boolean> =>
    ((await pool.query(text, [...values])).rowCount ?? 0) > 0
  return {
    claim: async (key, claim) => {
      await ready()
      return claimKey(pool, sql, { key, claim })
    },
    renew: (key, fence, leaseMs) => touched(sql.renew, [key, fence, bounded(leaseMs)]),
    settle: (key, fence, result) =>
      result === undefined ? touched(sql.free, [key, fence]) : touched(sql.settle, [key, fence, JSON.stringify(result)]),
    changed: (key, ms, signal) => untilFree(pool, sql, { key, ms, signal }),
    sweep: async () => {
      await ready()
      return (await pool.query(sql.sweep)).rowCount ?? 0
    },
  }
}

/** The table is made by the first who needs it; when that fails, the next one tries again. */
function madeOnce(pool: Pool): () => Promise<void> {
  let making: Promise<void> | undefined
  return () =>
    (making ??= migrate(pool, [idempotencyMigration], 'toolwright.idempotency').catch((error: unknown) => {
      making = undefined
      throw error
    }))
}

interface Claiming {
  readonly key: string
  readonly claim: KeyClaim
}

async function claimKey(pool: Querying, sql: IdempotencyStatements, { key, claim }: Claiming): Promise<Claimed> {
  const { tool, inputHash, holder, leaseMs, keepMs, takesOver } = claim
  const values = [key, tool, inputHash, holder, bounded(leaseMs), bounded(keepMs), takesOver]
  for (let look = 0; look < MOST_LOOKS; look++) {
    const { rows } = await pool.query<KeyRow>(sql.claim, values)
    const claimed = rows[0] === undefined ? undefined : verdictOn(rows[0], takesOver)
    if (claimed !== undefined) return claimed
  }
  return { state: 'busy', retryInMs: SHORTEST_PAUSE_MS }
}

/** Undefined where the row has changed since it could not be claimed. */
function verdictOn({ mine, same, state, fence, result, lease_ms }: KeyRow, takesOver: boolean): Claimed | undefined {
  if (mine) return { state: 'mine', fence: Number(fence) }
  if (!same) return { state: 'conflict' }
  if (state === 'done') return { state: 'done', result: JSON.parse(result ?? 'null') as JsonData }
  if (lease_ms > 0) return { state: 'busy', retryInMs: lease_ms }
  return takesOver ? undefined : { state: 'abandoned' }
}

interface Watching {
  readonly key: string
  readonly ms: number
  readonly signal: AbortSignal
}

/** Looks again after pauses that grow. */
async function untilFree(pool: Querying, sql: IdempotencyStatements, { key, ms, signal }: Watching): Promise<void> {
  const until = performance.now() + ms
  for (let wait = SHORTEST_PAUSE_MS; !signal.aborted; wait = Math.min(wait * 1.5, LONGEST_PAUSE_MS)) {
    const left = until - performance.now()
    if (left <= 0) return
    await pause(Math.min(wait, left), undefined, { signal }).catch(() => {})
    if (signal.aborted || (await pool.query(sql.isHeld, [key])).rowCount === 0) return
  }
}

function bounded(ms: number): number {
  return Math.min(ms, FOR_EVER_MS)
}
