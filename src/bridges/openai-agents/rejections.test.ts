import { Agent, RunState } from '@openai/agents'
import { expect, test } from 'vitest'
import { desk, durably, refundCall, refunds, runner } from '../../../test/fixtures/openai-agents/agent-desk.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import { compound } from '../../tool/compound.ts'
import { tool } from '../../tool/tool.ts'

/** The run goes on without our tools, as where another program carries it on. */
const unheard = (bridge: Awaited<ReturnType<typeof desk>>) =>
  new Agent({ name: 'Desk', model: bridge.model, tools: bridge.tools.map((each) => ({ ...each, isEnabled: async () => true })) })

test.each(['by the run that goes on', 'before it goes on', 'after it has gone on'])(
  'a state in another process rejects a durable call %s [T14]',
  async (when) => {
    const { log, refund } = refunds()
    const database = memoryRuns()
    const first = await desk([refund], [refundCall(), 'Well.'], { runtime: durably([refund], database) })
    const stored = (await runner.run(first.agent, 'Refund.')).state.toString()
    database.crash()
    const runtime = durably([refund], database)
    const [open] = await runtime.inbox.list()
    const second = await desk([refund], ['Well.'], { runtime })
    const agent = when === 'by the run that goes on' ? second.agent : unheard(second)
    const state = await RunState.fromString(agent, stored)
    state.reject(state.getInterruptions()[0]!, { message: 'Too much.' })
    if (when === 'before it goes on') await second.reviews.rejectDenied(state)
    const done = await runner.run(agent, state)
    expect([done.finalOutput, second.model.told]).toEqual(['Well.', ['Too much.']])
    const isHeard = (await runtime.inbox.get(open?.request.id ?? ''))?.status === 'decided'
    expect(isHeard).toBe(when !== 'after it has gone on')
    // A third process has the state of the end.
    if (!isHeard) {
      const third = await desk([refund], [], { runtime })
      await third.reviews.rejectDenied(await RunState.fromString(third.agent, done.state.toString()))
    }
    expect(await runtime.inbox.get(open?.request.id ?? '')).toMatchObject({ decision: { action: 'reject', reason: 'Too much.' } })
    await expect(runtime.inbox.approve(open?.request.id ?? '', 'bob')).rejects.toThrow('rejected')
    expect(log).toEqual(['found a@b.c'])
  },
)

test('a state rejects also what a rejected call asks then [T14]', async () => {
  const ask = gate(tool({ name: 'ask', description: 'd', effect: 'write', execute: (text) => text }))
  const either = compound({
    name: 'either',
    description: 'Asks six times.',
    parts: { ask },
    run: async (input, context) => {
      for (let time = 1; time < 6; time++) await context.call('ask', ask, input)
      return context.call('ask', ask, input)
    },
  })
  const runtime = durably([either])
  const { agent, tools } = await desk([either], [[{ id: 'c1', name: 'either', args: { input: 'x' } }], 'Well.'], { runtime })
  const { state, interruptions } = await runner.run(agent, 'Go.')
  const [open] = await runtime.inbox.list()
  state.reject(interruptions[0]!)
  const turn = () => Promise.all(tools.map((each) => each.isEnabled(state._context, agent)))
  const ended = async () => (await turn(), (await (await runtime.run(open?.run ?? '')).status()).status)
  await expect.poll(ended).toBe('failed')
  const { approvals } = await (await runtime.runs()).show(open?.run ?? '')
  expect(approvals.map(({ decision }) => decision?.action)).toEqual(Array(6).fill('reject'))
})

test('a durable request waits in the inbox, which `reviews` names [T14]', async () => {
  const { refund } = refunds()
  const { agent, reviews } = await desk([refund], [refundCall()], { runtime: durably([refund]) })
  const { state, interruptions } = await runner.run(agent, 'Refund.')
  const [request] = await reviews.requests(interruptions[0]!, state)
  for (const id of [request?.id ?? '', 'c1'])
    await expect(reviews.edit(id, { patch: { amount: 10 } })).rejects.toThrow('A request of a durable run is decided in `runtime.inbox`.')
})

test('without a session, the process that asked rejects [T14]', async () => {
  const { refund } = refunds()
  const runtime = durably([refund])
  const desk1 = await desk([refund], [refundCall(), 'Well.'], { runtime, session: undefined })
  const agent = unheard(desk1)
  const paused = await runner.run(agent, 'Refund.')
  paused.state.reject(paused.interruptions[0]!)
  const done = await runner.run(agent, paused.state)
  expect(await runtime.inbox.list()).toHaveLength(1)
  await desk1.reviews.rejectDenied(done.state)
  expect(await runtime.inbox.list()).toEqual([])
})
