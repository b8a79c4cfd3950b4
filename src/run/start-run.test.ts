import { expect, test } from 'vitest'
import { durableRuns } from '../../test/fixtures/run/durable-runs.ts'
import { notingTools } from '../../test/fixtures/run/noting-tools.ts'

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
  await runs.start(pay, 'ann', { key: 'one' })
  const remover = await runs.store.pool.connect()
  await remover.query('BEGIN')
  await remover.query('DELETE FROM toolwright.run')
  // It waits for whoever removes the run that has its key.
  const starting = runs.start(pay, 'bob', { key: 'one' })
  for (;;) {
    const { rows } = await remover.query<{ waits: boolean }>('SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted) AS waits')
    if (rows[0]?.waits === true) break
  }
  await remover.query('COMMIT')
  remover.release()
  expect(await (await starting).status()).toMatchObject({ status: 'queued', key: 'one' })
})

test('finished jobs do not stay in the queue', async () => {
  const { noting } = notingTools()
  const pay = noting('pay')
  const runs = await database.open([pay])
  const started = await Promise.all(Array.from({ length: 30 }, (_, index) => runs.start(pay, String(index))))
  for (const run of started) await run.result()
  await expect.poll(async () => (await runs.store.pool.query('SELECT FROM toolwright_queue.job')).rowCount).toBe(0)
})
