import { expect, test } from 'vitest'
import { durableRuns } from '../../test/fixtures/run/durable-runs.ts'
import { notingTools } from '../../test/fixtures/run/noting-tools.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { RunsContext } from './runs-context.ts'
import { startRun } from './start-run.ts'

const database = durableRuns()

test('a start with a key whose run is removed at that moment starts a new run, and throws nothing that has no code [G4]', async () => {
  const { noting } = notingTools()
  const pay = noting('pay')
  const runs = await database.open([pay])
  let isOver = false
  const pruning = (async () => {
    while (!isOver) await runs.prune({ keep: 0 })
  })()
  const ids = new Set<string>()
  for (let round = 0; round < 100; round++) {
    const started = await Promise.all([runs.start(pay, 'ann', { key: 'one' }), runs.start(pay, 'ann', { key: 'one' })])
    for (const { id } of started) ids.add(id)
  }
  isOver = true
  await pruning
  expect(ids.size).toBeGreaterThan(1)
})

test('a start whose run is removed between two looks looks again', async () => {
  const { noting } = notingTools()
  const pay = noting('pay')
  const runs = await database.open([pay], { worker: false })
  const { id } = await runs.start(pay, 'ann', { key: 'one' })
  const { store } = runs.context
  const removing: RunsContext = {
    ...runs.context,
    start: async (run) => {
      const started = await store.start(run)
      // The key was taken; by the time that its run is looked for, it is gone.
      await runs.store.pool.query('DELETE FROM toolwright.run WHERE id = $1', [id])
      return started.outcome === 'taken' ? { outcome: 'taken', by: undefined } : started
    },
  }
  const started = await startRun(removing, pay as AgentTool, 'bob', { key: 'one' })
  expect(started).toMatchObject({ isNew: true })
  expect(await (await runs.get(started.id)).status()).toMatchObject({ status: 'queued', key: 'one' })
})

test('a start at a time that is none is refused with a code, and one before all times is now', async () => {
  const { noting } = notingTools()
  const pay = noting('pay')
  const runs = await database.open([pay])
  for (const startAt of [new Date(NaN), 'tomorrow' as unknown as Date])
    await expect(runs.start(pay, 'ann', { startAt })).rejects.toMatchObject({ code: 'invalid_option' })
  const run = await runs.start(pay, 'ann', { startAt: new Date(-1e15) })
  expect(await run.result()).toMatchObject({ ok: true })
})

test('finished jobs do not stay in the queue', async () => {
  const { noting } = notingTools()
  const pay = noting('pay')
  const runs = await database.open([pay])
  const started = await Promise.all(Array.from({ length: 30 }, (_, index) => runs.start(pay, String(index))))
  for (const run of started) await run.result()
  await expect.poll(async () => (await runs.store.pool.query('SELECT FROM toolwright_queue.job')).rowCount).toBe(0)
})
