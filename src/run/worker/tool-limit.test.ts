import { expect, test } from 'vitest'
import { durableRuns } from '../../../test/fixtures/run/durable-runs.ts'
import { latch } from '../../../test/fixtures/run/latch.ts'
import { notingTools } from '../../../test/fixtures/run/noting-tools.ts'
import { gate } from '../../combinators/gate/gate.ts'
import type { OpenedRuns } from '../open-runs.ts'

const database = durableRuns()
const limits = { pay: { concurrency: 1 } }
const SOON = { timings: { beatMs: 50, pollMs: 50 } } as const

async function heldBack({ store }: OpenedRuns): Promise<number> {
  const { rows } = await store.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM toolwright.run WHERE held_back')
  return rows[0]?.count ?? 0
}

test('runs that a limit held back are released by a worker that has no limit, when those who held them back are gone [G5]', async () => {
  const { noting } = notingTools()
  const pay = noting('pay')
  const starter = await database.open([pay], { worker: false })
  const started = [await starter.start(pay, 'a'), await starter.start(pay, 'b'), await starter.start(pay, 'c')]
  // What a worker with a limit leaves behind when it dies.
  await starter.store.pool.query('UPDATE toolwright.run SET held_back = true')
  await starter.store.pool.query('DELETE FROM toolwright_queue.job')
  await database.open([pay], SOON)
  for (const run of started) expect(await run.result()).toMatchObject({ ok: true })
})

test('the end of a run releases the next of its tool, whether its worker has the limit or not', async () => {
  const { noting, done } = notingTools()
  const held = latch()
  const pay = noting('pay', { meanwhile: (input) => (input === 'a' ? held.wait() : undefined) })
  const without = await database.open([pay], { timings: { beatMs: 600_000 } })
  const first = await without.start(pay, 'a')
  await held.begun
  await without.store.pool.query(
    `INSERT INTO toolwright.run (id, tool, version, plan, input, input_hash, options, status, held_back)
     SELECT 'next', tool, version, plan, '"b"', input_hash, options, 'queued', true FROM toolwright.run`,
  )
  held.open()
  await first.result()
  expect(await (await without.get('next')).result()).toMatchObject({ ok: true })
  expect(done).toEqual(['pay a', 'pay b'])
})

test('a park releases the next too', async () => {
  const { noting } = notingTools()
  const pay = gate(noting('pay'))
  const runs = await database.open([pay], { worker: { limits }, timings: { beatMs: 600_000 } })
  await Promise.all(['a', 'b', 'c'].map((input) => runs.start(pay, input)))
  await expect.poll(async () => (await runs.inbox.list()).length).toBe(3)
  expect(await heldBack(runs)).toBe(0)
})

test('a limit counts neither the run that is to be taken up nor one whose worker has been silent for too long', async () => {
  const { noting } = notingTools()
  const pay = noting('pay')
  const starter = await database.open([pay], { worker: false })
  for (const input of ['dead', 'alive', 'new']) await starter.start(pay, input)
  const { context, store } = starter
  const jobs = await context.store.fetch(10)
  const taking = { worker: 'w', limits: { pay: { concurrency: 2 } }, takesSuspect: true, leaseMs: 10_000 }
  const [dead, alive, fresh] = jobs
  if (dead === undefined || alive === undefined || fresh === undefined) throw new Error('There are three jobs.')
  expect((await context.store.claim({ ...taking, jobs: [dead, alive] })).runs).toHaveLength(2)
  // Fetched anew after a silence: it does not stand in its own way.
  expect((await context.store.claim({ ...taking, jobs: [dead] })).runs).toHaveLength(1)
  await store.pool.query("UPDATE toolwright_queue.job SET heartbeat_on = now() - interval '1 minute' WHERE id = $1", [dead.id])
  expect((await context.store.claim({ ...taking, jobs: [fresh] })).runs).toHaveLength(1)
  expect(await heldBack(starter)).toBe(0)
})
