import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Claimed, IdempotencyStore, KeyClaim } from '../tool/ports/idempotency-store.ts'
import type { JsonData } from '../tool/journal/codec.ts'
import { appOf, schemasOf } from './app.ts'
import type { AppOptions } from './app-options.ts'
import { appPool } from './app-store.ts'
import { migrate, type Migration } from './migrate.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** The options of `postgresIdempotency`. */
export interface PostgresIdempotencyOptions {
  /** Whose keys, such as `orders:production`. The default is that of `createRuntime`. */
  readonly app?: string | AppOptions | undefined
}

const NAMES = optionNames<PostgresIdempotencyOptions>({ app: true })

/** Keys in a database: one for all processes of an app that share it. */
export interface PostgresIdempotency extends IdempotencyStore {
  /** Removes the expired keys, and returns how many. */
  readonly sweep: () => Promise<number>
}

/** A condition of a claim. The parameters of both begin with `$8`. */
export interface KeyCondition {
  /** A statement that locks the row that it gives. Where it gives none, nothing is claimed. */
  readonly holds: string
  /** A query that finds something if other values may meet the condition. Else the claim gives undefined. */
  readonly mayHoldLater: string
}

/** Keys that can also be claimed under a condition. */
export interface ConditionalKeys extends PostgresIdempotency {
  /** `values` gives those of the condition, for each statement anew. */
  readonly claimWhere: (
    condition: KeyCondition,
  ) => (values: () => readonly unknown[], key: string, claim: KeyClaim) => Promise<Claimed | undefined>
}

type Querying = Pick<Pool, 'query'>

interface KeyRow {
  readonly mine: boolean
  readonly same: boolean
  readonly input_hash: string
  readonly state: 'held' | 'done' | 'refused' | 'again'
  readonly fence: string
  readonly result: string | null
  readonly lease_ms: number
}

/** A key that is freed between the two halves of a claim leaves nothing to be read; it is claimed again. */
const MOST_LOOKS = 10
const SHORTEST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 1000
/** An answer that takes longer comes from a connection that is dead: it is asked for again over another. */
const PROMPT = { query_timeout: 5000 } as const
const BUSY: Claimed = { state: 'busy', retryInMs: SHORTEST_PAUSE_MS }
/** A hundred years: longer times, which a database cannot add, mean for ever. */
const FOR_EVER_MS = 3_155_760_000_000

/**
 * Keeps the keys of `idempotent` in PostgreSQL, in a table that it makes when it is first used. Times are the database's: the clocks of the
 * processes do not matter.
 * @example
 * const store = await openStore({ idleStop: '1s' })
 * const idempotency = postgresIdempotency(store.pool)
 * await idempotent(issueRefund).call({ orderId: 'o1', amount: 20 }, { stores: { idempotency }, idempotencyKey: 'request-7' })
 * await store.close()
 */
export function postgresIdempotency(pool: Pool, options: PostgresIdempotencyOptions = {}): PostgresIdempotency {
  checkOptionNames(options, NAMES, 'The options of postgresIdempotency')
  const { claimWhere: _claimWhere, ...keys } = idempotencyKeys(appPool(pool, schemasOf(appOf(options.app, { isShared: true }))))
  return keys
}

/** The same in the pool of an app. */
export function idempotencyKeys(pool: Pool): ConditionalKeys {
  const sql = idempotencyStatements()
  const ready = madeOnce(pool)
  const touched = async (text: string, values: readonly unknown[]): Promise<boolean> =>
    ((await pool.query({ ...PROMPT, text, values: [...values] })).rowCount ?? 0) > 0
  return {
    claim: async (key, claim) => {
      await ready()
      // Without a condition nothing is refused.
      return (await claimKey(pool, { text: sql.claim, values: () => [], key, claim })) ?? BUSY
    },
    claimWhere: (condition) => {
      const text = claimText(condition)
      return async (values, key, claim) => {
        await ready()
        return claimKey(pool, { text, values, key, claim })
      }
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
  readonly text: string
  /** Of the condition. */
  readonly values: () => readonly unknown[]
  readonly key: string
  readonly claim: KeyClaim
}

/** Undefined where the condition does not hold. */
async function claimKey(pool: Querying, { text, values, key, claim }: Claiming): Promise<Claimed | undefined> {
  const { tool, inputHash, holder, leaseMs, keepMs, takesOver } = claim
  const given = [key, tool, inputHash, holder, bounded(leaseMs), bounded(keepMs), takesOver]
  for (let look = 0; look < MOST_LOOKS; look++) {
    const { rows } = await pool.query<KeyRow>({ ...PROMPT, text, values: [...given, ...values()] })
    const [row] = rows
    if (row?.state === 'refused') return undefined
    if (row?.state === 'again') continue
    const claimed = row === undefined ? undefined : verdictOn(row, takesOver)
    if (claimed !== undefined) return claimed
  }
  return BUSY
}

/** Undefined where the row has changed since it could not be claimed. */
function verdictOn({ mine, same, input_hash, state, fence, result, lease_ms }: KeyRow, takesOver: boolean): Claimed | undefined {
  if (mine) return { state: 'mine', fence: Number(fence) }
  if (!same) return { state: 'conflict', inputHash: input_hash }
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
    if (signal.aborted || (await pool.query({ ...PROMPT, text: sql.isHeld, values: [key] })).rowCount === 0) return
  }
}

function bounded(ms: number): number {
  return Math.min(ms, FOR_EVER_MS)
}

/**
 * A holder gets its own claim again, unchanged. The second half reads a key that could not be claimed; where there is a condition and it does
 * not hold, it only says so.
 */
export function claimText(condition?: KeyCondition): string {
  const own = `(k.holder = excluded.holder AND k.input_hash = excluded.input_hash AND NOT ${forgotten('k')})`
  const [first, from, holds, otherwise] =
    condition === undefined
      ? ['', '', '', '']
      : [
          `condition AS MATERIALIZED (${condition.holds}), `,
          ' FROM condition',
          ' AND EXISTS (SELECT FROM condition)',
          `
UNION ALL
SELECT false, false, '', CASE WHEN EXISTS (${condition.mayHoldLater}) THEN 'again' ELSE 'refused' END, '0', NULL, 0::float8
WHERE NOT EXISTS (SELECT FROM condition)`,
        ]
  return `
WITH ${first}claimed AS (
  INSERT INTO ${TABLE} AS k (key, tool, input_hash, holder, fence, state, lease_until, keep_ms, keep_until)
  SELECT $1, $2, $3, $4, nextval('toolwright.idempotency_fence'), 'held', ${after('$5::float8')}, $6::float8, ${after('$6::float8')}${from}
  ON CONFLICT (key) DO UPDATE SET
    tool = excluded.tool, input_hash = excluded.input_hash, holder = excluded.holder, lease_until = excluded.lease_until,
    keep_ms = excluded.keep_ms,
    fence = CASE WHEN ${own} THEN k.fence ELSE excluded.fence END,
    state = CASE WHEN ${own} THEN k.state ELSE 'held' END,
    result = CASE WHEN ${own} THEN k.result END,
    keep_until = CASE WHEN ${own} THEN k.keep_until ELSE excluded.keep_until END
  WHERE ${own} OR ${forgotten('k')}
    OR ($7::boolean AND k.state = 'held' AND k.lease_until <= ${NOW} AND k.input_hash = excluded.input_hash)
  RETURNING fence
)
SELECT true AS mine, true AS same, $3 AS input_hash, 'held' AS state, fence::text, NULL AS result, 0::float8 AS lease_ms FROM claimed
UNION ALL
SELECT false, input_hash = $3, input_hash, state, fence::text, CASE WHEN input_hash = $3 THEN result::text END,
  (1000 * extract(epoch FROM lease_until - ${NOW}))::float8
FROM ${TABLE} WHERE key = $1 AND NOT EXISTS (SELECT FROM claimed)${holds}${otherwise}`
}

interface IdempotencyStatements {
  readonly claim: string
  readonly renew: string
  readonly settle: string
  readonly free: string
  readonly isHeld: string
  readonly sweep: string
}

const TABLE = 'toolwright.idempotency'

/** One moment for the whole statement. After a wait for a row it is a little old, which only lets a holder live longer. */
const NOW = 'statement_timestamp()'

/** A held key is not forgotten, however old it is. */
const forgotten = (row: string): string => `(${row}.keep_until <= ${NOW} AND (${row}.state = 'done' OR ${row}.lease_until <= ${NOW}))`

const after = (milliseconds: string): string => `${NOW} + ${milliseconds} * interval '1 ms'`

/** The statements over the keys. Each is whole by itself, and none needs a transaction around it. */
export function idempotencyStatements(): IdempotencyStatements {
  return {
    claim: claimText(),
    renew: `
UPDATE ${TABLE} SET lease_until = ${after('$3::float8')}, keep_until = ${after('keep_ms')}
WHERE key = $1 AND fence = $2 AND state = 'held'`,
    // A settled key stays settled.
    settle: `
UPDATE ${TABLE} SET state = 'done', result = coalesce(result, $3::json),
  keep_until = CASE WHEN state = 'done' THEN keep_until ELSE ${after('keep_ms')} END
WHERE key = $1 AND fence = $2`,
    free: `DELETE FROM ${TABLE} WHERE key = $1 AND fence = $2 AND state = 'held'`,
    isHeld: `SELECT FROM ${TABLE} WHERE key = $1 AND state = 'held' AND lease_until > ${NOW}`,
    sweep: `DELETE FROM ${TABLE} AS k WHERE ${forgotten('k')}`,
  }
}

/** The keys of `idempotent`. Fences come from one sequence, so that one is never given twice, even for a key that was freed. */
export const idempotencyMigration: Migration = {
  id: 1,
  name: 'idempotency',
  sql: `
CREATE SEQUENCE toolwright.idempotency_fence;

CREATE TABLE toolwright.idempotency (
  key text COLLATE "C" PRIMARY KEY,
  tool text NOT NULL,
  input_hash text NOT NULL,
  holder text NOT NULL,
  fence bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('held', 'done')),
  lease_until timestamptz NOT NULL,
  keep_ms double precision NOT NULL,
  keep_until timestamptz NOT NULL,
  result json,
  CHECK ((state = 'done') = (result IS NOT NULL))
);
CREATE INDEX idempotency_keep_until ON toolwright.idempotency (keep_until);
`,
}
