import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storeLocation } from './store-location.ts'

beforeEach(() => {
  for (const name of ['DATABASE_URL', 'TOOLWRIGHT_HOME', 'XDG_DATA_HOME']) vi.stubEnv(name, '')
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

test('a URL is told by its parts and without its password, and gives way to a home that is named', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://ada:secret@db.example.com:6543/orders')
  await expect(storeLocation()).resolves.toEqual({ kind: 'url', host: 'db.example.com', port: 6543, user: 'ada', database: 'orders' })
  await expect(storeLocation({ home: '/srv/orders' })).resolves.toMatchObject({ kind: 'embedded' })
})

test('a home that is given comes before that of the environment', async () => {
  vi.stubEnv('TOOLWRIGHT_HOME', 'orders')
  await expect(storeLocation()).resolves.toMatchObject({ kind: 'embedded', home: resolve('orders') })
  await expect(storeLocation({ home: '/srv/orders' })).resolves.toEqual({
    kind: 'embedded',
    home: '/srv/orders',
    data: '/srv/orders/postgres/data',
    log: '/srv/orders/postgres/server.log',
  })
})

test.each([
  ['linux', 1000, '', `${homedir()}/.local/share/toolwright`],
  ['linux', 1000, '/data', '/data/toolwright'],
  ['linux', 1000, 'not/absolute', `${homedir()}/.local/share/toolwright`],
  ['linux', 0, '', '/var/lib/toolwright'],
  ['darwin', 501, '', `${homedir()}/Library/Application Support/toolwright`],
] as const)('on %s, user %i has it by the convention of the platform', async (platform, uid, shared, home) => {
  const original = process.platform
  Object.defineProperty(process, 'platform', { value: platform })
  vi.spyOn(process, 'getuid').mockReturnValue(uid)
  // Outside of all projects.
  vi.spyOn(process, 'cwd').mockReturnValue('/')
  vi.stubEnv('XDG_DATA_HOME', shared)
  try {
    await expect(storeLocation()).resolves.toMatchObject({ home })
  } finally {
    Object.defineProperty(process, 'platform', { value: original })
  }
})
