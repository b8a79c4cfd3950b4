import { decideApproval } from '../../src/run/approvals/decide-approval.ts'
import type { EncryptionOptions } from '../../src/run/database-options.ts'
import { growingPause } from '../../src/run/waiting.ts'
import type { Notices } from '../../src/run/postgres/notices.ts'
import { isPassing } from '../../src/run/postgres/passing-error.ts'
import type { RunsContext } from '../../src/run/runs-context.ts'
import { sealedIdempotency } from '../../src/run/journal/sealed-idempotency.ts'
import { Values } from '../../src/run/journal/values.ts'
import { InboxError } from '../../src/review/inbox-error.ts'
import { postgresIdempotency } from '../../src/store/postgres-idempotency.ts'
import type { Store } from '../../src/store/store.ts'
import { transaction } from '../../src/store/transaction.ts'
import type { IdempotencyStore } from '../../src/tool/idempotency-store.ts'
import type { Listener } from './memory-database.ts'
import { type PoolParts, SimulatedPool } from './simulated-pool.ts'
import { simulatedQueue } from './simulated-queue.ts'

/** What a simulated process has of the product: everything but the driver and the queue is the product's own. */
export interface Engine {
  readonly context: RunsContext
  readonly notices: Notices
  readonly idempotency: IdempotencyStore
}

export function openEngine(parts: PoolParts, encryption: EncryptionOptions | undefined): Engine {
  const { database, owner } = parts
  const pool = new SimulatedPool(parts)
  const store = { pool, transaction: ((work) => transaction(pool as never, work)) satisfies Store['transaction'] } as unknown as Store
  const values = new Values(encryption)
  const context: RunsContext = {
    store,
    queue: simulatedQueue(store),
    values,
    reach: () => {},
    patiently,
    decide: async (id, decision) => {
      try {
        await patiently(() => decideApproval(context, id, decision))
        return true
      } catch (error) {
        if (error instanceof InboxError) return false
        throw error
      }
    },
    onRequest: () => {},
  }
  const on = (hear: Listener['hear']): (() => void) => {
    const listener: Listener = { owner, hear }
    database.listeners.add(listener)
    owner.onDeath.push(() => database.listeners.delete(listener))
    return () => database.listeners.delete(listener)
  }
  const idempotency = sealedIdempotency(postgresIdempotency(store.pool), values)
  return { context, notices: { on } as unknown as Notices, idempotency }
}

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const pause = growingPause()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error)) throw error
      await pause()
    }
  }
}
