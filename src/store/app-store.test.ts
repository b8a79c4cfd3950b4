import { expect, test } from 'vitest'
import { durableRuns } from '../../test/fixtures/run/durable-runs.ts'
import { listApps } from '../run/postgres/apps.ts'
import { appText, schemasOf } from './app.ts'
import { appStore, inSchemas } from './app-store.ts'
import { openStore } from './open-store.ts'
import { tool } from '../tool/tool.ts'

const database = durableRuns()
const orders = { name: 'toolwright', environment: 'production' }
const pay = tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: (input: string) => input })

test('the words that stand for the schemas are replaced, and nothing else', () => {
  const own = inSchemas({ tables: 'mine', queue: 'mine_queue' })
  const marked = `SELECT FROM toolwright.entry WHERE data NOT LIKE '{"$toolwright":"sealed"%'`
  expect(own(marked)).toBe(marked.replace('toolwright.entry', 'mine.entry'))
  expect(own("SELECT pg_notify('toolwright', 'x') FROM toolwright.run JOIN toolwright_queue.job")).toBe(
    "SELECT pg_notify('mine', 'x') FROM mine.run JOIN mine_queue.job",
  )
  expect(own('SELECT * FROM toolwright_orders_1.run, mytoolwright.run')).toBe('SELECT * FROM toolwright_orders_1.run, mytoolwright.run')
})

test('all that an app keeps lies in its schemas: a statement that does not name them finds no table', async () => {
  const runs = await database.open([pay], { app: appText(orders) })
  await (await runs.start(pay, 'x', { key: 'k' })).result()
  await runs.idempotency.claim('k', { tool: 'pay', inputHash: 'h', holder: 'me', leaseMs: 1000, keepMs: 1000, takesOver: false })
  const raw = await openStore({ home: database.home })
  try {
    const { tables, queue } = schemasOf(orders)
    const { rows } = await raw.pool.query<{ schema: string }>(
      `SELECT DISTINCT schemaname AS schema FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
    )
    const found = rows.map(({ schema }) => schema)
    expect(found).toEqual(expect.arrayContaining([tables, queue]))
    expect(found.filter((schema) => schema === 'toolwright' || schema === 'toolwright_queue')).toEqual([])
    await expect(raw.pool.query('SELECT FROM toolwright.run')).rejects.toThrow('does not exist')
    expect(await listApps(raw.pool)).toContainEqual(orders)
  } finally {
    await raw.close()
  }
})

test('two apps share the connections of one store, with named statements and transactions', async () => {
  const raw = await openStore({ home: database.home, poolSize: 1 })
  const stores = ['one', 'two'].map((name) => appStore(raw, schemasOf({ name, environment: 'test' })))
  try {
    for (const { pool, transaction, schemas } of stores) {
      await pool.query('CREATE SCHEMA toolwright; CREATE TABLE toolwright.note (text text)')
      await transaction(async (client) => {
        await client.query({
          name: 'toolwright.note',
          text: 'INSERT INTO toolwright.note VALUES ($1)',
          values: [`toolwright of ${schemas.tables}`],
        })
      })
    }
    for (const { pool, schemas } of stores) {
      const { rows } = await pool.query({ name: 'toolwright.read', text: 'SELECT text FROM toolwright.note' })
      expect(rows).toEqual([{ text: `toolwright of ${schemas.tables}` }])
    }
  } finally {
    await raw.close()
  }
})

test('runs of a time before there were apps are named once, when an app comes to their database', async () => {
  const raw = await openStore({ home: database.home })
  const warnings: string[] = []
  const open = async (app: string): Promise<void> => {
    const runs = await database.open([], { app, worker: false, warn: (message) => warnings.push(message) })
    await runs.close()
  }
  try {
    await raw.pool.query('CREATE SCHEMA toolwright; CREATE TABLE toolwright.run (id text)')
    await open('late')
    await open('late')
  } finally {
    await raw.pool.query('DROP SCHEMA toolwright CASCADE')
    await raw.close()
  }
  expect(warnings).toEqual([expect.stringContaining('knew no apps, in its schema toolwright')])
})
