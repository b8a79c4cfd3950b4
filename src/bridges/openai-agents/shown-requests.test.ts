import { Agent, RunContext, RunState } from '@openai/agents'
import { describe, expect, test } from 'vitest'
import { desk, durably, runner } from '../../../test/fixtures/openai-agents/agent-desk.ts'
import { type AgentTurn, ScriptedAgentModel } from '../../../test/fixtures/openai-agents/scripted-agent-model.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import { tool } from '../../tool/tool.ts'
import type { ToOpenAiAgentsOptions } from './bridge.ts'

type Desk = Awaited<ReturnType<typeof desk>>

const turns: AgentTurn[] = [[{ id: 'c1', name: 'pay', args: { input: 'bob' } }], 'Done.']

/** A tool that looks up what it pays: another amount at another time, so that what waits differs from what was shown. */
function payments() {
  const log: string[] = []
  const now = { amount: 250 }
  const look = tool({ name: 'look', description: 'd', effect: 'read', execute: () => (log.push(`look ${now.amount}`), `${now.amount}`) })
  const give = tool({ name: 'give', description: 'd', effect: 'write', execute: (amount: string) => (log.push(`give ${amount}`), amount) })
  const send = tool({ name: 'send', description: 'd', effect: 'write', execute: (amount: string) => (log.push(`send ${amount}`), amount) })
  const named = { name: 'pay', description: 'Pays.' }
  const why = (amount: string): string => `Pays ${amount}.`
  return {
    log,
    now,
    pay: pipe.named(named)(look, gate(give, { why })),
    payTwice: pipe.named(named)(look, gate(give, { why }), gate(send, { why: 'Sends it.' })),
  }
}

const stateOf = ({ agent }: Desk, stored: string) => RunState.fromString(agent, stored)
const resume = async (at: Desk, stored: string) => runner.run(at.agent, await stateOf(at, stored))

async function approvedIn(at: Desk, stored: string): Promise<string> {
  const state = await stateOf(at, stored)
  state.approve(state.getInterruptions()[0]!)
  return state.toString()
}

async function shownIn(at: Desk, stored: string): Promise<readonly string[]> {
  const state = await stateOf(at, stored)
  const all = await Promise.all(state.getInterruptions().map((each) => at.reviews.requests(each, state)))
  return all.flat().map(({ why }) => why)
}

/** The first process: it shows 250, and stores its state. Then everything costs 9000. */
async function shown250(at: Desk, { now }: ReturnType<typeof payments>) {
  const stored = (await runner.run(at.agent, 'Pay.')).state.toString()
  expect(await shownIn(at, stored)).toEqual(['Pays 250.'])
  now.amount = 9000
  return { stored, approved: await approvedIn(at, stored) }
}

describe('an approval of what a call in memory showed', () => {
  test('counts for nothing that another process shows as the same call [T14]', async () => {
    const made = payments()
    const { stored, approved } = await shown250(await desk([made.pay], turns), made)
    const second = await desk([made.pay], turns)
    const again = (await resume(second, stored)).state.toString()
    expect(await shownIn(second, again)).toEqual(['Pays 9000.'])
    // The state that showed 250 shows nothing which its approval would not count for.
    expect(await shownIn(second, approved)).toEqual([])
    for (const _time of [1, 2]) await resume(second, approved)
    expect(made.log).toEqual(['look 250', 'look 9000'])
    await resume(second, await approvedIn(second, again))
    expect(made.log).toEqual(['look 250', 'look 9000', 'give 9000'])
  })

  test('counts for nothing in another process where requests have the same ids [T14]', async () => {
    const made = payments()
    const options = (): ToOpenAiAgentsOptions => {
      let count = 0
      return { ids: () => `id-${count++}` }
    }
    const { stored, approved } = await shown250(await desk([made.pay], turns, options()), made)
    const second = await desk([made.pay], turns, options())
    await resume(second, stored)
    await resume(second, approved)
    expect(made.log).toEqual(['look 250', 'look 9000'])
  })
})

describe('an approval of what a durable call showed', () => {
  test('counts for nothing after its run was cancelled, and begins nothing anew [T14] [T15]', async () => {
    const made = payments()
    const database = memoryRuns()
    const runtime = durably([made.pay], database)
    const { stored, approved } = await shown250(await desk([made.pay], turns, { runtime }), made)
    const run = await runtime.run((await runtime.inbox.list())[0]?.run ?? '')
    await run.cancel('Not this one.')
    await run.result()
    for (const each of [approved, approved, stored, approved]) {
      const next = await desk([made.pay], turns, { runtime: durably([made.pay], database) })
      expect((await resume(next, each)).interruptions).toEqual([])
      expect(next.model.told.join()).toContain('Not this one.')
    }
    expect(made.log).toEqual(['look 250'])
  })

  test('counts for no later gate that the same call showed in between [T14]', async () => {
    const made = payments()
    const database = memoryRuns()
    const first = await desk([made.payTwice], turns, { runtime: durably([made.payTwice], database) })
    const { stored, approved } = await shown250(first, made)
    await resume(first, approved)
    expect(made.log).toEqual(['look 250', 'give 250'])
    const again = (await resume(first, stored)).state.toString()
    expect(await shownIn(first, again)).toEqual(['Sends it.'])
    expect(await shownIn(first, stored)).toEqual([])
    const second = await desk([made.payTwice], turns, { runtime: durably([made.payTwice], database) })
    for (const each of [first, second]) await resume(each, approved)
    expect(made.log).toEqual(['look 250', 'give 250'])
    await resume(second, await approvedIn(second, again))
    expect(made.log).toEqual(['look 250', 'give 250', 'send 250'])
  })

  test('counts for nothing where the state does not tell what it showed [T14]', async () => {
    const made = payments()
    const database = memoryRuns()
    const { approved } = await shown250(await desk([made.pay], turns, { runtime: durably([made.pay], database) }), made)
    const second = await desk([made.pay], turns, { runtime: durably([made.pay], database) })
    const parsed = JSON.parse(approved) as { readonly context: { readonly approvals: Record<string, unknown> } }
    const approvals = Object.entries(parsed.context.approvals).filter(([name]) => !name.startsWith('toolwright'))
    await resume(second, JSON.stringify({ ...parsed, context: { ...parsed.context, approvals: Object.fromEntries(approvals) } }))
    expect(second.model.told.join()).toContain('waits for a person')
    expect(made.log).toEqual(['look 250'])
  })

  test('counts with another context that keeps the approvals of the state, and not with one that replaces them [T14]', async () => {
    const made = payments()
    const database = memoryRuns()
    const { stored } = await shown250(await desk([made.pay], turns, { runtime: durably([made.pay], database) }), made)
    const expected = [
      ['replace', ['look 250']],
      ['merge', ['look 250', 'give 250']],
    ] as const
    for (const [contextStrategy, log] of expected) {
      const next = await desk([made.pay], turns, { runtime: durably([made.pay], database) })
      const state = await RunState.fromStringWithContext(next.agent, stored, new RunContext({}), { contextStrategy })
      state.approve(state.getInterruptions()[0]!)
      await runner.run(next.agent, state)
      expect(made.log).toEqual(log)
    }
  })

  test('counts in another process for a call of an agent that is a tool of another agent [T14] [T15]', async () => {
    const made = payments()
    const database = memoryRuns()
    const begun = async (): Promise<Desk> => {
      const clerk = await desk([made.pay], turns, { runtime: durably([made.pay], database) })
      const tools = [clerk.agent.asTool({ toolName: 'clerk', toolDescription: 'Pays.' })]
      const model = new ScriptedAgentModel([{ id: 'o1', name: 'clerk', args: { input: 'Pay.' } }], 'Done.')
      return { ...clerk, model, agent: new Agent({ name: 'Chief', model, tools }) }
    }
    const { approved } = await shown250(await begun(), made)
    const second = await begun()
    expect(await shownIn(second, approved)).toEqual(['Pays 250.'])
    for (const _time of [1, 2]) await resume(second, approved)
    expect(made.log).toEqual(['look 250', 'give 250'])
  })
})
