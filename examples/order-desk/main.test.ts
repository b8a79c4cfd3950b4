import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { importFlags } from '../../test/fixtures/prepared.ts'

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

/** As a program, with a folder for temporary files of its own, and a database in its environment that is none of its business. */
async function startStory() {
  const folder = await mkdtemp(join(tmpdir(), 'desk-test-'))
  folders.push(folder)
  // Where root runs the tests, the database runs as another user.
  await chmod(folder, 0o755)
  const child = spawn(process.execPath, [...importFlags, join(import.meta.dirname, 'main.ts')], {
    env: { ...process.env, TMPDIR: folder, DATABASE_URL: 'postgres://nobody@127.0.0.1:9/not-for-show' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { child, ended: once(child, 'exit'), left: () => readdir(folder) }
}

test.concurrent('one refund waits for a person, one is undone, one survives a kill -9; and nothing is left behind [G1] [G5] [T15]', async () => {
  const { child, ended, left } = await startStory()
  const story = await text(child.stdout)
  expect(await ended).toEqual([0, null])
  for (const told of [
    'Grace approved it with another input',
    '120.00 paid back for order A-1001; told ada@example.com',
    'Undone: pay, reserve',
    'worker 3  ✓ pay',
    '60.00 paid back for order C-3003; told cyd@example.com',
  ])
    expect(story).toContain(told)
  expect(await left()).toEqual([])
}, 120_000)

test.concurrent('a story that is interrupted clears its server and its folder away', async () => {
  const { child, ended, left } = await startStory()
  child.stdout.on('data', (chunk: Buffer) => String(chunk).includes('waits for a person') && child.kill('SIGINT'))
  expect(await text(child.stdout)).not.toContain('kill -9')
  expect(await ended).toEqual([130, null])
  expect(await left()).toEqual([])
}, 120_000)

test.concurrent('a story that nobody reads any more ends well', async () => {
  const { child, ended, left } = await startStory()
  child.stdout.once('data', () => child.stdout.destroy())
  expect(await ended).toEqual([0, null])
  expect(await left()).toEqual([])
}, 120_000)
