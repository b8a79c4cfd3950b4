import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { temporaryHome } from '../../test/fixtures/store/temporary-home.ts'
import { openStore } from './open-store.ts'
import type { Store } from './store.ts'

const home = temporaryHome()
let store: Store

beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', '')
  store = await openStore({ home, poolSize: 4 })
})
beforeEach(() =>
  store.pool.query(
    'drop table if exists stock; create table stock (id int primary key, count int); insert into stock values (1, 10), (2, 10)',
  ),
)
afterAll(() => store.close())

test('what a transaction did is kept when it resolves, with what it gave', async () => {
  expect(await store.transaction(async (client) => (await client.query('update stock set count = 9')).rowCount)).toBe(2)
  expect(await counts()).toEqual([9, 9])
})

test('nothing is kept when it rejects, and the error is the one that was thrown', async () => {
  const thrown = new Error('out of stock')
  const run = store.transaction(async (client) => {
    await client.query('update stock set count = 9')
    throw thrown
  })
  await expect(run).rejects.toBe(thrown)
  expect(await counts()).toEqual([10, 10])
})

test('a statement whose failure was swallowed does not pass for a commit', async () => {
  const run = store.transaction(async (client) => {
    await client.query('update stock set count = 9')
    await client.query('select 1 / 0').catch(() => {})
  })
  await expect(run).rejects.toThrow('The transaction was rolled back')
  expect(await counts()).toEqual([10, 10])
})

test('two that lock each other out both end', async () => {
  let inside = 0
  let meet: () => void
  const met = new Promise<void>((resolve) => (meet = resolve))
  const take = (first: number, second: number): Promise<unknown> =>
    store.transaction(async (client) => {
      await client.query('update stock set count = count - 1 where id = $1', [first])
      if (++inside === 2) meet()
      await met
      await client.query('update stock set count = count - 1 where id = $1', [second])
    })
  await Promise.all([take(1, 2), take(2, 1)])
  expect(await counts()).toEqual([8, 8])
  expect(inside).toBe(3)
})

test('one that is always refused ends with the refusal, after a few attempts', async () => {
  let attempts = 0
  const run = store.transaction(async (client) => {
    attempts++
    await client.query(`do $$ begin raise exception 'again' using errcode = '40001'; end $$`)
  })
  await expect(run).rejects.toMatchObject({ code: '40001' })
  expect(attempts).toBe(5)
})

test('a connection that is gone before the transaction begins is replaced', async () => {
  const { rows } = await store.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  process.kill(rows[0]?.pid ?? 0, 'SIGTERM')
  // It ends while nothing is read here, so that the pool still counts on it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  expect(store.pool.idleCount).toBeGreaterThan(0)
  await store.transaction((client) => client.query('update stock set count = count - 1'))
  expect(await counts()).toEqual([9, 9])
})

async function counts(): Promise<readonly number[]> {
  const { rows } = await store.pool.query<{ count: number }>('select count from stock order by id')
  return rows.map(({ count }) => count)
}
