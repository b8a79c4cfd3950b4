import { describe, expect, test } from 'vitest'
import { durableRuns, untilStatus } from '../../../test/fixtures/run/durable-runs.ts'
import { latch } from '../../../test/fixtures/run/latch.ts'
import { notingTools } from '../../../test/fixtures/run/noting-tools.ts'
import { claimRuns } from './claim-runs.ts'
import type { OpenedRuns } from '../open-runs.ts'

const database = durableRuns()

/** Runs that are queued, and what no worker has done to them. */
async function queued(count: number): Promise<OpenedRuns> {
  const { noting } = notingTools()
  const pay = noting('pay')
  const runs = await database.open([pay], { worker: false })
  for (let index = 0; index < count; index++) await runs.start(pay, String(index))
  return runs
}

async function rowsOf<R extends object>({ store }: OpenedRuns, columns: string): Promise<readonly R[]> {
  return (await store.pool.query<R>(`SELECT ${columns} FROM toolwright.run ORDER BY created_at`)).rows
}

describe('a claim', () => {
  test('takes runs whose rows are free, and leaves those that somebody holds with their jobs [G5]', async () => {
    const runs = await queued(3)
    const jobs = await runs.context.store.fetch(10)
    const [held] = jobs
    const holder = await runs.store.pool.connect()
    await holder.query('BEGIN')
    await holder.query('SELECT FROM toolwright.run WHERE id = $1 FOR SHARE', [held?.run])
    const claims = await claimRuns(runs.store.pool, { jobs, worker: 'w', takesSuspect: true })
    expect(claims.runs.map(({ job }) => job)).toEqual(jobs.slice(1))
    expect(claims).toMatchObject({ locked: [held], over: [] })
    await holder.query('COMMIT')
    holder.release()
    const again = await claimRuns(runs.store.pool, { jobs: claims.locked, worker: 'w', takesSuspect: true })
    expect(again.runs).toMatchObject([{ run: { id: held?.run, epoch: 1 } }])
  })

  test('by a job that was given to somebody else meanwhile takes nothing, and their job stays', async () => {
    const runs = await queued(1)
    const jobs = await runs.context.store.fetch(1)
    await runs.store.pool.query("UPDATE toolwright_queue.job SET state = 'retry'")
    const theirs = await runs.context.store.fetch(1)
    expect(theirs).toEqual([{ ...jobs[0], attempt: 1 }])
    expect(await claimRuns(runs.store.pool, { jobs, worker: 'w', takesSuspect: true })).toMatchObject({ runs: [], locked: [], over: jobs })
    expect(await rowsOf(runs, 'epoch')).toEqual([{ epoch: 0 }])
    await runs.context.store.complete(jobs)
    expect([...(await runs.context.store.touch(jobs))]).toEqual([])
    expect([...(await runs.context.store.touch(theirs))]).toEqual([theirs[0]?.id])
    const claims = await claimRuns(runs.store.pool, { jobs: theirs, worker: 'w', takesSuspect: true })
    expect(claims.runs).toHaveLength(1)
    await runs.context.store.complete(theirs)
    expect((await runs.store.pool.query('SELECT FROM toolwright_queue.job')).rowCount).toBe(0)
  })

  test('takes one at a time of the runs that may have brought workers down; the others are left for a moment', async () => {
    const runs = await queued(4)
    await runs.store.pool.query(
      'UPDATE toolwright.run SET deaths = 3 WHERE id IN (SELECT id FROM toolwright.run ORDER BY created_at LIMIT 3)',
    )
    const jobs = await runs.context.store.fetch(10)
    const claims = await claimRuns(runs.store.pool, { jobs, worker: 'w', takesSuspect: true })
    expect(claims.runs.map(({ run }) => run.deaths).toSorted((a, b) => a - b)).toEqual([1, 4])
    expect(claims.over).toHaveLength(2)
    const left = await rowsOf<{ status: string; ticket: number }>(runs, 'status, ticket, deaths, wake_at > now() AS later')
    expect(left.filter(({ status }) => status === 'queued')).toEqual([
      { status: 'queued', ticket: 1, deaths: 3, later: true },
      { status: 'queued', ticket: 1, deaths: 3, later: true },
    ])
    await runs.store.pool.query("UPDATE toolwright_queue.job SET start_after = now() WHERE state = 'created'")
    const more = await runs.context.store.fetch(10)
    expect(more).toHaveLength(2)
    expect(await claimRuns(runs.store.pool, { jobs: more, worker: 'w', takesSuspect: false })).toMatchObject({ runs: [], over: more })
  })
})

describe('a worker', () => {
  test('keeps a job whose run is held, touches it, and takes the run as soon as it is free', async () => {
    const { noting, done } = notingTools()
    const pay = noting('pay')
    const starter = await database.open([pay], { worker: false })
    const [held, free] = [await starter.start(pay, 'held'), await starter.start(pay, 'free')]
    const holder = await starter.store.pool.connect()
    await holder.query('BEGIN')
    await holder.query('SET LOCAL idle_in_transaction_session_timeout = 0')
    await holder.query('SELECT FROM toolwright.run WHERE id = $1 FOR SHARE', [held.id])
    await database.open([pay], { timings: { beatMs: 50 } })
    await untilStatus(starter, free.id, 'completed')
    const heartbeat = async (): Promise<number> => {
      const { rows } = await starter.store.pool.query<{ at: Date }>(
        "SELECT heartbeat_on AS at FROM toolwright_queue.job WHERE state = 'active' AND data ->> 'run' = $1",
        [held.id],
      )
      return rows[0]?.at.getTime() ?? 0
    }
    const before = await heartbeat()
    await expect.poll(heartbeat).toBeGreaterThan(before)
    expect(await held.status()).toMatchObject({ status: 'queued' })
    await holder.query('COMMIT')
    holder.release()
    expect(await held.result()).toMatchObject({ ok: true })
    expect(await rowsOf(starter, 'epoch')).toEqual([{ epoch: 1 }, { epoch: 1 }])
    expect(done).toEqual(['pay free', 'pay held'])
  })

  test('that cannot write what its runs record stops saying that they make headway', async () => {
    const { noting } = notingTools()
    const reached = latch()
    const pay = noting('pay', { meanwhile: reached.wait })
    const runs = await database.open([pay], { worker: { drain: 10 }, timings: { beatMs: 50, leaseMs: 300 } })
    await runs.start(pay, 'ann')
    await reached.begun
    const touched = async (): Promise<number> =>
      (await runs.store.pool.query<{ at: Date }>('SELECT heartbeat_on AS at FROM toolwright_queue.job')).rows[0]?.at.getTime() ?? 0
    const before = await touched()
    await expect.poll(touched).toBeGreaterThan(before)
    const holder = await runs.store.pool.connect()
    await holder.query('BEGIN')
    await holder.query('SET LOCAL idle_in_transaction_session_timeout = 0')
    await holder.query('LOCK TABLE toolwright.entry IN ACCESS EXCLUSIVE MODE')
    reached.open()
    await expect
      .poll(
        async () => {
          const last = await touched()
          await new Promise((resolve) => setTimeout(resolve, 250))
          return (await touched()) - last
        },
        { timeout: 5000 },
      )
      .toBe(0)
    await holder.query('ROLLBACK')
    holder.release()
    await expect.poll(async () => (await rowsOf(runs, 'status'))[0], { timeout: 10_000 }).toEqual({ status: 'completed' })
  })
})
