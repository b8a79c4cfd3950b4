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

test.each([
  ['has nothing to do', undefined],
  ['has a step under way that takes longer', '60000'],
])('a worker with a drain of 2 s that %s ends within 15 s of SIGTERM while the database answers nobody [G5]', async (_title, ms) => {
  const starter = await database.open('direct', [takeTime], { worker: false })
  const proxy = database.proxy()
  const cwd = join(root, 'test', 'fixtures', 'cli-runs')
  const { child, until } = await startWorker(['--drain', '2s'], { cwd, env: { DATABASE_URL: proxy.url } })
  workers.push(child)
  if (ms !== undefined) {
    await starter.start(takeTime, ms)
    await until('take_time')
  }
  proxy.admission = 'silent'
  for (const connection of proxy.connections) connection.silence('all')
  // Until something has been asked in vain.
  await pause(4000)
  const since = performance.now()
  child.kill('SIGTERM')
  const ended = await Promise.race([once(child, 'exit').then(() => 'ended'), pause(BOUND_MS, 'still there', { ref: false })])
  expect({ ended, seconds: Math.round((performance.now() - since) / 1000) }).toMatchObject({ ended: 'ended' })
})
