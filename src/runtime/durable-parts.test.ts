import { describe, expect, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { parallel } from '../combinators/parallel/parallel.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import { saga } from '../combinators/saga/saga.ts'
import { check } from '../plan/check.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { tool } from '../tool/tool.ts'
import { createRuntime } from './create-runtime.ts'
import { durable } from './durable.ts'

const ADA = { principal: { id: 'ada', permissions: [] }, session: 'chat-1' }

function desk() {
  const did: string[] = []
  const act = (name: string): AgentTool<string, string> =>
    tool({ name, description: 'Does it.', effect: 'write', execute: (text) => (did.push(name), text) })
  const pay = gate(act('pay'))
  const inner = createRuntime({ tools: [pay], database: memoryRuns({ clock: fakeClock() }) })
  const paying = durable(pay, inner)
  const undone = { with: act('release'), class: 'reversible', input: () => 'x' } as const
  const order = (step: AgentTool<string, unknown>, options: object = { compensate: 'irreversible' }): AgentTool<string, unknown> =>
    saga({ name: 'order', description: 'Orders.' })
      .step('hold', act('hold'), { compensate: undone })
      .step('pay', step, { input: (given: { readonly input: string }) => given.input, ...options } as never)
      .build() as AgentTool<string, unknown>
  return { did, act, pay, paying, inner, order, undone }
}

type Desk = ReturnType<typeof desk>

const WHOLES: Readonly<Record<string, (desk: Desk) => AgentTool<string, unknown>>> = {
  'as its step': ({ order, paying }) => order(paying),
  'in a layer': ({ order, paying }) => order(gate(paying, { approval: false })),
  'in a pipeline': ({ order, paying, act }) => order(pipe(paying, act('thank'))),
  'beside others': ({ order, paying, act }) => order(parallel({ paying, thank: act('thank') }, { name: 'both' }) as never),
  'in a saga inside': ({ order, paying, act }) =>
    order(
      saga({ name: 'inside', description: 'd' })
        .step('note', act('note'), { compensate: 'irreversible' })
        .step('pay', paying, { input: ({ input }) => input, compensate: 'irreversible' })
        .build() as never,
    ),
  'as a compensation': ({ order, act, paying }) =>
    order(act('mail'), { compensate: { with: paying, class: 'semantic', input: () => 'x' } }),
}

describe.each(Object.entries(WHOLES))('a saga in memory with a durable tool %s', (_place, make) => {
  test('is refused before anything runs, and check has warned', async () => {
    const it = desk()
    const whole = make(it)
    await expect(whole.call('x', ADA)).rejects.toMatchObject({ code: 'needs_durable_run', message: expect.stringContaining("'order") })
    expect(it.did).toEqual([])
    expect(await (await it.inner.runs()).list()).toEqual([])
    expect(check(whole).filter(({ code }) => code === 'detached_step')).toMatchObject([{ severity: 'warning' }])
    await it.inner.close()
  })

  test('runs where the whole is durable: the tool is a part of its run', async () => {
    const it = desk()
    const whole = make(it)
    const outer = createRuntime({ tools: [whole], database: memoryRuns({ clock: fakeClock() }) })
    outer.inbox.on('requested', ({ request }) => void outer.inbox.approve(request.id, 'bob'))
    await outer.runs()
    const run = await outer.start(whole, 'x', ADA)
    expect((await run.result()).ok).toBe(true)
    expect(await (await it.inner.runs()).list()).toEqual([])
    expect(check(durable(whole, outer)).filter(({ code }) => code === 'detached_step')).toEqual([])
    await Promise.all([outer.close(), it.inner.close()])
  })
})

test('a durable tool that a plain tool in a saga calls is refused, and the saga undoes what came before', async () => {
  const { did, order, paying, inner } = desk()
  const hidden = tool({
    name: 'hidden',
    description: 'Calls a tool that its plan does not show.',
    effect: 'write',
    execute: async (text, context) => (await context.call('pay', paying, text)).text,
  })
  await expect(order(hidden).call('x', ADA)).rejects.toMatchObject({ code: 'needs_durable_run' })
  expect(did).toEqual(['hold', 'release'])
  expect(await (await inner.runs()).list()).toEqual([])
  await inner.close()
})

test('check warns of a durable step of a pipeline: in memory, the steps after it never run', async () => {
  const { act, paying, inner } = desk()
  const whole = pipe.named({ name: 'order', description: 'Orders.' })(act('hold'), gate(paying), act('thank'))
  const [finding, ...others] = check(whole).filter(({ code }) => code === 'detached_step')
  expect(others).toEqual([])
  expect(finding?.message).toContain("If 'order' is called in memory, it ends with a receipt")
  expect(await whole.call('x', { ...ADA, review: { review: () => ({ action: 'continue' }) } })).toMatchObject({
    error: { code: 'approval_pending' },
  })
  await inner.close()
})
