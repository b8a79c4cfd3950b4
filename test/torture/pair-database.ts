import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import { openRuns } from '../../src/run/open-runs.ts'
import { QUEUE_SCHEMA } from '../../src/run/postgres/queue-runs.ts'
import { createPool } from '../../src/store/pooled-store.ts'
import { PooledStore } from '../../src/store/pooled-store.ts'
import type { Store } from '../../src/store/store.ts'
import { ownStore } from '../fixtures/run/own-store.ts'

const TEMPLATE = 'torture_template'

/** A database of the server by its name. */
export async function openDatabase(connection: pg.ClientConfig): Promise<Store> {
  return ownStore(new PooledStore('url', await createPool({ ...connection, max: 5 }), connection))
}

/** Makes a database with all tables, of which those of single runs are copies: so no process takes up the run of another. */
export async function makeTemplate({ pool, connection }: Store): Promise<void> {
  await pool.query(`CREATE DATABASE ${TEMPLATE}`)
  const store = await openDatabase({ ...connection, database: TEMPLATE })
  const runs = await openRuns({ database: store, tools: async () => new Map(), worker: false })
  await runs.close()
  await store.close()
}

/** How to reach a fresh copy. */
export async function copyTemplate({ pool, connection }: Store, name: string): Promise<pg.ClientConfig> {
  await pool.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`)
  return { ...connection, database: name }
}

export async function dropDatabase({ pool }: Store, name: string): Promise<void> {
  await pool.query(`DROP DATABASE ${name} WITH (FORCE)`)
}

/**
 * Lets the queue find out now that whoever held jobs is dead: their last sign of life is set back, and the queue's own look for such jobs is
 * due. All that follows is as it is after the silence.
 */
export async function findTheDead({ pool }: Store): Promise<void> {
  await pool.query(`UPDATE ${QUEUE_SCHEMA}.job SET heartbeat_on = now() - interval '1 hour' WHERE state = 'active'`)
  await pool.query(`UPDATE ${QUEUE_SCHEMA}.queue SET monitor_on = NULL`)
  const boss = new PgBoss({
    db: { executeSql: async (text, values) => pool.query(text, values as unknown[]) },
    schema: QUEUE_SCHEMA,
    schedule: false,
    supervise: false,
    migrate: false,
  })
  await boss.start()
  await boss.supervise()
  await boss.stop({ graceful: false })
}
