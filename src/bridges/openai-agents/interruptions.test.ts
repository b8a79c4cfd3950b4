import { RunState } from '@openai/agents'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { desk, durably, refundCall, refunds, runner } from '../../../test/fixtures/openai-agents/agent-desk.ts'
import type { AgentTurn } from '../../../test/fixtures/openai-agents/scripted-agent-model.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { humanInput } from '../../kits/basic/human-input.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import type { ToOpenAiAgentsOptions } from './bridge.ts'

/** The same tests for calls in memory and for durable runs. */
const ways: [string, (tools: readonly AgentTool[]) => ToOpenAiAgentsOptions][] = [
  ['in memory', () => ({})],
  ['as a durable run', (tools) => ({ runtime: durably(tools) })],
]

describe.each(ways)('a gate in a run of the SDK, %s', (way, optionsOf) => {
  test('interrupts it, shows the request, and an approval goes on where it stopped [T14] [T15]', async () => {
    const { log, refund } = refunds()
    const { agent, model, reviews } = await desk([refund], [refundCall(), 'Refunded.'], optionsOf([refund]))
    const paused = await runner.run(agent, 'Refund.')
    const [item] = paused.interruptions
    expect(item?.name).toBe('refund')
    expect(await reviews.requests(item!, paused.state)).toMatchObject([
      { kind: 'approval', tool: 'pay_back', why: '250 is above 100.', input: { orderId: 'A1', amount: 250 } },
    ])
    expect(log).toEqual(['found a@b.c'])
    paused.state.approve(item!)
    const done = await runner.run(agent, paused.state)
    expect([done.finalOutput, model.told]).toEqual(['Refunded.', ['Paid back 250 for A1.']])
    expect(log).toEqual(['found a@b.c', 'paid A1 250'])
  })

  test('is rejected with the reason, and nothing takes effect [T14]', async () => {
    const { log, refund } = refunds()
    const { agent, model, reviews } = await desk([refund], [refundCall(), 'Well.'], optionsOf([refund]))
    const paused = await runner.run(agent, 'Refund.')
    const [item] = paused.interruptions
    paused.state.reject(item!, { message: 'Too much.' })
    await reviews.rejectDenied(paused.state)
    expect(await reviews.requests(item!, paused.state)).toEqual([])
    await runner.run(agent, paused.state)
    expect(model.told).toEqual(['Too much.'])
    expect(log).toEqual(['found a@b.c'])
  })

  test('is rejected by the next call of a tool, where nobody says so before [T14]', async () => {
    const { refund } = refunds()
    const options = optionsOf([refund])
    const { agent, reviews } = await desk([refund], [refundCall('c1'), refundCall('c2', 'x@y.z'), 'Well.'], options)
    const paused = await runner.run(agent, 'Refund.')
    const [item] = paused.interruptions
    paused.state.reject(item!)
    const again = await runner.run(agent, paused.state)
    expect(again.interruptions).toHaveLength(1)
    expect(await reviews.requests(item!, paused.state)).toEqual([])
  })

  test('is rejected by the run that goes on, where no tool is called any more [T14]', async () => {
    const { log, refund } = refunds()
    const options = optionsOf([refund])
    const { agent, model, reviews } = await desk([refund], [refundCall(), 'Well.'], options)
    const paused = await runner.run(agent, 'Refund.')
    paused.state.reject(paused.interruptions[0]!, { message: 'Too much.' })
    const done = await runner.run(agent, paused.state)
    expect([done.finalOutput, model.told]).toEqual(['Well.', ['Too much.']])
    expect([reviews.list(), (await options.runtime?.inbox.list()) ?? []]).toEqual([[], []])
    expect(log).toEqual(['found a@b.c'])
  })

  test('runs with an edited input [T14]', async () => {
    const { log, refund } = refunds()
    const options = optionsOf([refund])
    const { agent, model, reviews } = await desk([refund], [refundCall(), 'Refunded.'], options)
    const paused = await runner.run(agent, 'Refund.')
    const [item] = paused.interruptions
    const [request] = await reviews.requests(item!, paused.state)
    const { inbox } = options.runtime ?? {}
    await (inbox ?? reviews).edit(request?.id ?? '', { patch: { amount: 10 } }, 'bob')
    paused.state.approve(item!)
    await runner.run(agent, paused.state)
    expect(model.told).toEqual(['Paid back 10 for A1.'])
    expect(log).toEqual(['found a@b.c', 'paid A1 10'])
  })

  test('refuses an edit that does not fit, and stays open [T14]', async () => {
    const { log, refund } = refunds()
    const options = optionsOf([refund])
    const { agent, model, reviews } = await desk([refund], [refundCall(), 'Refunded.'], options)
    const { state, interruptions } = await runner.run(agent, 'Refund.')
    const [request] = await reviews.requests(interruptions[0]!, state)
    const { edit } = options.runtime?.inbox ?? reviews
    await expect(edit(request?.id ?? '', { patch: { amount: 'much' } }, 'bob')).rejects.toThrow("which stays open: 'amount': ")
    await expect(edit(request?.id ?? '', { patch: { amuont: 1 } }, 'bob')).rejects.toThrow("there is no field 'amuont'")
    expect(await reviews.requests(interruptions[0]!, state)).toEqual([request])
    state.approve(interruptions[0]!)
    await runner.run(agent, state)
    expect([model.told, log]).toEqual([['Paid back 250 for A1.'], ['found a@b.c', 'paid A1 250']])
  })

  test('takes the answer to a question; an approval alone is none [T14]', async () => {
    const ask = humanInput()
    const turns: AgentTurn[] = [
      [{ id: 'c1', name: 'human_input', args: { input: 'Which seat?' } }],
      [{ id: 'c2', name: 'human_input', args: { input: 'Which row?' } }],
      'Ok.',
    ]
    const options = optionsOf([ask])
    const { agent, model, reviews } = await desk([ask], turns, { ...options, durable: options.runtime !== undefined })
    const first = await runner.run(agent, 'Ask.')
    const [request] = await reviews.requests(first.interruptions[0]!, first.state)
    expect(request).toMatchObject({ kind: 'question', why: 'Which seat?' })
    await (options.runtime?.inbox ?? reviews).answer(request?.id ?? '', 'The window seat.')
    first.state.approve(first.interruptions[0]!)
    const second = await runner.run(agent, first.state)
    expect(model.told.join()).toContain('The window seat.')
    second.state.approve(second.interruptions[0]!)
    await runner.run(agent, second.state)
    expect(model.told.at(-1)).toContain('not answered')
  }, 10_000)

  test('of several calls of one step are decided each for itself [T14]', async () => {
    const { log, refund } = refunds()
    const turn = [...(refundCall('c1') as []), ...(refundCall('c2', 'x@y.z') as [])]
    const { agent, model } = await desk([refund], [turn, 'Done.'], optionsOf([refund]))
    const paused = await runner.run(agent, 'Refund both.')
    const [one, two] = paused.interruptions
    paused.state.approve(one!)
    paused.state.reject(two!, { message: 'Not this one.' })
    await runner.run(agent, paused.state)
    expect(model.told).toEqual(['Paid back 250 for A1.', 'Not this one.'])
    expect(log.toSorted()).toEqual(['found a@b.c', 'found x@y.z', 'paid A1 250'])
  })

  test('has its effect once, if a state is resumed twice [T15]', async () => {
    const { log, refund } = refunds()
    const { agent, model } = await desk([refund], [refundCall(), 'Refunded.'], optionsOf([refund]))
    const paused = await runner.run(agent, 'Refund.')
    paused.state.approve(paused.interruptions[0]!)
    const stored = paused.state.toString()
    for (const _turn of [1, 2]) {
      await runner.run(agent, await RunState.fromString(agent, stored))
      expect(model.told).toEqual(['Paid back 250 for A1.'])
    }
    expect(log).toEqual(['found a@b.c', 'paid A1 250'])
  })

  test('an approval counts for the gate that was shown, and for no later one [T14]', async () => {
    const log: string[] = []
    const step = (name: string) => gate(tool({ name, description: 'd', effect: 'write', execute: (text) => (log.push(name), text) }))
    const both = pipe.named({ name: 'both', description: 'Two gates.' })(step('small'), step('large'))
    const { agent, model } = await desk([both], [[{ id: 'c1', name: 'both', args: { input: 'x' } }], 'Well.'], optionsOf([both]))
    const paused = await runner.run(agent, 'Go.')
    paused.state.approve(paused.interruptions[0]!)
    const stored = paused.state.toString()
    await runner.run(agent, paused.state)
    expect(log).toEqual(['small'])
    expect(model.told.join()).toMatch(way === 'in memory' ? /must approve before 'both' can go on/ : /waits for a person to decide/)
    await runner.run(agent, await RunState.fromString(agent, stored))
    expect(log).toEqual(['small'])
  })

  test('an approval of all calls does not count for what nobody has seen [T14]', async () => {
    const { log, refund } = refunds()
    const { agent, model } = await desk([refund], [refundCall('c1'), refundCall('c2', 'x@y.z'), 'Done.'], optionsOf([refund]))
    const paused = await runner.run(agent, 'Refund.')
    paused.state.approve(paused.interruptions[0]!, { alwaysApprove: true })
    await runner.run(agent, paused.state)
    expect(log).toEqual(['found a@b.c', 'paid A1 250', 'found x@y.z'])
    expect(model.told.at(-1)).toMatch(/a person/i)
  })

  test('with other arguments than those that were shown runs nothing [T14]', async () => {
    const { log, refund } = refunds()
    const { agent } = await desk([refund], [refundCall(), 'Well.'], optionsOf([refund]))
    const paused = await runner.run(agent, 'Refund.')
    paused.state.approve(paused.interruptions[0]!)
    const forged = paused.state.toString().replaceAll('a@b.c', 'eve@b.c')
    await RunState.fromString(agent, forged)
      .then((state) => runner.run(agent, state))
      .catch(() => undefined)
    expect(log.filter((each) => each.startsWith('paid'))).toEqual([])
  })

  test('shows a request with secrets masked [T14]', async () => {
    const sign = gate(
      tool({
        name: 'sign_in',
        description: 'd',
        effect: 'write',
        inputSchema: z.object({ user: z.string(), password: z.string() }),
        execute: ({ password }) => `in with ${password.length}`,
      }),
    )
    const turn: AgentTurn = [{ id: 'c1', name: 'sign_in', args: { user: 'ada', password: 'hunter2-secret' } }]
    const { agent, reviews } = await desk([sign], [turn, 'Ok.'], optionsOf([sign]))
    const paused = await runner.run(agent, 'Sign in.')
    const requests = await reviews.requests(paused.interruptions[0]!, paused.state)
    expect(requests).toHaveLength(1)
    expect(JSON.stringify(requests)).not.toContain('hunter2')
  })

  test('that does not ask runs at once [T14]', async () => {
    const log: string[] = []
    const seldom = gate(tool({ name: 'seldom', description: 'd', effect: 'write', execute: (text) => (log.push('ran'), text) }), {
      approval: () => false,
    })
    const { agent, model } = await desk([seldom], [[{ id: 'c1', name: 'seldom', args: { input: 'x' } }], 'Ok.'], optionsOf([seldom]))
    expect((await runner.run(agent, 'Go.')).interruptions).toEqual([])
    expect([model.told, log]).toEqual([['x'], ['ran']])
  })
})

describe('a state in another process', () => {
  test('goes on with a durable call, the effect once [T15]', async () => {
    const { log, refund } = refunds()
    const database = memoryRuns()
    const first = await desk([refund], [refundCall(), 'Refunded.'], { runtime: durably([refund], database) })
    const paused = await runner.run(first.agent, 'Refund.')
    const stored = paused.state.toString()
    database.crash()
    const second = await desk([refund], [refundCall(), 'Refunded.'], { runtime: durably([refund], database) })
    const state = await RunState.fromString(second.agent, stored)
    const [item] = state.getInterruptions()
    expect(await second.reviews.requests(item!, state)).toMatchObject([{ tool: 'pay_back' }])
    state.approve(item!)
    const approved = state.toString()
    const done = await runner.run(second.agent, state)
    expect([done.finalOutput, second.model.told]).toEqual(['Refunded.', ['Paid back 250 for A1.']])
    expect(log).toEqual(['found a@b.c', 'paid A1 250'])
    expect(second.tools.map(({ name }) => name)).toEqual(['refund', 'run_status'])
    // A third process has the same state, and the call has ended.
    const third = await desk([refund], [refundCall(), 'Refunded.'], { runtime: durably([refund], database) })
    await runner.run(third.agent, await RunState.fromString(third.agent, approved))
    expect(third.model.told).toEqual(['Paid back 250 for A1.'])
    expect(log).toEqual(['found a@b.c', 'paid A1 250'])
  })

  test('with an approval of all calls approves nothing that this process has not shown [T14]', async () => {
    const { log, refund } = refunds()
    const database = memoryRuns()
    const first = await desk([refund], [refundCall(), 'Well.'], { runtime: durably([refund], database) })
    const paused = await runner.run(first.agent, 'Refund.')
    paused.state.approve(paused.interruptions[0]!, { alwaysApprove: true })
    const stored = paused.state.toString()
    const second = await desk([refund], [refundCall(), 'Well.'], { runtime: durably([refund], database) })
    await runner.run(second.agent, await RunState.fromString(second.agent, stored))
    expect(second.model.told.join()).toContain('waits for a person')
    expect(log).toEqual(['found a@b.c'])
  })

  test('does not approve a later gate with the approval of an earlier one [T14]', async () => {
    const log: string[] = []
    const step = (name: string) => gate(tool({ name, description: 'd', effect: 'write', execute: (text) => (log.push(name), text) }))
    const both = pipe.named({ name: 'both', description: 'Two gates.' })(step('small'), step('large'))
    const turns: AgentTurn[] = [[{ id: 'c1', name: 'both', args: { input: 'x' } }], 'Well.']
    const database = memoryRuns()
    const first = await desk([both], turns, { runtime: durably([both], database) })
    const paused = await runner.run(first.agent, 'Go.')
    paused.state.approve(paused.interruptions[0]!)
    const stored = paused.state.toString()
    for (const _process of [1, 2]) {
      const next = await desk([both], turns, { runtime: durably([both], database) })
      await runner.run(next.agent, await RunState.fromString(next.agent, stored))
      expect(log).toEqual(['small'])
      expect(next.model.told.join()).toContain('waits for a person')
    }
  })

  test.each<[string, ToOpenAiAgentsOptions]>([
    ['another session', { session: 'chat-8' }],
    ['another principal', { principal: { id: 'eve', permissions: [] } }],
    ['no session', { session: undefined }],
  ])('approves nothing for %s [T14]', async (_what, options) => {
    const { log, refund } = refunds()
    const runtime = durably([refund])
    const first = await desk([refund], [refundCall(), 'Well.'], { runtime })
    const stored = (await runner.run(first.agent, 'Refund.')).state.toString()
    const [open] = await runtime.inbox.list()
    const second = await desk([refund], [refundCall(), 'Well.'], { runtime, ...options })
    const state = await RunState.fromString(second.agent, stored)
    state.approve(state.getInterruptions()[0]!)
    await runner.run(second.agent, state)
    expect(second.model.told.join()).toContain('waits for a person')
    expect(log.filter((each) => each.startsWith('paid'))).toEqual([])
    expect((await runtime.inbox.get(open?.request.id ?? ''))?.status).toBe('open')
  })

  test('asks again where the call waited in the memory of the first one [T14]', async () => {
    const { log, refund } = refunds()
    const first = await desk([refund], [refundCall(), 'Well.'])
    const stored = (await runner.run(first.agent, 'Refund.')).state.toString()
    const second = await desk([refund], [refundCall(), refundCall('c2'), 'Refunded.'])
    const state = await RunState.fromString(second.agent, stored)
    state.approve(state.getInterruptions()[0]!)
    const asked = await runner.run(second.agent, state)
    expect(log.filter((each) => each.startsWith('paid'))).toEqual([])
    asked.state.approve(asked.interruptions[0]!)
    await runner.run(second.agent, asked.state)
    expect(second.model.told.at(-1)).toBe('Paid back 250 for A1.')
    expect(log.filter((each) => each.startsWith('paid'))).toEqual(['paid A1 250'])
  })
})

test('a tool that asks only in its code interrupts the run at the next equal call [T14]', async () => {
  const asks = tool({
    name: 'asks',
    description: 'd',
    effect: 'read',
    execute: async (_input, { ask }) => `chose ${String(await ask({ question: 'Which?', answerSchema: z.string() }))}`,
  })
  const call = (id: string): AgentTurn => [{ id, name: 'asks', args: { input: 'x' } }]
  const { agent, model, reviews } = await desk([asks], [call('c1'), call('c2'), 'Ok.'])
  const paused = await runner.run(agent, 'Ask.')
  expect(model.told.join()).toContain("Call 'asks' again")
  expect(paused.interruptions).toHaveLength(1)
  await reviews.answer('c2', 'the left one')
  paused.state.approve(paused.interruptions[0]!)
  await runner.run(agent, paused.state)
  expect(model.told.at(-1)).toBe('chose the left one')
})

test('a policy of the runtime that asks interrupts the run [T14]', async () => {
  const note = tool({ name: 'note', description: 'd', effect: 'write', execute: (text) => `noted ${text}` })
  const runtime = createRuntime({ tools: [note], policy: () => 'require_approval' })
  const { agent, model } = await desk([note], [[{ id: 'c1', name: 'note', args: { input: 'x' } }], 'Ok.'], { runtime })
  const paused = await runner.run(agent, 'Note.')
  expect(paused.interruptions).toHaveLength(1)
  paused.state.approve(paused.interruptions[0]!)
  await runner.run(agent, paused.state)
  expect(model.told).toEqual(['noted x'])
})

test('a call that waits in memory is withdrawn when its time is over [T14]', async () => {
  const clock = fakeClock()
  const { log, refund } = refunds()
  const { agent, reviews } = await desk([refund], [refundCall(), 'Well.'], { clock, expiry: '10m' })
  const paused = await runner.run(agent, 'Refund.')
  expect(reviews.list()).toHaveLength(1)
  await clock.advance(11 * 60_000)
  expect(reviews.list()).toEqual([])
  paused.state.approve(paused.interruptions[0]!)
  await runner.run(agent, paused.state)
  expect(log.filter((each) => each.startsWith('paid'))).toEqual([])
})
