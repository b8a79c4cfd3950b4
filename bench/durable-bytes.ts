import { createRuntime } from 'toolwright'
import { openStore, type Store } from 'toolwright/store'
import { ownStore } from '../test/fixtures/run/own-store.ts'
import { AT_ONCE, durableJob, Ledger, STEPS } from './durable-job.ts'
import { withEmbedded } from './durable-servers.ts'
import { runDurably } from './durable-steps.ts'
import type { Figure } from './figure.ts'
import { ratioOf } from './take-turns.ts'

const RUNS = 200
/** Every round counts the same but for what a vacuum has cleared meanwhile. */
const ROUNDS = 3
/** 4.5x to 4.7x were measured when this was set. */
const MOST_TIMES = 6

/** What a run leaves in the database, indexes and dead rows included, beside its inputs and values in plain rows. */
export function measureBytesPerRun(): Promise<readonly Figure[]> {
  return withEmbedded(async (database) => {
    const job = durableJob(new Ledger())
    const runtime = createRuntime({ tools: [job], database })
    const store = ownStore(await openStore(database))
    try {
      await runDurably({ runtime, job, runs: AT_ONCE })
      await store.pool.query('CREATE SCHEMA plain; CREATE TABLE plain.step (key text PRIMARY KEY, input json, value json)')
      const sizes = { plain: [] as number[], durable: [] as number[] }
      for (let round = 0; round < ROUNDS; round++) {
        const before = await bytesOf(store, store.schemas.tables)
        for (let done = 0; done < RUNS; done += AT_ONCE) await runDurably({ runtime, job, runs: AT_ONCE })
        sizes.durable.push((await bytesOf(store, store.schemas.tables)) - before)
        const without = await bytesOf(store, 'plain')
        await store.pool.query(
          `INSERT INTO plain.step SELECT gen_random_uuid()::text, json_build_object('run', gen_random_uuid(), 'count', step), to_json(step)
           FROM generate_series(1, $1::int) AS step`,
          [RUNS * STEPS],
        )
        sizes.plain.push((await bytesOf(store, 'plain')) - without)
      }
      const perRun = (bytes: readonly number[]): number[] => bytes.map((each) => each / RUNS)
      return [
        {
          ...{ name: 'durable-bytes', unit: 'bytes', budget: MOST_TIMES, ...ratioOf(perRun(sizes.plain), perRun(sizes.durable)) },
          about: `what a run of ${STEPS} steps leaves in the database, beside key, input and value of each step in a plain table`,
        },
      ]
    } finally {
      await runtime.close()
      await store.close()
    }
  })
}

async function bytesOf(store: Store, schema: string): Promise<number> {
  const { rows } = await store.pool.query<{ bytes: number }>(
    "SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::int8 AS bytes FROM pg_class WHERE relkind = 'r' AND relnamespace = $1::regnamespace",
    [schema],
  )
  return rows[0]?.bytes ?? 0
}
