import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import type { OpenedRuns } from '../../src/run/open-runs.ts'
import { durableRuns } from '../fixtures/run/durable-runs.ts'
import { shortRun } from '../fixtures/run/short-run.ts'

const database = durableRuns()
const children: ChildProcess[] = []

afterAll(async () => {
  for (const child of children) {
    const exited = once(child, 'exit')
    if (child.kill('SIGKILL')) await exited
  }
})

const RUNS = 10_000
const AT_ONCE = 50
const { tool } = shortRun()

async function finish(runs: OpenedRuns, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, each) => runs.start(tool, `${index + each}`)))
  const isDone = async (): Promise<boolean> => {
    const { rows } = await runs.store.pool.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM toolwright.run WHERE status = 'completed'",
    )
    return rows[0]?.count === to
  }
  while (!(await isDone())) await pause(50)
}

test('the memory of a worker stays flat over 10,000 runs [G5]', { timeout: 600_000 }, async () => {
  const runs = await database.open([tool], { worker: false })
  const worker = fork(join(import.meta.dirname, '../fixtures/run/memory-worker.ts'), [database.home], { execArgv: ['--expose-gc'] })
  children.push(worker)
  await once(worker, 'message')
  const heapKb = async (): Promise<number> => {
    worker.send('memory')
    const [bytes] = (await once(worker, 'message')) as [number]
    return bytes / 1024
  }
  // Until all code is compiled and all caches have their size.
  await finish(runs, 0, RUNS / 4)
  const before = await heapKb()
  await finish(runs, RUNS / 4, RUNS)
  const growth = (await heapKb()) - before
  console.log(`heap: ${before.toFixed(0)} KB after ${RUNS / 4} runs, ${growth.toFixed(0)} KB more after ${RUNS}`)
  expect(growth).toBeLessThan(1024)
})
