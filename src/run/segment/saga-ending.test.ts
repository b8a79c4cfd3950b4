import { beforeEach, describe, expect, test } from 'vitest'
import { durableRuns, openRequest, untilStatus } from '../../../test/fixtures/run/durable-runs.ts'
import { notingTools } from '../../../test/fixtures/run/noting-tools.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { parallel } from '../../combinators/parallel/parallel.ts'
import { saga } from '../../combinators/saga/saga.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import { isExitEarly } from '../../tool/errors/exit-early.ts'
import { failure } from '../../tool/result/returned.ts'
import { tool } from '../../tool/tool.ts'

const database = durableRuns()

let isStuck = true
beforeEach(() => {
  isStuck = true
})
const stuck = tool({
  name: 'stuck',
  description: 'Undoes, unless it is stuck.',
  effect: 'write',
  execute: () => (isStuck ? failure('It is stuck.') : 'undone'),
})

/** Takes, which cannot be undone when it comes to that, then does something else. */
function takeAnd(then: AgentTool<string, string>, take: AgentTool<string, string>): AgentTool<string, unknown> {
  return saga({ name: 'order', description: 'Orders.' })
    .step('take', take, { compensate: { with: stuck, class: 'reversible', input: ({ input }) => input, attempts: 1 } })
    .step('then', then)
    .build()
}

describe('a durable saga', () => {
  test('whose output cannot be recorded undoes everything [G1] [G3]', async () => {
    const { noting, done } = notingTools()
    const order = saga({ name: 'order', description: 'Orders.' })
      .step('take', noting('take'), { compensate: { with: noting('give_back'), class: 'reversible', input: ({ input }) => input } })
      .build({ output: ({ input }) => ({ link: new URL(`http://x/${input}`) }) })
    const runs = await database.open([order])
    const run = await runs.start(order, 'lamp')
    expect(await run.result()).toMatchObject({
      ok: false,
      error: {
        code: 'not_serializable',
        outcome: 'failed',
        message: "The output of 'order' cannot be recorded. A durable run cannot keep an instance of URL at $.link. Undone: take.",
      },
      compensation: { state: 'compensated', notUndone: [], results: { take: 'lamp>take' } },
    })
    expect(done).toEqual(['take lamp', 'give_back lamp'])
  })

  test('that a reviewer stopped says what was not undone, until a person has had it undone [G2] [T14]', async () => {
    const { noting } = notingTools()
    const order = takeAnd(gate(noting('pay')), noting('take'))
    const runs = await database.open([order])
    const run = await runs.start(order, 'lamp')
    await runs.inbox.stop(await openRequest(runs, run.id), 'closed for today')
    const thrown: unknown = await run.result().catch((error: unknown) => error)
    expect(isExitEarly(thrown)).toBe(true)
    const message = "A reviewer stopped the run at 'pay': closed for today. Not undone: take."
    expect(thrown).toMatchObject({ message })
    expect(await run.status()).toMatchObject({ status: 'stopped', why: { message } })

    isStuck = false
    await run.retryCompensation('ada')
    await expect(run.result()).rejects.toMatchObject({ message: "A reviewer stopped the run at 'pay': closed for today" })
    expect(await run.status()).toMatchObject({ status: 'stopped' })
  })

  test('says so too where the stop was in another branch [G2] [T14]', async () => {
    const { noting } = notingTools()
    const order = takeAnd(gate(noting('wait')), noting('take'))
    const both = parallel({ order, pay: gate(noting('pay')) })
    const runs = await database.open([both])
    const run = await runs.start(both, 'lamp')
    await openRequest(runs, run.id, 2)
    const items = await runs.inbox.list({ run: run.id })
    await runs.inbox.stop(items.find(({ request }) => request.tool === 'pay')?.request.id ?? '')
    await expect(run.result()).rejects.toThrow("A reviewer stopped the run at 'pay'. Not undone: order/take.")
  })

  test('that was cancelled says what was not undone, once, also where what is around it does not [G2]', async () => {
    const { noting } = notingTools()
    const order = takeAnd(gate(noting('pay')), noting('take'))
    const both = parallel({ left: order, right: order })
    const quiet = compound({
      name: 'quiet',
      description: 'Keeps to itself what went wrong.',
      parts: { order },
      run: async (input, context, parts) => {
        await context.call('order', parts.order, input)
        context.signal.throwIfAborted()
        return 'done'
      },
    })
    const runs = await database.open([order, both, quiet])
    for (const [each, left] of [
      [order, ['take']],
      [both, ['take', 'take', 'left/take, right/take']],
      [quiet, ['order/take']],
    ] as const) {
      const run = await runs.start(each as AgentTool<string, unknown>, 'lamp')
      await untilStatus(runs, run.id, 'waiting')
      await run.cancel('no longer wanted')
      const { text } = await run.result()
      const { status, why } = await run.status()
      expect(status).toBe('cancelled')
      expect([...text.matchAll(/Not undone: (.*?)\./g)].map(([, steps]) => steps)).toEqual(left)
      expect(text).toBe(`Error: ${why?.message}`)
    }
  })
})

describe('a durable run that a changed program takes up [O3]', () => {
  /** Two flows that each act and then ask; the changed program has only the first. */
  function raced(isChanged: boolean, { noting }: ReturnType<typeof notingTools>): AgentTool<string, unknown> {
    const branch = (name: string): AgentTool<string, string> =>
      saga({ name, description: 'Acts, then asks.' })
        .step('act', noting(`act_${name}`), {
          compensate: { with: noting(`undo_${name}`), class: 'reversible', input: ({ input }) => input },
        })
        .step('asked', gate(noting(`asked_${name}`)), { input: ({ input }) => input })
        .build({ output: ({ input }) => input }) as AgentTool<string, string>
    const [left, right] = [branch('left'), branch('right')]
    return compound({
      name: 'order',
      description: 'd',
      parts: { left, right },
      run: async (input: string, { call }) => {
        const both = isChanged ? [call('left', left, input)] : [call('left', left, input), call('right', right, input)]
        return (await Promise.all(both)).length
      },
    })
  }

  /** The first version has begun it and is gone. */
  async function parkedOrder() {
    const tools = notingTools()
    const order = raced(false, tools)
    const began = await database.open([order])
    const run = await began.start(order, 'lamp')
    await untilStatus(began, run.id, 'waiting')
    await began.close()
    return { tools, order, run }
  }

  async function requestAt(runs: Awaited<ReturnType<typeof database.open>>, branch: string): Promise<string> {
    const item = (await runs.inbox.list()).find(({ request }) => request.path.includes(`/${branch}/`))
    return item?.request.id ?? ''
  }

  test('does not wait on when somebody has stopped it where the program does not come any more', async () => {
    const { tools, run } = await parkedOrder()
    const other = await database.open([raced(true, tools)])
    await other.inbox.stop(await requestAt(other, 'right'), 'fraud')
    await untilStatus(other, run.id, 'blocked')
    const again = await other.get(run.id)
    expect((await again.status()).why?.message).toContain('order/right')
    expect(tools.done).toEqual(['act_left lamp', 'act_right lamp'])
  })

  test('begins nothing after a stop, whatever was approved later [T14]', async () => {
    const { tools, order, run } = await parkedOrder()
    const people = await database.open([order], { worker: false })
    const [left, right] = [await requestAt(people, 'left'), await requestAt(people, 'right')]
    await people.inbox.stop(right, 'fraud')
    await people.inbox.approve(left)
    await database.open([order])
    await untilStatus(people, run.id, 'stopped')
    expect(tools.done.filter((each) => each.startsWith('asked'))).toEqual([])
  })
})

test('the reason of a cancellation is the hint of the result', async () => {
  const { noting } = notingTools()
  const order = takeAnd(gate(noting('pay')), noting('take'))
  const runs = await database.open([order])
  const run = await runs.start(order, 'lamp')
  isStuck = false
  await untilStatus(runs, run.id, 'waiting')
  await run.cancel('changed my mind')
  expect(await run.result()).toMatchObject({ ok: false, error: { hint: 'It was cancelled because: changed my mind' } })
})

test('the reason of a rejection stays in the message when something could not be undone [G2] [T14]', async () => {
  const { noting } = notingTools()
  const order = takeAnd(gate(noting('pay')), noting('take'))
  const runs = await database.open([order])
  const run = await runs.start(order, 'lamp')
  await runs.inbox.reject(await openRequest(runs, run.id), 'too much')
  const result = await run.result()
  expect(result.text).toContain('Rejected by reviewer, who says "too much": ')
  expect(result.ok ? '' : result.error.hint).toMatch(/ not undone remain\./)
})
