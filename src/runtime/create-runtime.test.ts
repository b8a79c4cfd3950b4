import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { WorkerOptions } from '../run/worker/worker-options.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import { recordEvents } from '../testing/record-events.ts'
import { recordingReview } from '../testing/recording-review.ts'
import { service } from '../tool/service.ts'
import { tool } from '../tool/tool.ts'
import { createRuntime } from './create-runtime.ts'

const pay = tool({
  name: 'pay',
  description: 'Pays.',
  inputSchema: z.object({ amount: z.number() }),
  requireApproval: ({ amount }) => amount > 10,
  services: { till: service<{ take: (amount: number) => string }>() },
  execute: ({ amount }, { services, agent }) => `${services.till.take(amount)} by ${agent}`,
})
const services = { till: { take: (amount: number) => `took ${amount}` } }

describe('a runtime', () => {
  test('holds what calls share, and a call’s own word counts more [T9]', async () => {
    const shared = recordingReview({ action: 'reject' })
    const runtime = createRuntime({ tools: [pay], services, review: shared, agent: 'shared' })
    expect(await runtime.call(pay, { amount: 5 })).toMatchObject({ value: 'took 5 by shared' })
    expect(await runtime.call(pay, { amount: 50 })).toMatchObject({ error: { code: 'rejected' } })
    expect(await runtime.call(pay, { amount: 50 }, { review: recordingReview(), agent: 'own' })).toMatchObject({ value: 'took 50 by own' })
    expect(await runtime.call(pay, { amount: 50 }, { review: undefined })).toMatchObject({ error: { code: 'rejected' } })
    expect(shared.requests.length).toBe(2)
  })

  test('adds up listeners, and calls by name with a model’s text', async () => {
    const [all, one] = [recordEvents(), recordEvents()]
    const runtime = createRuntime({ tools: [pay], services, on: all })
    expect((await runtime.callByName('pay', '{"amount":3}', { on: one, agent: 'a' })).text).toBe('took 3 by a')
    await runtime.callByName('pay', '{"amount":4}')
    expect([all.events.length, one.events.length]).toEqual([4, 2])
    expect(await runtime.specifications()).toMatchObject([{ name: 'pay', parameters: { required: ['amount'] } }])
  })

  test('asks providers for every run, and refuses a list that is wrong', async () => {
    let asked = 0
    const runtime = createRuntime({ tools: [{ tools: () => (asked++, [pay]) }], services })
    await runtime.callByName('pay', '{"amount":3}')
    await runtime.callByName('pay', '{"amount":3}')
    expect(asked).toBe(2)
    await expect(createRuntime({ tools: [pay, pay] }).resolve()).rejects.toMatchObject({ code: 'duplicate_name' })
  })
})

test('a runtime that is closed starts no run, and says so', async () => {
  const echo = tool({ name: 'echo', description: 'Says it again.', effect: 'read', execute: (text) => text })
  const runtime = createRuntime({ tools: [echo] })
  await runtime.close()
  await expect(runtime.start(echo, 'x')).rejects.toMatchObject({ code: 'runtime_closed' })
  await expect(runtime.inbox.list()).rejects.toMatchObject({ code: 'runtime_closed' })
  expect(await runtime.call(echo, 'x')).toMatchObject({ ok: true })
})

test('limits of a worker for a tool that it does not know are told, with the name that is meant', async () => {
  const lines: string[] = []
  const log = {
    trace: () => {},
    debug: () => {},
    info: () => {},
    warn: (_fields: object, line: string) => void lines.push(line),
    error: () => {},
  }
  const send = tool({ name: 'send', description: 'Sends.', effect: 'write', execute: () => 'sent' })
  const told = async (limits: NonNullable<WorkerOptions['limits']>): Promise<readonly string[]> => {
    lines.length = 0
    const runtime = createRuntime({ tools: [send], database: memoryRuns(), log, worker: { limits } })
    await (await runtime.start(send, '')).result()
    await runtime.close()
    return lines
  }
  expect(await told({ send: { concurrency: 1 } })).toEqual([])
  expect(await told({ sned: { concurrency: 1 } })).toEqual([
    "The limits of the worker name 'sned', which this worker does not know. Did you mean 'send'?",
  ])
})

test.each([undefined, null, 'pay', 7, {}])('what is no tool is refused with a code: %s', async (given) => {
  const runtime = createRuntime({ tools: [pay], services, database: memoryRuns(), worker: false })
  await expect(runtime.start(given as never, 'x')).rejects.toMatchObject({ code: 'not_a_tool' })
  await expect(runtime.call(given as never, 'x')).rejects.toMatchObject({ code: 'not_a_tool' })
  await runtime.close()
})
