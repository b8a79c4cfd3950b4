import type { Pool } from 'pg'
import { idempotencyKeys, type KeyCondition } from '../../store/postgres-idempotency.ts'
import type { RunKeys } from '../store/run-keys.ts'

const UNDER_WAY = "id = $8 AND epoch = $9 AND status = 'running'"

/**
 * The run is under way under the epoch: its row is locked, as records lock it, so that whoever takes the run up waits, and a later claim under the
 * old epoch is refused. The claims of a run are numbered: one that is still on its way when its worker has given it up, and asked again, comes too
 * late. It would hold the key for a call that may have ended.
 */
export const NEXT_CLAIM: KeyCondition = {
  holds: `UPDATE toolwright.run SET key_claim = $10 WHERE ${UNDER_WAY} AND key_claim < $10 RETURNING id`,
  // With a lock, since only then the row is looked at as it is now.
  mayHoldLater: `SELECT FROM toolwright.run WHERE ${UNDER_WAY} FOR SHARE`,
}

/** The keys of an app, beside its runs. */
export function postgresRunKeys(pool: Pool): RunKeys {
  const { claimWhere, ...keys } = idempotencyKeys(pool)
  const claim = claimWhere(NEXT_CLAIM)
  let claims = 0
  return { ...keys, claimIn: ({ id, epoch }, key, wanted) => claim(() => [id, epoch, epoch * 2 ** 32 + ++claims], key, wanted) }
}
