import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startChild } from '../../test/fixtures/store/child-process.ts'
import { temporaryHome } from '../../test/fixtures/store/temporary-home.ts'
import { migrate, type Migration } from './migrate.ts'
import { openStore } from './open-store.ts'
import type { Store } from './store.ts'

const ORDERS: Migration = { id: 1, name: 'orders', sql: 'create table orders (id int); insert into orders values (7)' }
const TOTALS: Migration = { id: 2, name: 'totals', sql: 'alter table orders add total int not null default 0' }

const home = temporaryHome()
let store: Store

beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', '')
  store = await openStore({ home })
})
beforeEach(() => store.pool.query('drop schema if exists toolwright cascade; drop table if exists orders'))
afterAll(() => store.close())

test('each migration is applied once, and later ones when they come', async () => {
  await migrate(store.pool, [ORDERS])
  await migrate(store.pool, [ORDERS, TOTALS])
  await migrate(store.pool, [ORDERS, TOTALS])
  expect((await store.pool.query('select * from orders')).rows).toEqual([{ id: 7, total: 0 }])
  expect(await applied()).toEqual(['orders', 'totals'])
})

test('processes that migrate at once do it once', async () => {
  const slow: Migration = { ...ORDERS, sql: `${ORDERS.sql}; select pg_sleep(0.2)` }
  const children = await Promise.all([1, 2, 3].map(() => startChild('migrate-home.ts', [home, JSON.stringify([slow, TOTALS])])))
  await Promise.all(children.map((child) => child.end()))
  expect(children.map(({ said }) => said)).toEqual(children.map(() => ({ found: 'done' })))
  expect((await store.pool.query('select * from orders')).rows).toEqual([{ id: 7, total: 0 }])
})

test('of a migration that fails nothing is kept, and those before it stay', async () => {
  const broken: Migration = { id: 2, name: 'broken', sql: 'insert into orders values (8); select no_such_column from orders' }
  const error: unknown = await migrate(store.pool, [ORDERS, broken]).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    name: 'ToolError',
    message: 'Migration 2 (broken) failed, and nothing of it was kept: column "no_such_column" does not exist',
  })
  expect((await store.pool.query('select * from orders')).rows).toEqual([{ id: 7 }])
  expect(await applied()).toEqual(['orders'])
})

test('a database that is newer than the program is refused and stays as it is', async () => {
  await migrate(store.pool, [ORDERS, TOTALS])
  const error: unknown = await migrate(store.pool, [ORDERS]).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'ConfigurationError', code: 'store_version' })
  expect(error).toHaveProperty('message', expect.stringContaining('it has migration 2 (totals), and this version goes up to 1'))
  await expect(migrate(store.pool, [{ ...ORDERS, name: 'others' }, TOTALS])).rejects.toThrow('it has migration 1 (orders)')
})

test.each([[[TOTALS, ORDERS]], [[ORDERS, ORDERS]], [[{ ...ORDERS, id: 0 }]], [[{ ...ORDERS, id: 1.5 }]]])(
  'migrations that are out of order are refused: %j',
  async (migrations) => {
    await expect(migrate(store.pool, migrations)).rejects.toMatchObject({ code: 'invalid_definition' })
  },
)

async function applied(): Promise<readonly string[]> {
  const { rows } = await store.pool.query<{ name: string }>('select name from toolwright.migration order by id')
  return rows.map(({ name }) => name)
}

test('several programs share a database, each with a series of its own', async () => {
  await migrate(store.pool, [{ id: 1, name: 'mine', sql: 'create table mine (id text)' }], 'one')
  await migrate(store.pool, [{ id: 1, name: 'yours', sql: 'create table yours (id text)' }], 'other')
  const { rows } = await store.pool.query("select series, name from toolwright.migration where series in ('one', 'other') order by series")
  expect(rows).toEqual([
    { series: 'one', name: 'mine' },
    { series: 'other', name: 'yours' },
  ])
})
