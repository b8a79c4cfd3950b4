import type { Pool } from 'pg'
import { idempotencyKeys } from '../../store/postgres-idempotency.ts'
import type { RunKeys } from '../store/run-keys.ts'

/** The share lock is the one that fences records too: whoever takes the run up waits for it, and a later claim under the old epoch is refused. */
export const UNDER_WAY = `SELECT id FROM toolwright.run WHERE id = $8 AND epoch = $9 AND status = 'running' FOR SHARE`

/** The keys of an app, beside its runs. */
export function postgresRunKeys(pool: Pool): RunKeys {
  const { claimWhere, ...keys } = idempotencyKeys(pool)
  const claim = claimWhere(UNDER_WAY)
  return { ...keys, claimIn: ({ id, epoch }, key, wanted) => claim([id, epoch], key, wanted) }
}
