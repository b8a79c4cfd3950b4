import { decideApproval } from '../../src/run/approvals/decide-approval.ts'
import type { EncryptionOptions } from '../../src/run/database-options.ts'
import { growingPause } from '../../src/run/host.ts'
import { sealedIdempotency } from '../../src/run/journal/sealed-idempotency.ts'
import { Values } from '../../src/run/journal/values.ts'
import { Openness } from '../../src/run/openness.ts'
import { postgresRunStore } from '../../src/run/postgres/postgres-run-store.ts'
import type { RunsContext } from '../../src/run/runs-context.ts'
import type { RunNotices, RunStore } from '../../src/run/store/run-store.ts'
import { InboxError } from '../../src/review/inbox-error.ts'
import type { Store } from '../../src/store/store.ts'
import { transaction } from '../../src/store/transaction.ts'
import type { Listener } from './memory-database.ts'
import { type PoolParts, SimulatedPool } from './simulated-pool.ts'
import { simulatedQueue } from './simulated-queue.ts'

/** The product's own engine in a simulated process: everything but the driver and the queue. */
export function openEngine(parts: PoolParts, encryption: EncryptionOptions | undefined): RunsContext {
  const pool = new SimulatedPool(parts)
  const database = { pool, transaction: ((work) => transaction(pool as never, work)) satisfies Store['transaction'] } as unknown as Store
  const values = new Values(encryption)
  const opened = postgresRunStore({ store: database, jobs: simulatedQueue(database), notices: simulatedNotices(parts) })
  // No world is so long that the time of a key is over.
  const store: RunStore = { ...opened, idempotency: { ...opened.idempotency, sweep: () => Promise.resolve(0) } }
  const context: RunsContext = {
    store,
    values,
    idempotency: sealedIdempotency(store.idempotency, values),
    reach: () => {},
    openness: new Openness(),
    tools: async () => new Map(),
    start: (run) => store.start(run),
    patiently: (work) => patiently(store, work),
    decide: async (id, decision) => {
      try {
        await patiently(store, () => decideApproval(context, id, { decision, by: decision.by, channel: 'inbox' }))
        return true
      } catch (error) {
        if (error instanceof InboxError) return false
        throw error
      }
    },
    onRequest: () => {},
  }
  return context
}

function simulatedNotices({ database, owner }: PoolParts): RunNotices {
  return {
    on: (hear) => {
      const listener: Listener = { owner, hear: hear as Listener['hear'] }
      database.listeners.add(listener)
      owner.onDeath.push(() => database.listeners.delete(listener))
      return () => database.listeners.delete(listener)
    },
  }
}

async function patiently<T>({ clock, isPassing }: RunStore, work: () => Promise<T>): Promise<T> {
  const pause = growingPause(clock)
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error)) throw error
      await pause()
    }
  }
}
