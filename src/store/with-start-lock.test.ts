import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { withStartLock } from './with-start-lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'lock-'))
const path = join(folder, 'start.lock')
afterAll(() => rmSync(folder, { recursive: true }))

test('one of two at once does the work, and the lock is gone when it is done', async () => {
  let done = 0
  const work = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve))
    done++
  }
  expect((await Promise.all([withStartLock(path, work), withStartLock(path, work)])).toSorted()).toEqual([false, true])
  expect(done).toBe(1)
  expect(existsSync(path)).toBe(false)
})

test('the lock is gone when the work failed', async () => {
  await expect(withStartLock(path, () => Promise.reject(new Error('no room')))).rejects.toThrow('no room')
  expect(existsSync(path)).toBe(false)
})

test('a lock of a process that has ended is taken over', async () => {
  const { pid } = spawnSync('true')
  writeFileSync(path, `${pid} some-mark`)
  expect(await withStartLock(path, async () => {})).toBe(true)
})

test('a lock of a process that shows no life is taken over, one of a live process is not', async () => {
  writeFileSync(path, `${process.pid} some-mark`)
  expect(await withStartLock(path, async () => {})).toBe(false)
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(path, longAgo, longAgo)
  expect(await withStartLock(path, async () => {})).toBe(true)
})
