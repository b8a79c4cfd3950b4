import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { root } from '../../scripts/run-program.ts'
import { tool } from '../../src/tool/tool.ts'
import { startWorker } from '../cli/start-worker.ts'
import { proxiedRuns } from '../fixtures/run/proxied-runs.ts'

const database = proxiedRuns()
const workers: ChildProcess[] = []

/** The drain, and what it takes to find out that nobody answers. */
const BOUND_MS = 15_000

afterEach(async () => {
  for (const worker of workers.splice(0)) {
    if (worker.exitCode !== null || worker.signalCode !== null) continue
    worker.kill('SIGKILL')
    await once(worker, 'exit')
  }
})

const takeTime = tool({ name: 'take_time', description: 'Takes so many milliseconds.', effect: 'read', execute: (ms) => `Took ${ms} ms.` })

test('workers with a drain of 2 s end within 15 s of SIGTERM while the database answers nobody, idle or in a long step [G5]', async () => {
  const starter = await database.open('direct', [takeTime], { worker: false })
  const proxy = database.proxy()
  const cwd = join(root, 'test', 'fixtures', 'cli-runs')
  const flags = ['--drain', '2s', '--concurrency', '1']
  const started = await Promise.all([1, 2].map(() => startWorker(flags, { cwd, env: { DATABASE_URL: proxy.url } })))
  workers.push(...started.map(({ child }) => child))
  await starter.start(takeTime, '60000')
  await Promise.any(started.map(({ until }) => until('take_time')))
  proxy.admission = 'silent'
  for (const connection of proxy.connections) connection.silence('all')
  // Until something has been asked in vain.
  await pause(3000)
  const ended = started.map(async ({ child }) => {
    const exited = once(child, 'exit').then(() => 'ended')
    child.kill('SIGTERM')
    return Promise.race([exited, pause(BOUND_MS, 'still there', { ref: false })])
  })
  expect(await Promise.all(ended)).toEqual(['ended', 'ended'])
})
