import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { appOf, appText, schemasOf } from './app.ts'
import { nearestProject } from './project.ts'

let folder: string
const within = (path = '.'): string => {
  const below = join(folder, path)
  mkdirSync(below, { recursive: true })
  vi.spyOn(process, 'cwd').mockReturnValue(below)
  return below
}
const manifest = (path: string, text: string): void => writeFileSync(join(folder, path, 'package.json'), text)
const named = (given?: Parameters<typeof appOf>[0]): string => appText(appOf(given, { isShared: false }))

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'app-'))
  for (const name of ['TOOLWRIGHT_APP', 'NODE_ENV']) vi.stubEnv(name, '')
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

describe('an app', () => {
  test('is named by the nearest package.json, and by NODE_ENV', () => {
    within('packages/orders/src')
    manifest('.', '{"name":"everything"}')
    expect(named()).toBe('everything:development')
    manifest('packages/orders', '{"name":"@acme/orders"}')
    expect(named()).toBe('@acme/orders:development')
    vi.stubEnv('NODE_ENV', 'production')
    expect(named()).toBe('@acme/orders:production')
  })

  test('of a package without a name, or with a broken package.json, has the name of its folder', () => {
    within('desk')
    manifest('desk', '{}')
    expect(named()).toBe('desk:development')
    manifest('desk', '{')
    expect(named()).toBe('desk:development')
    expect(nearestProject()).toEqual({ folder: join(folder, 'desk'), name: 'desk' })
  })

  test('is the given one, else that of the environment, each half by itself', () => {
    within()
    manifest('.', '{"name":"orders"}')
    vi.stubEnv('TOOLWRIGHT_APP', ':staging')
    expect(named()).toBe('orders:staging')
    vi.stubEnv('TOOLWRIGHT_APP', 'desk')
    expect(named()).toBe('desk:development')
    vi.stubEnv('TOOLWRIGHT_APP', 'desk:staging')
    expect(named('mail')).toBe('mail:staging')
    expect(named(':production')).toBe('desk:production')
    expect(named({ name: 'mail', environment: 'test' })).toBe('mail:test')
    expect(named({ environment: 'test' })).toBe('desk:test')
  })

  test('without any name is refused where others use the database too', () => {
    within()
    expect(nearestProject()).toBeUndefined()
    expect(named()).toBe('default:development')
    expect(() => appOf(undefined, { isShared: true })).toThrow(/has no name.*TOOLWRIGHT_APP/)
    expect(appText(appOf('orders', { isShared: true }))).toBe('orders:development')
  })

  test.each(['', ':', 'a:b:c', 'two\nlines', 'x'.repeat(215), 7 as never, { name: '' }, { name: 'a:b' }, { environment: 7 as never }])(
    'cannot be %j',
    (given) => {
      expect(() => named(given)).toThrow(expect.objectContaining({ code: 'invalid_option' }))
    },
  )
})

describe('the schemas of an app', () => {
  test('are readable, plain words within the limits of the database, and different for every app', () => {
    const apps = [
      { name: 'a_b', environment: 'c' },
      { name: 'a', environment: 'b_c' },
      { name: 'A', environment: 'b_c' },
      { name: '@acme/orders', environment: 'production' },
      { name: '@acme/orders', environment: 'production-2' },
      { name: 'x'.repeat(214), environment: 'production' },
      { name: '订单', environment: '生产' },
      { name: 'queue', environment: 'queue' },
    ]
    const schemas = apps.map(schemasOf)
    expect(schemas[3]?.tables).toMatch(/^toolwright_acme_orders_production_[0-9a-f]{8}$/)
    const all = schemas.flatMap(({ tables, queue }) => [tables, queue])
    expect(new Set(all).size).toBe(all.length)
    for (const each of all) expect(each).toMatch(/^toolwright_[a-z0-9_]{1,39}$/)
  })
})
