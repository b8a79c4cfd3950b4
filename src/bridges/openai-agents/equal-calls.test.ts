import { RunState } from '@openai/agents'
import { expect, test } from 'vitest'
import { desk, runner } from '../../../test/fixtures/openai-agents/agent-desk.ts'
import type { AgentTurn } from '../../../test/fixtures/openai-agents/scripted-agent-model.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { tool } from '../../tool/tool.ts'

test.each([
  ['the state of the run', false],
  ['a stored state', true],
])('equal calls that wait at a later gate are asked about by as many calls, and none begins anew: %s [T14]', async (_what, isStored) => {
  const log: string[] = []
  const step = (name: string) => gate(tool({ name, description: 'd', effect: 'write', execute: (text) => (log.push(name), text) }))
  const both = pipe.named({ name: 'both', description: 'Two gates.' })(step('small'), step('large'))
  const turn = (...ids: readonly string[]): AgentTurn => ids.map((id) => ({ id, name: 'both', args: { input: 'x' } }))
  const { agent, model, reviews } = await desk([both], [turn('c1', 'c2'), turn('c3', 'c4'), 'Done.'])
  let paused = await runner.run(agent, 'Go.')
  for (const shown of [
    ['c1 small', 'c2 small'],
    ['c3 large', 'c4 large'],
  ]) {
    expect(reviews.list().map(({ toolCallId, request }) => `${toolCallId} ${request.tool}`)).toEqual(shown)
    for (const each of paused.interruptions) paused.state.approve(each)
    paused = await runner.run(agent, isStored ? await RunState.fromString(agent, paused.state.toString()) : paused.state)
  }
  expect([paused.finalOutput, model.told.slice(-2)]).toEqual(['Done.', ['x', 'x']])
  expect([log, reviews.list()]).toEqual([['small', 'small', 'large', 'large'], []])
})
