import { Command, MemorySaver } from '@langchain/langgraph'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { chat, desk, refundCall, type Said } from '../../../test/fixtures/langchain/graph-chat.ts'
import { type ChatTurn, ScriptedChatModel, toolMessages } from '../../../test/fixtures/langchain/scripted-chat-model.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import type { Reviewers } from '../../tool/deciders.ts'
import { tool } from '../../tool/tool.ts'
import type { ReviewInterrupt } from './review-interrupt.ts'
import { toLangChain } from './to-lang-chain.ts'

test('several approvals of a durable call are counted in sight [T14]', async () => {
  const log: string[] = []
  const bare = tool({
    name: 'pay',
    description: 'Pays.',
    inputSchema: z.object({ amount: z.number(), pin: z.string().meta({ sensitive: true }) }),
    effect: 'write',
    execute: ({ amount, pin }) => (log.push(`${amount} ${pin}`), 'Paid.'),
  })
  const pay = gate(bare, { approvals: { count: 2 } })
  const staff = ['ann', 'bob', 'cyd']
  const reviewers: Reviewers = {
    identify: ({ name }) => (staff.includes(name) ? { id: name, permissions: ['review:pay'] } : undefined),
  }
  const runtime = createRuntime({ tools: [pay], database: memoryRuns(), reviewers })
  onTestFinished(() => runtime.close())
  const turns: ChatTurn[] = [[{ id: 'c1', name: 'pay', args: { amount: 250, pin: '4711' } }], 'Ok.']
  const { say, resume } = await chat([pay], turns, { runtime, principal: { id: 'ada', permissions: [] } })
  const [shown] = (await say('Pay.')).asked
  expect(shown?.approvals).toEqual({
    given: 0,
    needed: 2,
    text: expect.stringMatching(/^0 of 2 approvals: 2 more are needed\./) as string,
    edition: 0,
  })
  const by = async (name: string, more: object = {}) => (await resume({ id: shown?.id, action: 'approve', by: name, ...more })).asked[0]
  expect((await by('ann'))?.approvals).toEqual({
    given: 1,
    needed: 2,
    text: expect.stringMatching(/^1 of 2 approvals: one more is needed\..* With it, the call goes on\.$/) as string,
    edition: 0,
  })
  const again = await by('ann')
  expect([again?.approvals?.given, again?.problem]).toEqual([1, expect.stringContaining("'ann' has approved")])
  // The others approve what was edited.
  const edited = await by('bob', { action: 'edit', patch: { amount: 10 } })
  expect([edited?.approvals?.given, edited?.approvals?.edition, edited?.problem]).toEqual([1, 1, undefined])
  expect(edited?.approvals?.input).toEqual({ amount: 10, pin: expect.not.stringContaining('4711') })
  expect((await by('cyd'))?.problem).toContain('was edited by bob')
  expect(await by('cyd', { edition: 1 })).toBeUndefined()
  expect(log).toEqual(['10 4711'])
})

describe('a decision that comes too late', () => {
  function noting(log: string[]) {
    return tool({ name: 'note', description: 'd', effect: 'write', execute: (text) => (log.push(`noted ${text}`), 'Noted.') })
  }
  const both = (): ChatTurn => [...(refundCall('c1') as []), { id: 'c2', name: 'note', args: { input: 'it' } }]
  const unknown =
    "Error: The result of 'note' is no longer known: a person decided about this step after its time was over. The call may have taken effect, and is not made again."

  test('does not repeat the calls of its step that had ended [T15]', async () => {
    const clock = fakeClock()
    const { log, refund } = desk()
    const { say, resume } = await chat([refund, noting(log)], [both(), 'Well.'], { clock, expiry: '10m' })
    const [shown] = (await say('Refund.')).asked
    expect(log.toSorted()).toEqual(['found a@b.c', 'noted it'])
    await clock.advance(11 * 60_000)
    const [again] = (await resume({ id: shown?.id, action: 'approve' })).asked
    expect(again?.id).not.toBe(shown?.id)
    await clock.advance(11 * 60_000)
    const [third] = (await resume({ id: again?.id, action: 'approve' })).asked
    const done = await resume({ id: third?.id, action: 'approve' })
    expect(done.told).toEqual(['Paid back 250 for A1.', unknown])
    expect(done.messages.map(({ status }) => status)).toEqual(['success', 'error'])
    expect(log.filter((each) => each.startsWith('noted') || each.startsWith('paid'))).toEqual(['noted it', 'paid A1 250'])
  })

  test('because too many calls waited, does not either [T15]', async () => {
    const { log, refund } = desk()
    const note = noting(log)
    const bridge = await toLangChain([refund, note], { maxCalls: 3 })
    const on = (thread: string, ...turns: ChatTurn[]) => {
      const agent = createReactAgent({
        llm: new ScriptedChatModel(...turns),
        tools: bridge.tools,
        checkpointer: new MemorySaver(),
        version: 'v1',
      })
      return async (given: unknown) => (await agent.invoke(given as never, { configurable: { thread_id: thread } })) as unknown as Said
    }
    const first = on('t1', both(), 'Well.')
    const shownIn = ({ __interrupt__: all = [] }: Said) => all[0]?.value as ReviewInterrupt | undefined
    const shown = shownIn(await first({ messages: 'Refund.' }))
    for (const thread of ['t2', 't3', 't4'])
      await on(thread, [{ id: 'n', name: 'note', args: { input: thread } }], 'Ok.')({ messages: 'x' })
    const again = shownIn(await first(new Command({ resume: { id: shown?.id, action: 'approve' } })))
    expect(again?.id).not.toBe(shown?.id)
    const { messages } = await first(new Command({ resume: { id: again?.id, action: 'approve' } }))
    expect(toolMessages(messages).map(({ content }) => content)).toEqual(['Paid back 250 for A1.', unknown])
    expect(log.filter((each) => each === 'noted it')).toHaveLength(1)
  })

  test('does not repeat what the call itself had done before it asked [T15]', async () => {
    const clock = fakeClock()
    const log: string[] = []
    const step = (name: string) => tool({ name, description: 'd', effect: 'write', execute: (text) => (log.push(name), text) })
    const whole = pipe.named({ name: 'whole', description: 'd' })(step('small'), gate(step('large')))
    const { say, resume } = await chat([whole], [[{ id: 'c1', name: 'whole', args: { input: 'x' } }], 'Well.'], { clock, expiry: '10m' })
    const [shown] = (await say('Go.')).asked
    await clock.advance(11 * 60_000)
    const late = await resume({ id: shown?.id, action: 'approve' })
    expect([late.asked, late.told.join()]).toEqual([[], expect.stringContaining('may have taken effect, and is not made again')])
    expect(log).toEqual(['small'])
  })
})
