import { expect, onTestFinished, test } from 'vitest'
import { memoryRuns } from '../testing/memory-runs.ts'
import { ToolError, type ToolErrorOptions } from '../tool/errors/tool-error.ts'
import { tool } from '../tool/tool.ts'
import { createRuntime } from './create-runtime.ts'
import { durable } from './durable.ts'
import { durableAtDoor } from './durable-at-door.ts'

const ada = { principal: { id: 'ada', permissions: [] } }
const TAKEN_BACK = 'The caller cancelled the call.'
/** A call that never ends must fail the test, and not block it. */
const MOST = 50

test.each<[string, ToolErrorOptions]>([
  ['its words', { code: 'cancelled', outcome: 'not_started', hint: TAKEN_BACK }],
  ['the words of the record', { code: 'cancelled', outcome: 'failed', hint: `It was cancelled because: ${TAKEN_BACK}` }],
])('a tool that says in %s that its call was cancelled is called once [T15]', async (_words, details) => {
  let calls = 0
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    effect: 'write',
    execute: () => {
      if (++calls > MOST) return 'paid'
      throw new ToolError('It was cancelled.', details)
    },
  })
  const runtime = createRuntime({ tools: [pay], database: memoryRuns() })
  onTestFinished(() => runtime.close())
  const result = await durable(pay, runtime).call('x', ada)
  expect([result.ok, calls]).toEqual([false, 1])
  expect(await (await runtime.runs()).list()).toMatchObject([{ status: 'failed' }])
})

test('a call whose runs others take back again and again ends [T15]', async () => {
  let calls = 0
  const look = tool({
    name: 'look',
    description: 'Looks.',
    effect: 'read',
    execute: async (_input, { signal }) => {
      if (++calls > MOST) return 'seen'
      const aborted = new Promise<never>((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
      )
      const [open] = await (await runtime.runs()).list({ status: 'running' })
      await (await runtime.runs()).takeBack(open?.id ?? '')
      return aborted
    },
  })
  const runtime = createRuntime({ tools: [look], database: memoryRuns() })
  onTestFinished(() => runtime.close())
  const result = await durable(look, runtime).call('x', ada)
  expect(result).toMatchObject({ ok: false, error: { code: 'cancelled' } })
  expect(calls).toBe(10)
})

test('a run that somebody cancelled is not begun again, though its tool says that the caller did [T15]', async () => {
  let calls = 0
  const look = tool({
    name: 'look',
    description: 'Looks.',
    effect: 'read',
    execute: async (_input, { signal }) => {
      if (++calls > MOST) return 'seen'
      const aborted = new Promise<never>((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new ToolError('Cancelled.', { code: 'cancelled', hint: TAKEN_BACK })), {
          once: true,
        }),
      )
      const [open] = await (await runtime.runs()).list({ status: 'running' })
      await (await runtime.run(open?.id ?? '')).cancel(reason)
      return aborted
    },
  })
  const runtime = createRuntime({ tools: [look], database: memoryRuns() })
  onTestFinished(() => runtime.close())
  let reason: string | undefined
  for (reason of [undefined, TAKEN_BACK]) {
    calls = 0
    expect(await durable(look, runtime).call('x', ada)).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    expect(calls).toBe(1)
  }
})

test('of calls that share a run and are cancelled at the same time, the last one takes the run back [T15]', async () => {
  const never = new Promise<never>(() => {})
  const wait = tool({ name: 'wait', description: 'Waits.', effect: 'write', execute: () => never })
  const runtime = createRuntime({ tools: [wait], database: memoryRuns() })
  onTestFinished(() => runtime.close())
  const shared = durableAtDoor(wait, runtime, { patienceMs: 60_000, isApart: () => false })
  const given = new AbortController()
  const calls = Array.from({ length: 3 }, () => shared.call('x', { ...ada, signal: given.signal }))
  const { list } = await runtime.runs()
  await expect.poll(() => list()).toMatchObject([{ status: 'running' }])
  // All of them wait for it.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  given.abort(new Error('Given up.'))
  await Promise.all(calls)
  await expect.poll(() => list()).toMatchObject([{ status: 'cancelled' }])
})
