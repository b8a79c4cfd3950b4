export interface IdempotencyStatements {
  readonly claim: string
  readonly renew: string
  readonly settle: string
  readonly free: string
  readonly isHeld: string
  readonly sweep: string
}

/** One moment for the whole statement. After a wait for a row it is a little old, which only lets a holder live longer. */
const NOW = 'statement_timestamp()'

/** What is still held is not forgotten, however old it is. */
const forgotten = (row: string): string => `(${row}.keep_until <= ${NOW} AND (${row}.state = 'done' OR ${row}.lease_until <= ${NOW}))`

const after = (milliseconds: string): string => `${NOW} + ${milliseconds} * interval '1 ms'`

/** The statements over the keys. Each is whole by itself, and none needs a transaction around it. */
export function idempotencyStatements(): IdempotencyStatements {
  const table = 'toolwright.idempotency'
  const own = `(k.holder = excluded.holder AND k.input_hash = excluded.input_hash AND NOT ${forgotten('k')})`
  return {
    // Its own claim is given back as it stands. The second half reads what could not be claimed.
    claim: `
WITH claimed AS (
  INSERT INTO ${table} AS k (key, tool, input_hash, holder, fence, state, lease_until, keep_ms, keep_until)
  VALUES ($1, $2, $3, $4, nextval('toolwright.idempotency_fence'), 'held', ${after('$5::float8')}, $6::float8, ${after('$6::float8')})
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
SELECT true AS mine, true AS same, 'held' AS state, fence::text, NULL AS result, 0::float8 AS lease_ms FROM claimed
UNION ALL
SELECT false, input_hash = $3, state, fence::text, CASE WHEN input_hash = $3 THEN result::text END,
  (1000 * extract(epoch FROM lease_until - ${NOW}))::float8
FROM ${table} WHERE key = $1 AND NOT EXISTS (SELECT FROM claimed)`,
    renew: `
UPDATE ${table} SET lease_until = ${after('$3::float8')}, keep_until = ${after('keep_ms')}
WHERE key = $1 AND fence = $2 AND state = 'held'`,
    // What is settled stays so.
    settle: `
UPDATE ${table} SET state = 'done', result = coalesce(result, $3::json),
  keep_until = CASE WHEN state = 'done' THEN keep_until ELSE ${after('keep_ms')} END
WHERE key = $1 AND fence = $2`,
    free: `DELETE FROM ${table} WHERE key = $1 AND fence = $2 AND state = 'held'`,
    isHeld: `SELECT FROM ${table} WHERE key = $1 AND state = 'held' AND lease_until > ${NOW}`,
    sweep: `DELETE FROM ${table} AS k WHERE ${forgotten('k')}`,
  }
}
