import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Attack } from './attack.ts'

const root = join(import.meta.dirname, '../..')
const tables = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.attacks.ts'))

/** Every row of every table, with the table that it stands in. */
const rows = (
  await Promise.all(
    tables.map(async (table) => {
      const exported = Object.values((await import(`./${table.slice(0, -'.attacks.ts'.length)}.attacks.ts`)) as Record<string, unknown>)
      return exported
        .filter((each): each is readonly Attack[] => Array.isArray(each))
        .flatMap((list) => list.map((row) => ({ table, ...row })))
    }),
  )
).flat()

test('there are at least 400 attacks, each under its own name, and each table is run', () => {
  expect(rows.length).toBeGreaterThanOrEqual(400)
  const names = rows.map(({ table, name }) => `${table} ${name}`)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  for (const table of tables) {
    const runner = readFileSync(join(import.meta.dirname, table.replace('.attacks.ts', '.test.ts')), 'utf8')
    expect(runner, table).toMatch(/runAttacks\(/)
  }
})

test('SECURITY.md names every table, and every test that it names is there', () => {
  const page = readFileSync(join(root, 'SECURITY.md'), 'utf8')
  const named = Array.from(page.matchAll(/`((?:src|test)\/[^`]+\.ts)`/g), ([, path = '']) => path)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(tables.map((table) => `test/attacks/${table.replace('.attacks.ts', '.test.ts')}`).filter((path) => !named.includes(path))).toEqual(
    [],
  )
})
