import { describe, expect, onTestFinished, test } from 'vitest'
import { durableRuns, untilStatus } from '../../../test/fixtures/run/durable-runs.ts'
import { latch } from '../../../test/fixtures/run/latch.ts'
import { notingTools } from '../../../test/fixtures/run/noting-tools.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { settled } from '../../testing/fake-clock.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import { runsOn } from '../runs-on.ts'

const database = durableRuns()

describe('a run that cannot go on', () => {
  test('for want of its tool is blocked with a clear word, and goes on when a worker with the tool starts', async () => {
    const { noting } = notingTools()
    const pay = noting('pay')
    const starter = await database.open([pay], { worker: false })
    const run = await starter.start(pay, 'ann')
    const without = await database.open([])
    await untilStatus(starter, run.id, 'blocked')
    expect((await run.status()).why).toMatchObject({ code: 'unknown_tool', message: expect.stringContaining("'pay'") })
    await expect(run.result()).rejects.toMatchObject({ code: 'unknown_tool' })
    await without.close()
    await database.open([pay])
    await untilStatus(starter, run.id, 'completed')
    expect(await run.result()).toMatchObject({ ok: true, value: 'ann>pay' })
  })

  test('for want of the gate that its tool had is blocked, and nothing runs, until a worker with the gate starts', async () => {
    const { noting, done } = notingTools()
    const [pay, gated] = [noting('pay'), gate(noting('pay'))]
    const starter = await database.open([gated], { worker: false })
    const run = await starter.start(gated, 'ann')
    const without = await database.open([pay])
    await untilStatus(starter, run.id, 'blocked')
    expect((await run.status()).why).toMatchObject({ code: 'plan_changed', message: expect.stringContaining('asked for an approval') })
    await without.close()
    await database.open([gated])
    await untilStatus(starter, run.id, 'waiting')
    expect(done).toEqual([])
    const [item] = await starter.inbox.list()
    await starter.inbox.approve(item?.request.id ?? '')
    expect(await run.result()).toMatchObject({ ok: true, value: 'ann>pay' })
  })

  test('goes on by itself when a provider of the same process has its tool again', async () => {
    const { noting } = notingTools()
    const pay = gate(noting('pay'))
    const memory = memoryRuns()
    let tools: readonly AgentTool[] = [pay]
    const listeners = new Set<() => void>()
    const onChange = (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
    const offer = (next: readonly AgentTool[]): void => {
      tools = next
      for (const each of listeners) each()
    }
    const runtime = createRuntime({ tools: [{ tools: () => tools, onChange }], database: memory })
    onTestFinished(() => runtime.close())
    const run = await runtime.start(pay, 'ann')
    await memory.idle()
    offer([])
    const [item] = await runtime.inbox.list()
    await runtime.inbox.approve(item?.request.id ?? '', 'bob')
    await memory.idle()
    expect(await run.status()).toMatchObject({ status: 'blocked', why: { code: 'unknown_tool' } })
    offer([pay])
    await expect.poll(async () => (await run.status()).status).toBe('completed')
    expect(await run.result()).toMatchObject({ ok: true, value: 'ann>pay' })
  })

  test('for a mistake in the program is taken up again by hand when that is mended', async () => {
    const { noting, done } = notingTools()
    const pay = noting('pay')
    const fussy = (isMended: boolean) =>
      compound({
        name: 'fussy',
        description: 'Calls what is not among its parts.',
        parts: isMended ? { pay } : {},
        run: async (input, context) => context.call('pay', pay, input),
      })
    const broken = fussy(false)
    const first = await database.open([broken])
    const { id } = await first.start(broken, 'ann')
    await untilStatus(first, id, 'blocked')
    await expect((await first.get(id)).result()).rejects.toMatchObject({ code: 'undeclared_part' })
    await first.close()
    const second = await database.open([fussy(true)])
    const run = await second.get(id)
    await run.resume()
    expect(await run.result()).toMatchObject({ ok: true, value: 'ann>pay' })
    await expect(run.resume()).rejects.toMatchObject({ code: 'run_not_open' })
    expect(done).toEqual(['pay ann'])
  })
})

describe('a worker that is stopped', () => {
  test('lets steps under way end, and takes no more', async () => {
    const { noting, done } = notingTools()
    const held = latch()
    const slow = noting('slow', { meanwhile: held.wait })
    const runs = await database.open([slow], { worker: { concurrency: 1 } })
    const other = await database.open([slow], { worker: false })
    const [one, two] = [await other.start(slow, '1'), await other.start(slow, '2')]
    await held.begun
    const closing = runs.close()
    held.open()
    await closing
    expect(await one.status()).toMatchObject({ status: 'completed' })
    expect(await two.status()).toMatchObject({ status: 'queued' })
    expect(done).toEqual(['slow 1'])
  })

  test('is not announced again by a beat that was under way', async () => {
    const held = latch()
    const told: string[] = []
    const store = await memoryRuns().openRuns({ app: { name: 'beats', environment: 'test' }, hasWorker: true, warn: () => {} })
    let isStarted = false
    const announce: typeof store.announce = async (worker) => {
      if (isStarted) await held.wait()
      isStarted = true
      await store.announce(worker)
      told.push('announced')
    }
    const forget: typeof store.forget = async (worker) => {
      told.push('forgotten')
      await store.forget(worker)
    }
    const runs = await runsOn({ ...store, announce, forget }, { tools: async () => new Map(), timings: { beatMs: 1 } })
    await held.begun
    const closing = runs.close()
    await settled()
    expect(told).toEqual(['announced'])
    held.open()
    await closing
    expect(told.slice(0, 2)).toEqual(['announced', 'announced'])
    expect(told.indexOf('forgotten')).toBe(told.length - 1)
  })

  test('gives back a run whose start it was in the middle of', async () => {
    const { noting, done } = notingTools()
    const pay = noting('pay')
    const memory = memoryRuns()
    const store = await memory.openRuns({ app: { name: 'starts', environment: 'test' }, hasWorker: true, warn: () => {} })
    const held = latch()
    let isHeld = false
    const start: typeof store.start = async (run, worker) => {
      const started = await store.start(run, worker)
      if (isHeld) await held.wait()
      return started
    }
    const runs = await runsOn({ ...store, start }, { tools: async () => new Map([['pay', pay as AgentTool]]) })
    await (await runs.start(pay, 'first')).result()
    isHeld = true
    const starting = runs.start(pay, 'ann')
    await held.begun
    const [run] = await runs.list()
    expect(run).toMatchObject({ status: 'running', worker: runs.workerId })
    const closing = runs.close()
    await settled()
    held.open()
    await Promise.all([starting.catch(() => {}), closing])
    expect(done).toEqual(['pay first'])
    const other = createRuntime({ tools: [pay], database: memory, app: { name: 'starts', environment: 'test' } })
    onTestFinished(() => other.close())
    const resumed = await (await other.runs()).get(run?.id ?? '')
    expect(await resumed.result()).toMatchObject({ ok: true, value: 'ann>pay' })
    expect(done).toEqual(['pay first', 'pay ann'])
  })

  test('gives back at once what does not end in time, and what it still does counts no more', async () => {
    const { noting, done } = notingTools()
    const held = latch()
    let isFirst = true
    const slow = noting('slow', {
      meanwhile: async () => {
        if (!isFirst) return
        isFirst = false
        await held.wait()
      },
    })
    const first = await database.open([slow], { worker: { drain: 10 } })
    const { id } = await first.start(slow, '1')
    await held.begun
    await first.close()
    const looker = await database.open([slow], { worker: false })
    expect(await (await looker.get(id)).status()).toMatchObject({ status: 'queued' })
    const second = await database.open([slow])
    const run = await second.get(id)
    expect(await run.result()).toMatchObject({ ok: true, value: '1>slow' })
    held.open()
    expect(done).toEqual(['slow 1', 'slow 1'])
    const { rows } = await second.store.pool.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM toolwright.event WHERE run = $1 AND data ->> 'status' = 'completed'",
      [id],
    )
    expect(rows[0]?.count).toBe(1)
  })
})
