import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { isOpenCheckout } from '../../test/fixtures/store/open-checkout.ts'
import { freePort } from '../../test/fixtures/free-port.ts'
import { startTcpServer, type TcpServer } from '../../test/fixtures/store/tcp-server.ts'
import { openStore } from './open-store.ts'
import { storeLocation } from './store-location.ts'

const PASSWORD = 'p@ss/w#rd?1'

describe.skipIf(!isOpenCheckout)('a database by URL', () => {
  let server: TcpServer

  beforeAll(async () => {
    server = await startTcpServer(PASSWORD)
  })
  afterAll(() => server.stop())

  const url = (parts: {
    readonly password?: string
    readonly user?: string
    readonly database?: string
    readonly port?: number
  }): string => {
    const { user = 'ada', password = PASSWORD, database = 'postgres', port = server.port } = parts
    return `postgres://${user}${password === '' ? '' : `:${encodeURIComponent(password)}`}@127.0.0.1:${port}/${database}`
  }

  test('is opened from the environment, which an option overrides', async () => {
    vi.stubEnv('DATABASE_URL', url({}))
    vi.stubEnv('TOOLWRIGHT_HOME', '/dev/null/not-used')
    const store = await openStore()
    expect(store.kind).toBe('url')
    expect((await store.pool.query('select 1::bigint as one')).rows).toEqual([{ one: 1 }])
    await store.close()
    await expect(openStore({ url: url({ database: 'orders' }) })).rejects.toThrow('orders')
    vi.unstubAllEnvs()
  })

  test('shows its password nowhere but in `connection`', async () => {
    const store = await openStore({ url: url({}) })
    const held = await store.pool.connect()
    const shown = inspect([store, store.pool, held], { depth: 12 }) + JSON.stringify(Object.assign({}, store.pool.options))
    held.release()
    expect(store.connection).toEqual({ connectionString: url({}) })
    await store.close()
    expect(shown).toContain('127.0.0.1')
    expect(shown).not.toContain(PASSWORD)
    expect(shown).not.toContain(encodeURIComponent(PASSWORD))
  })

  test.each([
    ['a wrong password', { password: 'wr0ng-secret' }, 'password authentication failed for user "ada"'],
    ['no password', { password: '' }, 'password must be a'],
    ['a user who does not exist', { user: 'eve', password: 'wr0ng-secret' }, 'password authentication failed for user "eve"'],
    ['a database that does not exist', { database: 'orders' }, 'database "orders" does not exist'],
  ])('is refused with %s, and told by user, host and database', async (_title, parts, reason) => {
    const error: unknown = await openStore({ url: url(parts) }).catch((thrown: unknown) => thrown)
    const { user = 'ada', database = 'postgres' } = parts as { readonly user?: string; readonly database?: string }
    expect(error).toMatchObject({
      name: 'ToolError',
      code: 'store_credentials',
      class: 'authorization',
      retryable: false,
      outcome: 'not_started',
    })
    expect(inspect(error)).toContain(`The database '${database}' at 127.0.0.1:${server.port} for user '${user}' refused the credentials: `)
    expect(inspect(error)).toContain(reason)
    expect(inspect(error, { depth: 12 })).not.toMatch(/wr0ng-secret|p@ss|p%40ss/)
  })

  test('is unavailable where nobody listens', async () => {
    const error: unknown = await openStore({ url: url({ port: await freePort() }) }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'store_unavailable', class: 'transient', retryable: true, outcome: 'not_started' })
    expect(inspect(error, { depth: 12 })).not.toMatch(/p@ss|p%40ss/)
  })
})

test.each([
  ['hunter2', 'it is not a URL'],
  ['mysql://ada:hunter2@db/orders', 'it does not begin with postgres://'],
  ['postgres://ada:hunter2#1@db/orders', 'percent-encoded'],
  ['postgres://ada:12#hunter2@db/orders', 'percent-encoded'],
  ['postgres://ada:12/hunter2@db/orders', 'percent-encoded'],
  ['postgres://ada:a@hunter2#b@db/orders', 'percent-encoded'],
  ['postgres://ada:a@hunter2/b@db/orders', 'percent-encoded'],
  ['postgres://ada:a@hunter2?b@db/orders', 'percent-encoded'],
  ['postgres://ada:12?hunter2@db/orders', 'percent-encoded'],
  ['postgres://ada:hunter2@db/orders?sslnegotiation=hunter2', 'it has a part that cannot be read'],
  ['postgres://ada:hunter2@db/orders?sslrootcert=/hunter2/no-such-file', 'a file that it names does not exist'],
])('the URL %s is refused without being repeated', async (url, reason) => {
  const error: unknown = await openStore({ url }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    name: 'ConfigurationError',
    code: 'invalid_option',
    message: expect.stringContaining("The option 'url' cannot be used: "),
  })
  expect(inspect(error)).toContain(reason)
  expect(inspect(error, { depth: 12 })).not.toContain('hunter2')
  await expect(storeLocation({ url })).rejects.toThrow("The option 'url'")
})
