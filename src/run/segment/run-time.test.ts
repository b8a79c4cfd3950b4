import { describe, expect, test } from 'vitest'
import { durableRuns, openRequest, untilStatus } from '../../../test/fixtures/run/durable-runs.ts'
import { notingTools } from '../../../test/fixtures/run/noting-tools.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { pipe } from '../../combinators/pipe/pipe.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import { tool } from '../../tool/tool.ts'
import type { OpenedRuns } from '../open-runs.ts'

const database = durableRuns()
const passing = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function napping(name: string, ms: number, next: AgentTool<string, string>): AgentTool<string, string> {
  return compound({
    name,
    description: 'Sleeps, then goes on.',
    parts: { next },
    run: async (input, context) => {
      await context.sleep(ms)
      return context.call('next', next, input)
    },
  }) as AgentTool<string, string>
}

/** The milliseconds that the database says a run has left. */
async function timeLeft(runs: OpenedRuns, id: string): Promise<number> {
  const { rows } = await runs.store.pool.query<{ time_left_ms: number }>('SELECT time_left_ms FROM toolwright.run WHERE id = $1', [id])
  return rows[0]?.time_left_ms ?? 0
}

describe('a durable sleep', () => {
  test('goes on where it was after a restart, and is not slept twice [G5]', async () => {
    const { noting, done } = notingTools()
    const nap = napping('nap', 2500, noting('wake'))
    const one = await database.open([nap])
    const since = performance.now()
    const { id } = await one.start(nap, 'ann')
    await untilStatus(one, id, 'waiting')
    const info = await (await one.get(id)).status()
    expect(info.why).toMatchObject({ code: 'time' })
    expect(info.wakeAt).toBeGreaterThan(Date.now())
    await one.close()
    const two = await database.open([nap])
    expect(await (await two.get(id)).result()).toMatchObject({ ok: true, value: 'ann>wake' })
    expect(performance.now() - since).toBeGreaterThanOrEqual(2490)
    expect(done).toEqual(['wake ann'])
  })

  test('that was over while nobody was there ends at once', async () => {
    const { noting } = notingTools()
    const nap = napping('nap', 1600, noting('wake'))
    const one = await database.open([nap])
    const { id } = await one.start(nap, 'ann')
    await untilStatus(one, id, 'waiting')
    await one.close()
    await passing(1700)
    const two = await database.open([nap])
    const since = performance.now()
    await (await two.get(id)).result()
    expect(performance.now() - since).toBeLessThan(1500)
  })
})

describe('the deadline of a run', () => {
  test('stands still while a person is waited for, in the process and out of it [T14]', async () => {
    const { noting } = notingTools()
    const settle = pipe(noting('look'), gate(noting('pay')))
    const one = await database.open([settle])
    const { id } = await one.start(settle, 'ann', { deadline: 1500 })
    const request = await openRequest(one, id)
    await untilStatus(one, id, 'waiting')
    const left = await timeLeft(one, id)
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(1500)
    await passing(1600)
    expect(await timeLeft(one, id)).toBe(left)
    await one.inbox.approve(request)
    expect(await (await one.get(id)).result()).toMatchObject({ ok: true })
  })

  test('counts over all segments', async () => {
    const { noting, done } = notingTools()
    const forever = tool({
      name: 'forever',
      description: 'Waits for its signal.',
      effect: 'read',
      execute: (_input, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    })
    const slow = noting('slow', { meanwhile: () => passing(600) })
    const settle = pipe(slow, gate(forever))
    const runs = await database.open([settle])
    const run = await runs.start(settle, 'ann', { deadline: 1500 })
    const request = await openRequest(runs, run.id)
    await untilStatus(runs, run.id, 'waiting')
    await passing(300)
    const since = performance.now()
    await runs.inbox.approve(request)
    expect(await run.result()).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } })
    expect(performance.now() - since).toBeLessThan(1200)
    expect(done).toEqual(['slow ann'])
  })

  test('runs on while it sleeps', async () => {
    const { noting, done } = notingTools()
    const nap = napping('nap', 60_000, noting('wake'))
    const runs = await database.open([nap])
    const run = await runs.start(nap, 'ann', { deadline: 2500 })
    const since = performance.now()
    expect(await run.result()).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } })
    expect(performance.now() - since).toBeLessThan(15_000)
    expect(done).toEqual([])
  })

  test('is the usual one of a call for a single step, and none for a run of many', async () => {
    const seen: number[] = []
    const look = tool({
      name: 'look',
      description: 'Says how long it has.',
      effect: 'read',
      execute: (_input, { remainingMs }) => void seen.push(remainingMs),
    })
    const settle = compound({
      name: 'settle',
      description: 'Looks.',
      parts: { look },
      run: async (input, context) => {
        seen.push(context.remainingMs)
        return context.call('look', look, input)
      },
    })
    const runs = await database.open([look, settle])
    await (await runs.start(look, 'x')).result()
    await (await runs.start(settle, 'x')).result()
    expect(seen[0]).toBeGreaterThan(50_000)
    expect(seen[0]).toBeLessThanOrEqual(60_000)
    expect(seen[1]).toBe(Infinity)
    expect(seen[2]).toBeLessThanOrEqual(60_000)
  })
})

describe('the limit of a tool', () => {
  test('of one at a time holds over all workers, and every run has its turn', async () => {
    const { noting, done } = notingTools()
    let underWay = 0
    let most = 0
    const pay = noting('pay', {
      meanwhile: async () => {
        most = Math.max(most, ++underWay)
        await passing(15)
        underWay--
      },
    })
    const limits = { pay: { concurrency: 1 } }
    const workers = await Promise.all([database.open([pay], { worker: { limits } }), database.open([pay], { worker: { limits } })])
    const started = await Promise.all(Array.from({ length: 12 }, (_, index) => workers[index % 2]?.start(pay, String(index))))
    await Promise.all(started.map((run) => run?.result()))
    expect(most).toBe(1)
    expect(done).toHaveLength(12)
  })

  test('of so many in a stretch of time holds over all workers', async () => {
    const { noting } = notingTools()
    const begun: number[] = []
    const pay = noting('pay', { meanwhile: () => void begun.push(performance.now()) })
    const limits = { pay: { rate: { count: 2, per: 1000 } } }
    const workers = await Promise.all([database.open([pay], { worker: { limits } }), database.open([pay], { worker: { limits } })])
    const started = await Promise.all(Array.from({ length: 6 }, (_, index) => workers[index % 2]?.start(pay, String(index))))
    await Promise.all(started.map((run) => run?.result()))
    expect(begun).toHaveLength(6)
    const gaps = begun.slice(2).map((at, index) => at - (begun[index] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThan(900)
  })

  test.each([
    [{ concurrency: 0 }, 'concurrency'],
    [{ rate: { count: 1.5, per: 1000 } }, 'rate.count'],
    [{ rate: { count: 1, per: 0 } }, 'rate.per'],
  ])('refuses %j', async (limit, field) => {
    await expect(database.open([], { worker: { limits: { pay: limit } } })).rejects.toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining(field),
    })
  })
})

describe('a gate whose time is up', () => {
  test('is decided by the segment that its time begins, and is not put away again [G5]', async () => {
    const { noting } = notingTools()
    const asks = gate(noting('asks'), { timeout: 300, onTimeout: 'continue' })
    const runs = await database.open([asks], { timings: { lingerMs: 20 } })
    const started = await Promise.all(Array.from({ length: 20 }, (_, index) => runs.start(asks, String(index))))
    for (const run of started) expect(await run.result()).toMatchObject({ ok: true })
    const { rows } = await runs.store.pool.query<{ epoch: number }>('SELECT DISTINCT epoch FROM toolwright.run ORDER BY epoch')
    expect(rows).toEqual([{ epoch: 2 }])
  })

  test('or will be in a moment is waited for in the process', async () => {
    const { noting } = notingTools()
    const asks = gate(noting('asks'), { timeout: 200, onTimeout: 'continue' })
    const runs = await database.open([asks])
    const run = await runs.start(asks, 'x')
    expect(await run.result()).toMatchObject({ ok: true })
    expect((await runs.show(run.id)).history.map(({ status }) => status)).toEqual(['queued', 'running', 'completed'])
  })
})
