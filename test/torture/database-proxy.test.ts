import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type StartedPostgres, startPostgres } from '../fixtures/postgres/start-postgres.ts'
import { DatabaseProxy } from './database-proxy.ts'
import type { ProxiedConnection } from './proxied-connection.ts'

let server: StartedPostgres
let direct: pg.Client
let proxy: DatabaseProxy
const clients: pg.Client[] = []

beforeAll(async () => {
  server = await startPostgres()
  direct = new pg.Client(server.config)
  await direct.connect()
  await direct.query('CREATE TABLE note (text text)')
}, 60_000)
beforeEach(async () => {
  proxy = await DatabaseProxy.open(server.config)
  await direct.query('TRUNCATE note')
})
afterEach(async () => {
  await proxy.close()
  await Promise.all(clients.splice(0).map((client) => client.end().catch(() => {})))
})
afterAll(async () => {
  await direct.end()
  await server.stop()
})

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: proxy.url })
  client.on('error', () => {})
  await client.connect()
  clients.push(client)
  return client
}

function lastUsed(): ProxiedConnection {
  const [connection] = proxy.connections
  if (connection === undefined) throw new Error('Nobody is connected.')
  return connection
}

async function notes(): Promise<readonly string[]> {
  const { rows } = await direct.query<{ text: string }>('SELECT text FROM note')
  return rows.map(({ text }) => text)
}

const insert = (text: string): pg.QueryConfig => ({ text: 'INSERT INTO note VALUES ($1)', values: [text] })
const SOON_MS = 300
const soon = (work: Promise<unknown>): Promise<'answered' | 'failed' | 'silent'> =>
  Promise.race([
    work.then(
      () => 'answered' as const,
      () => 'failed' as const,
    ),
    new Promise<'silent'>((resolve) => setTimeout(resolve, SOON_MS, 'silent')),
  ])

test('passes statements and replies of any size', async () => {
  const client = await connect()
  const { rows } = await client.query<{ length: number }>("SELECT length($1), repeat('x', 3000000) AS long", ['é'.repeat(2_000_000)])
  expect(rows[0]).toMatchObject({ length: 2_000_000 })
})

test('cuts a connection, and lets another be made', async () => {
  const client = await connect()
  lastUsed().cut()
  expect(await soon(client.query(insert('a')))).toBe('failed')
  expect(await soon((await connect()).query(insert('b')))).toBe('answered')
  expect(await notes()).toEqual(['b'])
})

test('loses the reply after the statement has reached the server', async () => {
  const client = await connect()
  lastUsed().loseReply()
  expect(await soon(client.query(insert('a')))).toBe('failed')
  expect(await notes()).toEqual(['a'])
})

test.each([
  ['replies', ['a']],
  ['all', []],
] as const)('is silent about %s, and others go on', async (silence, expected) => {
  const client = await connect()
  lastUsed().silence(silence)
  expect(await soon(client.query(insert('a')))).toBe('silent')
  expect(await notes()).toEqual(expected)
  expect(await soon((await connect()).query('SELECT 1'))).toBe('answered')
  proxy.heal()
  expect(await soon(client.query('SELECT 1'))).toBe('failed')
})

test('a silent connection keeps its locks when its client is gone', async () => {
  const client = await connect()
  await client.query('BEGIN')
  await client.query('LOCK TABLE note IN ACCESS EXCLUSIVE MODE')
  lastUsed().silence('all')
  clients.splice(0)
  ;(client as unknown as { readonly connection: { readonly stream: { destroy: () => void } } }).connection.stream.destroy()
  const reading = notes()
  expect(await soon(reading)).toBe('silent')
  proxy.heal()
  expect(await soon(reading)).toBe('answered')
})

test('delays both ways', async () => {
  const client = await connect()
  lastUsed().delay(60)
  const since = performance.now()
  for (const each of ['a', 'b', 'c']) await client.query(insert(each))
  expect(performance.now() - since).toBeGreaterThan(3 * 2 * 60)
  expect(await notes()).toEqual(['a', 'b', 'c'])
})

test('lets nobody in, or leaves whoever comes without an answer', async () => {
  proxy.admission = 'refuse'
  expect(await soon(connect())).toBe('failed')
  proxy.admission = 'silent'
  const waiting = connect()
  expect(await soon(waiting)).toBe('silent')
  proxy.heal()
  await expect(waiting).rejects.toThrow(/terminated/)
  expect(await soon(connect())).toBe('answered')
})
