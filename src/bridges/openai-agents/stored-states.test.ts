import { Agent, RunState } from '@openai/agents'
import { expect, test } from 'vitest'
import { desk, runner } from '../../../test/fixtures/openai-agents/agent-desk.ts'
import { type AgentTurn, ScriptedAgentModel } from '../../../test/fixtures/openai-agents/scripted-agent-model.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { tool } from '../../tool/tool.ts'
import type { ToOpenAiAgentsOptions } from './bridge.ts'

/** Steps that are logged; the first one asks nobody. */
async function payDesk(gates: 1 | 2, turns: readonly AgentTurn[], options: ToOpenAiAgentsOptions = {}) {
  const log: string[] = []
  const step = (name: string) => tool({ name, description: 'd', effect: 'write', execute: (text) => (log.push(`${name} ${text}`), text) })
  const parts = pipe.named({ name: 'pay', description: 'Pays.' })
  const pay = gates === 1 ? parts(step('look'), gate(step('give'))) : parts(step('look'), gate(step('give')), gate(step('send')))
  const made = await desk([pay], turns, options)
  const resume = async (stored: string) => runner.run(made.agent, await RunState.fromString(made.agent, stored))
  return { ...made, log, resume }
}

const call = (id: string, input: string) => ({ id, name: 'pay', args: { input } })
const named = (interruptions: readonly { readonly rawItem: object }[], id: string) =>
  interruptions.find(({ rawItem }) => 'callId' in rawItem && rawItem.callId === id) as never

test('states that are resumed again after all has run begin nothing anew [T15]', async () => {
  const { agent, model, log, resume, reviews } = await payDesk(1, [[call('c1', 'x'), call('c2', 'y')], 'Done.'])
  const paused = await runner.run(agent, 'Pay.')
  paused.state.approve(named(paused.interruptions, 'c1'))
  const one = paused.state.toString()
  paused.state.approve(named(paused.interruptions, 'c2'))
  const both = paused.state.toString()
  await resume(both)
  const ran = ['look x', 'look y', 'give x', 'give y']
  expect(log.toSorted()).toEqual(ran.toSorted())
  for (const stored of [one, both, one]) {
    const done = await resume(stored)
    expect([done.interruptions, reviews.list(), model.told]).toEqual([[], [], ['x', 'y']])
  }
  expect(log).toHaveLength(ran.length)
})

test('a state from before a later gate was rejected finds the rejection [T14]', async () => {
  const { agent, model, log, resume } = await payDesk(2, [[call('c1', 'x')], [call('c2', 'x')], 'Done.'])
  const first = await runner.run(agent, 'Pay.')
  first.state.approve(first.interruptions[0]!)
  const stored = first.state.toString()
  const second = await runner.run(agent, first.state)
  second.state.reject(second.interruptions[0]!, { message: 'Enough.' })
  await runner.run(agent, second.state)
  await resume(stored)
  expect(model.told[0]).toContain('Enough.')
  expect(log).toEqual(['look x', 'give x'])
})

test('a call that was withdrawn in the meantime does not begin anew when it is approved [T15]', async () => {
  const clock = fakeClock()
  const { agent, model, log, resume } = await payDesk(1, [[call('c1', 'x')], 'Done.'], { clock, expiry: 50 })
  const paused = await runner.run(agent, 'Pay.')
  paused.state.approve(paused.interruptions[0]!)
  const stored = paused.state.toString()
  await clock.advance(50)
  for (const _time of [1, 2]) {
    await resume(stored)
    expect(model.told.join()).toContain('Nobody decided about the call in time.')
    await clock.advance(60_000)
  }
  expect(log).toEqual(['look x'])
})

test('the id of a call that ended long ago is shown for no other run: an approval that is stored has not seen it [T14]', async () => {
  const clock = fakeClock()
  const { agent, tools, log, resume, reviews } = await payDesk(2, [[call('c1', 'x')], 'Done.'], { clock, expiry: '1m' })
  const first = await runner.run(agent, 'Pay.')
  const undecided = first.state.toString()
  first.state.approve(first.interruptions[0]!)
  const approved = first.state.toString()
  await clock.advance(60_000)
  await clock.advance(60_000)
  // An equal call of another conversation waits at its second gate, and nobody has been asked about that yet.
  const other = new Agent({ name: 'Other', model: new ScriptedAgentModel([call('c2', 'x')], 'Later.'), tools })
  const second = await runner.run(other, 'Pay.')
  second.state.approve(second.interruptions[0]!)
  await runner.run(other, second.state)
  expect((await resume(undecided)).interruptions).toEqual([])
  await resume(approved)
  expect([log, reviews.list()]).toMatchObject([['look x', 'look x', 'give x'], [{ request: { tool: 'send' } }]])
})

test('what a call asks later is not shown as that call again: an approval that is stored has not seen it [T14]', async () => {
  const clock = fakeClock()
  const log: string[] = []
  const step = (name: string) => tool({ name, description: 'd', effect: 'write', execute: (text) => (log.push(name), text) })
  const both = pipe.named({ name: 'both', description: 'd' })(
    gate(step('small'), { timeout: '1m', onTimeout: 'continue' }),
    gate(step('large')),
  )
  const turns: AgentTurn[] = [
    [{ id: 'c1', name: 'both', args: { input: 'x' } }],
    [{ id: 'c2', name: 'both', args: { input: 'x' } }],
    'Done.',
  ]
  const { agent, reviews } = await desk([both], turns, { clock, expiry: '1h' })
  const paused = await runner.run(agent, 'Go.')
  const undecided = paused.state.toString()
  paused.state.approve(paused.interruptions[0]!)
  const approved = paused.state.toString()
  // Nobody answers, and the gate opens by its own rule.
  await clock.advance(60_000)
  const again = await runner.run(agent, await RunState.fromString(agent, undecided))
  expect(again.interruptions.map(({ rawItem }) => 'callId' in rawItem && rawItem.callId)).toEqual(['c2'])
  expect(await reviews.requests(paused.interruptions[0]!, paused.state)).toEqual([])
  await runner.run(agent, await RunState.fromString(agent, approved))
  expect(log).toEqual(['small'])
})
