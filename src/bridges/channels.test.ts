import { Command, MemorySaver } from '@langchain/langgraph'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { Agent, Runner } from '@openai/agents'
import { generateText, isStepCount, type ModelMessage } from 'ai'
import { describe, expect, onTestFinished, test } from 'vitest'
import { answered } from '../../test/fixtures/ai-sdk/answered.ts'
import { scriptedLanguageModel } from '../../test/fixtures/ai-sdk/scripted-language-model.ts'
import { ScriptedChatModel } from '../../test/fixtures/langchain/scripted-chat-model.ts'
import { connectInProcess } from '../../test/fixtures/mcp/in-process.ts'
import { ScriptedAgentModel } from '../../test/fixtures/openai-agents/scripted-agent-model.ts'
import { gate } from '../combinators/gate/gate.ts'
import { createRuntime, type Runtime } from '../runtime/create-runtime.ts'
import { durable } from '../runtime/durable.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { asVouched, type IdentityClaim, type Reviewers } from '../tool/deciders.ts'
import { tool } from '../tool/tool.ts'
import { toAiSdk } from './ai-sdk/to-ai-sdk.ts'
import type { ReviewInterrupt } from './langchain/review-interrupt.ts'
import { toLangChain } from './langchain/to-lang-chain.ts'
import { createMcpServer } from './mcp/create-mcp-server.ts'
import { toOpenAiAgents } from './openai-agents/to-openai-agents.ts'

const caller = { principal: { id: 'ada', permissions: [] }, session: 'chat-7' }
const args = { input: 'carol' }

interface Door {
  readonly pay: AgentTool
  readonly runtime: Runtime | undefined
  readonly reviewers: Reviewers
}

/** A program that takes a name at its inbox, and through no other channel. */
function office(isDurable: boolean) {
  const paid: string[] = []
  const heard: string[] = []
  const pay = gate(tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: (to) => (paid.push(to), `Paid ${to}.`) }))
  const reviewers: Reviewers = {
    identify: ({ name, channel }: IdentityClaim) => {
      heard.push(channel)
      return channel === 'inbox' ? { id: name, permissions: ['review:pay'] } : undefined
    },
  }
  const runtime = isDurable ? createRuntime({ tools: [pay], database: memoryRuns(), reviewers }) : undefined
  onTestFinished(() => runtime?.close())
  return { paid, heard, pay, reviewers, runtime }
}

/** The options of a bridge: a runtime has its own reviewers. */
function optionsOf({ runtime, reviewers }: Door) {
  return runtime === undefined ? { ...caller, reviewers } : { ...caller, runtime }
}

/** Each lets `bob` approve in the words of its bridge, where these have a name, and goes on. */
const DOORS: Record<string, (door: Door) => Promise<unknown>> = {
  ai_sdk: async (door) => {
    const { tools, toolApproval, reviews } = toAiSdk([door.pay], optionsOf(door))
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'pay', input: args }], 'Well.')
    const messages: ModelMessage[] = [{ role: 'user', content: 'Go.' }]
    const ask = (given: ModelMessage[]) => generateText({ model, messages: given, tools, toolApproval, stopWhen: isStepCount(3) })
    const paused = await ask(messages)
    const refused = door.runtime === undefined ? await reviews.approve('c1', 'bob').catch(String) : undefined
    await ask(answered(messages, paused, true))
    return refused
  },
  langchain: async (door) => {
    const { tools } = await toLangChain([door.pay], optionsOf(door))
    const llm = new ScriptedChatModel([{ id: 'c1', name: 'pay', args }], 'Well.')
    const agent = createReactAgent({ llm, tools, checkpointer: new MemorySaver() })
    const config = { configurable: { thread_id: 't1' } }
    const shown = (said: unknown) => (said as { __interrupt__?: { value: ReviewInterrupt }[] }).__interrupt__?.[0]?.value
    const first = shown(await agent.invoke({ messages: 'Go.' }, config))
    return shown(await agent.invoke(new Command({ resume: { id: first?.id, action: 'approve', by: 'bob' } }), config))?.problem
  },
  openai_agents: async (door) => {
    const { tools, reviews } = await toOpenAiAgents([door.pay], optionsOf(door))
    const model = new ScriptedAgentModel([{ id: 'c1', name: 'pay', args }], 'Well.')
    const agent = new Agent({ name: 'Desk', model, tools })
    const runner = new Runner({ tracingDisabled: true })
    const { state, interruptions } = await runner.run(agent, 'Go.')
    const refused = door.runtime === undefined ? await reviews.approve('c1', 'bob').catch(String) : undefined
    for (const each of interruptions) state.approve(each)
    await runner.run(agent, state)
    return refused
  },
  mcp: async (door) => {
    const server = await createMcpServer({ ...optionsOf(door), tools: [door.pay], patience: 50 })
    const answer = () => ({ action: 'accept', content: { decision: 'approve' } }) as const
    const client = await connectInProcess(server, '2026-07-28', { answer })
    await client.callTool({ name: 'pay', arguments: args }).catch(String)
    await client.close()
    await server.close()
  },
}

describe.each([
  ['in memory', false],
  ['in a durable run', true],
])('a name, %s,', (_where, isDurable) => {
  test.each(Object.entries(DOORS))('does not pass through %s for one at the inbox [T14]', async (channel, door) => {
    const { paid, heard, pay, reviewers, runtime } = office(isDurable)
    const refused = await door({ pay, runtime, reviewers })
    expect(paid).toEqual([])
    expect(heard.filter((each) => each !== channel)).toEqual([])
    const names = channel === 'langchain' || (channel !== 'mcp' && !isDurable)
    expect([heard.length > 0, refused !== undefined]).toEqual([names, names])
    if (runtime === undefined) return
    const [item] = await runtime.inbox.list()
    await runtime.inbox.approve(item?.request.id ?? '', 'bob')
    await (await runtime.run(item?.run ?? '')).result()
    expect([paid, heard.at(-1)]).toEqual([['carol'], 'inbox'])
  })
})

test('the decision of a handler about a durable run has its channel, and the proof that it brings [T14]', async () => {
  const claims: IdentityClaim[] = []
  const pay = gate(tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: (to) => `Paid ${to}.` }))
  const reviewers: Reviewers = { identify: (claim) => (claims.push(claim), { id: claim.name, permissions: ['review:pay'] }) }
  const runtime = createRuntime({ tools: [pay], database: memoryRuns(), reviewers })
  onTestFinished(() => runtime.close())
  const review = { channel: 'desk', review: () => asVouched({ action: 'continue', by: 'bob' }) }
  const { tools } = await toLangChain([durable(pay, runtime)], { ...caller, review })
  await tools[0]?.invoke(args)
  expect(claims).toEqual([{ name: 'bob', channel: 'desk', identity: 'authenticated' }])
})
