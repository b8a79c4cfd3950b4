import { afterEach, describe, expect, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { idempotent } from '../combinators/idempotent/idempotent.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import { saga } from '../combinators/saga/saga.ts'
import { createRuntime, type Runtime, type RuntimeOptions } from '../runtime/create-runtime.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { compound } from '../tool/compound.ts'
import { tool } from '../tool/tool.ts'
import { fakeClock } from './fake-clock.ts'
import { memoryRuns } from './memory-runs.ts'

const A_DAY_MS = 24 * 60 * 60 * 1000

const opened: Runtime[] = []
afterEach(async () => {
  for (const runtime of opened.splice(0)) await runtime.close()
})

function runtimeOf(options: RuntimeOptions): Runtime {
  const runtime = createRuntime(options)
  opened.push(runtime)
  return runtime
}

interface Steps {
  readonly done: string[]
  readonly step: (name: string, meanwhile?: () => Promise<void>) => AgentTool<string, string>
}

/** Steps that note what they did. */
function steps(): Steps {
  const done: string[] = []
  const step = (name: string, meanwhile?: () => Promise<void>): AgentTool<string, string> =>
    tool({
      ...{ name, description: `Does ${name}.`, effect: 'write', idempotent: 'keyed' },
      execute: async (input: string) => {
        await meanwhile?.()
        done.push(`${name} ${input}`)
        return `${input}>${name}`
      },
    })
  return { done, step }
}

describe('a durable run in memory', () => {
  test('runs to its end, and is shown and listed', async () => {
    const { done, step } = steps()
    const order = pipe(step('charge'), step('ship'))
    const runtime = runtimeOf({ tools: [order], database: memoryRuns({ clock: fakeClock() }) })
    const run = await runtime.start(order, 'ann', { key: 'one' })
    expect(await run.result()).toMatchObject({ ok: true, value: 'ann>charge>ship' })
    expect((await runtime.start(order, 'ann', { key: 'one' })).id).toBe(run.id)
    await expect(runtime.start(order, 'bob', { key: 'one' })).rejects.toMatchObject({ code: 'key_conflict' })
    const runs = await runtime.runs()
    expect((await runs.show(run.id)).steps.map(({ tool: name }) => name)).toEqual(['charge', 'ship'])
    expect(await runs.list({ status: 'completed' })).toMatchObject([{ id: run.id, key: 'one' }])
    expect(done).toEqual(['charge ann', 'ship ann>charge'])
    expect(await runs.prune({ keep: 0 })).toBe(1)
    await expect(runtime.run(run.id)).rejects.toMatchObject({ code: 'unknown_run' })
  })

  test('waits for a person over the death of its process, and repeats nothing', async () => {
    const { done, step } = steps()
    const order = pipe(step('charge'), gate(step('ship')))
    const runs = memoryRuns({ clock: fakeClock() })
    const { id } = await runtimeOf({ tools: [order], database: runs }).start(order, 'ann')
    await runs.idle()
    runs.crash()
    const second = runtimeOf({ tools: [order], database: runs })
    const [item] = await second.inbox.list({ run: id })
    await second.inbox.approve(item?.request.id ?? '')
    expect(await (await second.run(id)).result()).toMatchObject({ ok: true, value: 'ann>charge>ship' })
    expect(done).toEqual(['charge ann', 'ship ann>charge'])
  })

  test('is taken up after a crash in the middle of a step, whose late result does not count', async () => {
    const { done, step } = steps()
    const hanging = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    let isFirst = true
    const ship = step('ship', () => {
      if (!isFirst) return Promise.resolve()
      isFirst = false
      begun.resolve()
      return hanging.promise
    })
    const order = pipe(step('charge'), ship)
    const runs = memoryRuns({ clock: fakeClock() })
    const { id } = await runtimeOf({ tools: [order], database: runs }).start(order, 'ann')
    await begun.promise
    runs.crash()
    const second = runtimeOf({ tools: [order], database: runs })
    expect(await (await second.run(id)).result()).toMatchObject({ ok: true })
    hanging.resolve()
    await runs.idle()
    const record = await (await second.runs()).show(id)
    expect(record.steps.map(({ tool: name, attempts }) => [name, attempts.length])).toEqual([
      ['charge', 1],
      ['ship', 1],
    ])
    expect(record.history.filter(({ status }) => status === 'running')).toHaveLength(2)
    expect(done.filter((each) => each.startsWith('charge'))).toEqual(['charge ann'])
  })

  test('sleeps for days in no time, and goes on by itself', async () => {
    const { done, step } = steps()
    const remind = compound({
      name: 'remind',
      description: 'Waits a week.',
      parts: { mail: step('mail') },
      async run(input: string, context, parts) {
        await context.sleep(7 * A_DAY_MS)
        return context.call('mail', parts.mail, input)
      },
    })
    const clock = fakeClock()
    const runs = memoryRuns({ clock })
    const runtime = runtimeOf({ tools: [remind], database: runs })
    const run = await runtime.start(remind, 'ann')
    await runs.idle()
    expect(await run.status()).toMatchObject({ status: 'waiting', wakeAt: clock.now() + 7 * A_DAY_MS })
    await clock.advance(6 * A_DAY_MS)
    await runs.idle()
    expect(done).toEqual([])
    await clock.advance(A_DAY_MS)
    expect(await run.result()).toMatchObject({ ok: true })
    expect(done).toEqual(['mail ann'])
  })

  test('that starts later starts when its time has come', async () => {
    const { step } = steps()
    const charge = step('charge')
    const clock = fakeClock()
    const runs = memoryRuns({ clock })
    const run = await runtimeOf({ tools: [charge], database: runs }).start(charge, 'ann', { startAt: new Date(clock.now() + A_DAY_MS) })
    await runs.idle()
    expect(await run.status()).toMatchObject({ status: 'queued' })
    await clock.advance(A_DAY_MS)
    expect(await run.result()).toMatchObject({ ok: true })
  })

  test('that nobody decides on fails when its time is over', async () => {
    const { done, step } = steps()
    const ship = gate(step('ship'), { timeout: '2d' })
    const clock = fakeClock()
    const runs = memoryRuns({ clock })
    const run = await runtimeOf({ tools: [ship], database: runs }).start(ship, 'ann')
    await runs.idle()
    await clock.advance(2 * A_DAY_MS)
    expect(await run.result()).toMatchObject({ ok: false, error: { code: 'review_timed_out' } })
    expect(done).toEqual([])
  })

  test('that is cancelled while it waits undoes its steps', async () => {
    const { done, step } = steps()
    const order = saga({ name: 'order', description: 'Orders.' })
      .step('charge', step('charge'), { compensate: { with: step('refund'), class: 'reversible', input: () => 'ann' } })
      .step('ship', gate(step('ship')), { compensate: 'irreversible' })
      .build()
    const runs = memoryRuns({ clock: fakeClock() })
    const run = await runtimeOf({ tools: [order], database: runs }).start(order, 'ann')
    await runs.idle()
    await run.cancel('changed my mind')
    await runs.idle()
    expect(await run.status()).toMatchObject({ status: 'cancelled' })
    expect(done.map((each) => each.split(' ')[0])).toEqual(['charge', 'refund'])
  })

  test('tells its events as they happen', async () => {
    const { step } = steps()
    const charge = step('charge')
    const runtime = runtimeOf({ tools: [charge], database: memoryRuns({ clock: fakeClock() }) })
    const run = await runtime.start(charge, 'ann')
    const told: string[] = []
    for await (const event of run.events()) told.push(event.type === 'status' ? event.status : event.type)
    expect(told).toEqual(['queued', 'running', 'step.started', 'step.finished', 'completed'])
  })

  test('keeps to the limits of tools', async () => {
    let most = 0
    let underWay = 0
    const { step } = steps()
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
    const charge = step('charge', async () => {
      most = Math.max(most, ++underWay)
      await turn()
      underWay--
    })
    const worker = { limits: { charge: { concurrency: 2 } } }
    const runtime = runtimeOf({ tools: [charge], database: memoryRuns({ clock: fakeClock() }), worker })
    const started = await Promise.all(Array.from({ length: 7 }, (_, index) => runtime.start(charge, String(index))))
    for (const run of started) expect(await run.result()).toMatchObject({ ok: true })
    expect(most).toBe(2)
  })

  test('shares the keys of idempotent tools with other processes', async () => {
    const { done, step } = steps()
    const charge = idempotent(step('charge'), { key: () => 'order 7' })
    const runs = memoryRuns({ clock: fakeClock() })
    const first = runtimeOf({ tools: [charge], database: runs })
    await (await first.start(charge, 'ann')).result()
    const second = runtimeOf({ tools: [charge], database: runs })
    expect(await (await second.start(charge, 'ann')).result()).toMatchObject({ ok: true, value: 'ann>charge' })
    expect(done).toEqual(['charge ann'])
  })

  test('goes by the clock of the machine where none is given', async () => {
    const { step } = steps()
    const charge = step('charge')
    const runtime = runtimeOf({ tools: [charge], database: memoryRuns() })
    expect(await (await runtime.start(charge, 'ann')).result()).toMatchObject({ ok: true })
  })
})
