import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

test('every file and folder that the page on architecture names is there', () => {
  const named = Array.from(page.matchAll(/`((?:src|test|scripts|docs)\/[^`<]*?)`/g), ([, path = '']) => path)
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('a file that stands beside another in a row lies in the same folder', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('|') && /`src\/[^`]+\.ts`/.test(line))
  const missing = rows.flatMap((row) => {
    let folder = ''
    return Array.from(row.matchAll(/`([^`<]+\.ts)`/g), ([, path = '']) => path).filter((path) => {
      if (path.includes('/')) folder = path.slice(0, path.lastIndexOf('/'))
      return !existsSync(join(root, path.includes('/') ? path : `${folder}/${path}`))
    })
  })
  expect(missing).toEqual([])
})
