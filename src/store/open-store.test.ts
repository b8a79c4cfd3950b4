import { spawn } from 'node:child_process'
import { chownSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { isOpenCheckout } from '../../test/fixtures/store/open-checkout.ts'
import { startChild } from '../../test/fixtures/store/child-process.ts'
import { serverOf, temporaryHome } from '../../test/fixtures/store/temporary-home.ts'
import { openStore } from './open-store.ts'
import { stopEmbedded } from './stop-embedded.ts'
import type { Store } from './store.ts'

const STARTED = 'select pg_postmaster_start_time()::text as found'

vi.stubEnv('DATABASE_URL', '')

describe.skipIf(!isOpenCheckout)('a home that is used for the first time', () => {
  const home = temporaryHome('data of ada, "quoted"')
  let store: Store

  beforeAll(async () => {
    store = await openStore({ home })
  })
  afterAll(() => store.close())

  test('holds a durable PostgreSQL 18 that no network reaches', async () => {
    const names = [
      'server_version_num',
      'listen_addresses',
      'fsync',
      'synchronous_commit',
      'wal_level',
      'server_encoding',
      'TimeZone',
      'jit',
    ]
    const { rows } = await store.pool.query<{ name: string; setting: string }>(
      'select name, setting from pg_settings where name = any($1)',
      [names],
    )
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      server_version_num: expect.stringMatching(/^18/),
      listen_addresses: '',
      fsync: 'on',
      synchronous_commit: 'on',
      wal_level: 'minimal',
      server_encoding: 'UTF8',
      TimeZone: 'UTC',
      jit: 'off',
    })
  })

  test('lets nobody but the user of the server to its socket', () => {
    const { mode, uid } = statSync(join(home, 'postgres', 'run'))
    expect(mode & 0o777).toBe(0o700)
    expect(uid).toBe(process.getuid?.() === 0 ? 65_534 : process.getuid?.())
  })

  test('has nothing left over from its making', () => {
    expect(readdirSync(join(home, 'postgres')).toSorted()).toEqual(['access.conf', 'data', 'run', 'server.log'])
  })

  test('gives json as text and bigint as number', async () => {
    const { rows } = await store.pool.query(
      `select '{"b":1,  "a":2}'::json as text, '{"a":2}'::jsonb as value, 12345678901::bigint as count`,
    )
    expect(rows).toEqual([{ text: '{"b":1,  "a":2}', value: { a: 2 }, count: 12_345_678_901 }])
  })

  test('keeps statements and values out of the log of the server', async () => {
    await expect(store.pool.query(`select 'secret-in-statement'::int`)).rejects.toThrow('invalid input syntax')
    expect(readFileSync(join(home, 'postgres', 'server.log'), 'utf8')).not.toContain('secret-in-statement')
  })

  test('is found running by a second process', async () => {
    const { rows } = await store.pool.query(STARTED)
    const child = await startChild('open-home.ts', [home, STARTED])
    await child.end()
    expect(child.said).toEqual({ found: rows[0].found })
  })

  test('is found by whoever connects with `connection`', async () => {
    const { Client } = await import('pg').then((module) => module.default)
    const client = new Client(store.connection)
    await client.connect()
    const { rows } = await client.query('select 7 as seven')
    await client.end()
    expect(rows).toEqual([{ seven: 7 }])
  })
})

describe('processes that come and go', () => {
  const home = temporaryHome()
  const unfinished = temporaryHome()

  test('start one server when they open a new home at once', async () => {
    const children = await Promise.all([1, 2, 3].map(() => startChild('open-home.ts', [home, STARTED])))
    await Promise.all(children.map((child) => child.end()))
    expect(children.map(({ said }) => said)).toEqual(children.map(() => ({ found: expect.any(String) })))
    expect(new Set(children.map(({ said }) => said.found)).size).toBe(1)
  })

  test('leave nothing half-made when they are killed in the middle of making it', async () => {
    const killed = startChild('open-home.ts', [unfinished])
    const root = join(unfinished, 'postgres')
    await expect
      .poll(() => existsSync(root) && readdirSync(root).some((entry) => entry.startsWith('new-')), { interval: 5, timeout: 5000 })
      .toBe(true)
    const [pid] = readFileSync(join(root, 'start.lock'), 'utf8').split(' ')
    process.kill(Number(pid), 'SIGKILL')
    expect((await killed).said).toEqual({ message: 'ended without a word' })
    expect(existsSync(join(root, 'data'))).toBe(false)
    const store = await openStore({ home: unfinished })
    await store.close()
    expect(await serverOf(unfinished)).toBeGreaterThan(0)
  })

  test('leave the server running when they are killed, and the next finds what was committed', async () => {
    const child = await startChild('open-home.ts', [home, 'create table kept as select 42 as found; select 42 as found'])
    const before = await serverOf(home)
    child.process.kill('SIGKILL')
    await child.end()
    const store = await openStore({ home })
    const { rows } = await store.pool.query('select found from kept')
    await store.close()
    expect(rows).toEqual([{ found: 42 }])
    expect(await serverOf(home)).toBe(before)
  })
})

describe('a server that is killed', () => {
  const home = temporaryHome()
  const homeOfBusy = temporaryHome()

  test('is started again by an open store, and has lost nothing that was committed', async () => {
    const store = await openStore({ home })
    await store.pool.query('create table kept (id int)')
    await store.transaction((client) => client.query('insert into kept values (1)'))
    const waiting = await store.pool.connect()
    await waiting.query('begin')
    const lost = new Promise((resolve) => waiting.once('end', resolve))
    const killed = await serverOf(home)
    process.kill(killed, 'SIGKILL')
    // The connection in hand dies between two statements, which must not end the process.
    await lost
    waiting.release(true)
    const rows = await Promise.all([1, 2, 3].map(() => store.transaction((client) => client.query('select id from kept'))))
    expect(rows.map((each) => each.rows)).toEqual([[{ id: 1 }], [{ id: 1 }], [{ id: 1 }]])
    expect(await serverOf(home)).not.toBe(killed)
    await store.close()
  })

  test('is started again by the next process', async () => {
    process.kill(await serverOf(home), 'SIGKILL')
    const child = await startChild('open-home.ts', [home, 'select count(*)::int as found from kept'])
    await child.end()
    expect(child.said).toEqual({ found: 1 })
  })

  test('is started again although another process has its number now', async () => {
    await stopEmbedded(home)
    const file = join(home, 'postgres', 'data', 'postmaster.pid')
    const { uid, gid } = statSync(join(home, 'postgres', 'data'))
    const other = spawn('sleep', ['60'], { uid, gid, stdio: 'ignore' })
    const lines = [other.pid, join(home, 'postgres', 'data'), 1, 5432, join(home, 'postgres', 'run'), '', '', 'ready']
    writeFileSync(file, `${lines.join('\n')}\n`)
    chownSync(file, uid, gid)
    expect(await stopEmbedded(home)).toBe(false)
    const store = await openStore({ home, connectTimeout: '10s' })
    await store.close()
    expect(await serverOf(home)).not.toBe(other.pid)
    expect(other.exitCode ?? other.signalCode).toBe(null)
    other.kill()
  })

  test('is started again although a statement of it still runs', async () => {
    const store = await openStore({ home: homeOfBusy, connectTimeout: '10s' })
    const endless = store.pool.query('do $$ begin loop end loop; end $$').catch((error: Error) => error)
    await expect.poll(async () => (await store.pool.query(`select from pg_stat_activity where query like 'do %'`)).rowCount).toBe(1)
    const killed = await serverOf(homeOfBusy)
    process.kill(killed, 'SIGKILL')
    await expect
      .poll(
        () =>
          store.pool.query('select 1').then(
            () => serverOf(homeOfBusy),
            () => killed,
          ),
        { timeout: 9000 },
      )
      .not.toBe(killed)
    expect(await endless).toBeInstanceOf(Error)
    await store.close()
  })
})

describe('a server that nobody uses', () => {
  const home = temporaryHome()

  test('stops by itself after the idle time, and not while a store is open', async () => {
    const store = await openStore({ home, idleStop: '300ms' })
    const { rows } = await store.pool.query(STARTED)
    await new Promise((resolve) => setTimeout(resolve, 1200))
    expect((await store.pool.query(STARTED)).rows).toEqual(rows)
    expect(readFileSync(join(home, 'postgres', 'server.log'), 'utf8')).not.toContain('shutdown request')
    // The last connection is never given up, however long it is not used.
    expect(store.pool.options.min).toBe(1)
    await store.close()
    await expect.poll(() => serverOf(home), { timeout: 5000 }).toBe(0)
    expect(readFileSync(join(home, 'postgres', 'server.log'), 'utf8')).toContain('received smart shutdown request')
  })

  test('is started by the next who opens it, and by an open store after it was stopped', async () => {
    const store = await openStore({ home, idleStop: Infinity })
    expect(await stopEmbedded(home)).toBe(true)
    expect((await store.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await store.close()
    expect(await stopEmbedded(home)).toBe(true)
    expect(await stopEmbedded(home)).toBe(false)
  })
})

test('a home with a long path has its socket elsewhere, in a folder of the server alone', async () => {
  const home = long
  const store = await openStore({ home })
  const { host = '' } = store.connection
  await store.close()
  expect(host).not.toContain(home)
  expect(host.length).toBeLessThan(90)
  expect(statSync(host).mode & 0o777).toBe(0o700)
  expect(existsSync(join(home, 'postgres', 'data', 'PG_VERSION'))).toBe(true)
})
const long = temporaryHome('a'.repeat(120))

test('closing cuts off who keeps a connection, and may be done twice', { timeout: 20_000 }, async () => {
  const store = await openStore({ home: long })
  const kept = await store.pool.connect()
  const ended = new Promise((resolve) => kept.once('end', resolve))
  await Promise.all([store.close(), store.close()])
  await ended
  await expect(store.pool.query('select 1')).rejects.toThrow('after calling end')
})

test.each([
  [{ poolSize: 0 }, "The option 'poolSize' must be a whole number from 1, not 0."],
  [{ connectTimeout: -1 }, "The option 'connectTimeout' must be milliseconds"],
  [{ home: '' }, 'The home of the store must be the path of a folder'],
])('the options %j are refused', async (options, message) => {
  const error: unknown = await openStore(options).catch((thrown: unknown) => thrown)
  expect(inspect(error)).toContain(message)
  expect(error).toMatchObject({ code: 'invalid_option' })
})
