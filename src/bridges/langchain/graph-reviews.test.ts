import { setTimeout } from 'node:timers/promises'
import type { RunnableConfig } from '@langchain/core/runnables'
import { MemorySaver, MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { chat, desk, refundCall } from '../../../test/fixtures/langchain/graph-chat.ts'
import type { ChatTurn } from '../../../test/fixtures/langchain/scripted-chat-model.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { parallel } from '../../combinators/parallel/parallel.ts'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { humanInput } from '../../kits/basic/human-input.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import type { ToLangChainOptions } from './bridge.ts'
import type { ReviewResume } from './review-interrupt.ts'
import { toLangChain } from './to-lang-chain.ts'

/** The same tests for calls in memory and for durable runs. */
const ways: [string, (tools: readonly AgentTool[]) => ToLangChainOptions][] = [
  ['in memory', () => ({})],
  [
    'as a durable run',
    (tools) => {
      const runtime = createRuntime({ tools, database: memoryRuns() })
      onTestFinished(() => runtime.close())
      return { runtime }
    },
  ],
]

describe.each(ways)('a gate in a graph, %s', (_way, optionsOf) => {
  test('interrupts with the request, and an approval goes on where it stopped [T14] [T15]', async () => {
    const { log, refund } = desk()
    const { say, resume } = await chat([refund], [refundCall(), 'Refunded.'], optionsOf([refund]))
    const paused = await say('Refund.')
    expect(paused.asked).toMatchObject([
      {
        type: 'toolwright_review',
        toolCallId: 'c1',
        toolName: 'refund',
        request: { kind: 'approval', tool: 'pay_back', why: '250 is above 100.', input: { orderId: 'A1', amount: 250 } },
      },
    ])
    expect(log).toEqual(['found a@b.c'])
    const [shown] = paused.asked
    const done = await resume({ id: shown?.id, action: 'approve' })
    expect([done.told, done.text]).toEqual([['Paid back 250 for A1.'], 'Refunded.'])
    expect(log).toEqual(['found a@b.c', 'paid A1 250'])
  })

  test.each<[string, (id: string) => ReviewResume, string, string[]]>([
    ['an edit', (id) => ({ id, action: 'edit', patch: { amount: 10 } }), 'Paid back 10 for A1.', ['paid A1 10']],
    ['an edit of all', (id) => ({ id, action: 'edit', input: { orderId: 'B2', amount: 5 } }), 'Paid back 5 for B2.', ['paid B2 5']],
    ['a rejection', (id) => ({ id, action: 'reject', reason: 'Too much.' }), 'Too much.', []],
  ])('takes %s [T14]', async (_what, decide, told, did) => {
    const { log, refund } = desk()
    const { say, resume } = await chat([refund], [refundCall(), 'Well.'], optionsOf([refund]))
    const { asked } = await say('Refund.')
    const done = await resume(decide(asked[0]?.id ?? ''))
    expect(done.told.join()).toContain(told)
    expect(done.messages[0]?.status).toBe(did.length === 0 ? 'error' : 'success')
    expect(log).toEqual(['found a@b.c', ...did])
  })

  test('asks again after a resume value that does not count, and says why [T14]', async () => {
    const { log, refund } = desk()
    const { say, resume } = await chat([refund], [refundCall(), 'Refunded.'], optionsOf([refund]))
    const [shown] = (await say('Refund.')).asked
    const id = shown?.id ?? ''
    for (const [value, problem] of [
      [true, 'names no request'],
      [{ action: 'approve' }, 'names no request'],
      [Object.assign(Object.create({ action: 'approve' }) as object, { id }), 'There is no action undefined'],
      [{ id, action: 'aprove' }, 'There is no action "aprove"'],
      [{ id, action: 'approve', by: { id: 'root', permissions: ['*'] } }, 'must be text'],
      [{ id, action: 'edit' }, "either 'input' or 'patch'"],
      [{ id, action: 'answer', value: 1 }, 'an approval'],
      [{ id, action: 'edit', patch: { amount: 'much' } }, "which stays open: 'amount': "],
      [{ id, action: 'edit', patch: { amuont: 1 } }, "there is no field 'amuont'"],
      [{ id, action: 'approve', edition: 'last' }, "'edition' of a resume value must be a whole number"],
    ] as const) {
      const [again] = (await resume(value)).asked
      expect(again?.id).toBe(id)
      expect(again?.problem).toContain(problem)
    }
    expect((await resume({ id: 'another', action: 'approve' })).asked).toMatchObject([{ id }])
    expect(log).toEqual(['found a@b.c'])
    expect((await resume({ id, action: 'approve' })).told).toEqual(['Paid back 250 for A1.'])
    expect(log).toEqual(['found a@b.c', 'paid A1 250'])
  })

  test('takes an answer to a question, and asks again where it does not fit [T14]', async () => {
    const ask = humanInput()
    const { say, resume } = await chat([ask], [[{ id: 'q', name: ask.name, args: { input: 'Which seat?' } }], 'Ok.'], optionsOf([ask]))
    const [shown] = (await say('Ask.')).asked
    expect(shown).toMatchObject({ request: { kind: 'question' } })
    const [again] = (await resume({ id: shown?.id, action: 'answer', value: 7 })).asked
    expect(again?.problem).toBeDefined()
    const done = await resume({ id: shown?.id, action: 'answer', value: 'The window seat.' })
    expect(done.told.join()).toContain('The window seat.')
  })

  test('asks at one gate after the other; each step takes effect once [T15]', async () => {
    const log: string[] = []
    const step = (name: string) => gate(tool({ name, description: 'd', effect: 'write', execute: (text) => (log.push(name), text) }))
    const both = pipe.named({ name: 'both', description: 'Two gates.' })(step('small'), step('large'))
    const { say, resume } = await chat([both], [[{ id: 'c1', name: 'both', args: { input: 'x' } }], 'Done.'], optionsOf([both]))
    const [first] = (await say('Go.')).asked
    const second = await resume({ id: first?.id, action: 'approve' })
    expect(second.asked).toMatchObject([{ request: { tool: 'large' } }])
    expect(log).toEqual(['small'])
    // What was approved before does not count for the next gate.
    expect((await resume({ id: first?.id, action: 'approve' })).asked).toMatchObject([{ id: second.asked[0]?.id }])
    const done = await resume({ id: second.asked[0]?.id, action: 'approve' })
    expect([done.told, log]).toEqual([['x'], ['small', 'large']])
  })

  test('asks about parallel branches one after the other [T14]', async () => {
    const log: string[] = []
    const branch = (name: string) => gate(tool({ name, description: 'd', effect: 'write', execute: (text) => (log.push(name), text) }))
    const both = parallel({ a: branch('a'), b: branch('b') }, { name: 'both', description: 'Both.' })
    const { say, resume } = await chat([both], [[{ id: 'c1', name: 'both', args: { input: 'x' } }], 'Done.'], optionsOf([both]))
    const [first] = (await say('Go.')).asked
    const [second] = (await resume({ id: first?.id, action: 'approve' })).asked
    expect([first?.request.tool, second?.request.tool].toSorted()).toEqual(['a', 'b'])
    const done = await resume({ id: second?.id, action: 'reject', reason: 'No.' })
    expect(done.messages).toHaveLength(1)
    expect(log).toEqual([first?.request.tool])
  })

  test('is shown when nothing else of the call moves [T14]', async () => {
    const log: string[] = []
    const slow = async (text: unknown) => (await setTimeout(60), log.push('slow'), text)
    const parts = {
      fast: gate(tool({ name: 'fast', description: 'd', effect: 'write', execute: (text) => text })),
      slow: tool({ name: 'slow', description: 'd', effect: 'write', execute: slow }),
    }
    const both = parallel(parts, { name: 'both', description: 'Both.' })
    const { say } = await chat([both], [[{ id: 'c1', name: 'both', args: { input: 'x' } }], 'Done.'], optionsOf([both]))
    expect((await say('Go.')).asked).toMatchObject([{ request: { tool: 'fast' } }])
    expect(log).toEqual(['slow'])
  })

  test.each(['v1', 'v2'] as const)('beside other calls of one step: each effect happens once (%s) [T15]', async (version) => {
    const { log, refund } = desk()
    const note = tool({ name: 'note', description: 'd', effect: 'write', execute: (text) => (log.push(`noted ${text}`), 'Noted.') })
    const turn: ChatTurn = [
      ...(refundCall('c1') as []),
      { id: 'c2', name: 'note', args: { input: 'it' } },
      ...(refundCall('c3', 'x@y.z') as []),
    ]
    const tools = [refund, note]
    const { say, resume } = await chat(tools, [turn, 'Done.'], { ...optionsOf(tools), version })
    let said = await say('Refund both.')
    const decided = new Set<string>()
    while (said.asked.length > 0) {
      // Two tasks of one step show their interrupts together; each is resumed by its own id.
      const [shown] = said.asked.filter(({ id }) => !decided.has(id))
      decided.add(shown?.id ?? '')
      said = await resume({ id: shown?.id, action: shown?.toolCallId === 'c1' ? 'approve' : 'reject' })
      expect(decided.size).toBeLessThan(5)
    }
    expect(said.messages.map(({ tool_call_id: id, status }) => [id, status])).toEqual([
      ['c1', 'success'],
      ['c2', 'success'],
      ['c3', 'error'],
    ])
    expect(log.toSorted()).toEqual(['found a@b.c', 'found x@y.z', 'noted it', 'paid A1 250'])
  })

  test('masks secrets in the interrupt and in the checkpoint [T14]', async () => {
    const sign = gate(
      tool({
        name: 'sign_in',
        description: 'd',
        effect: 'write',
        inputSchema: z.object({ user: z.string(), password: z.string() }),
        execute: ({ password }) => `in with ${password.length}`,
      }),
    )
    const { say, resume } = await chat(
      [sign],
      [[{ id: 'c1', name: 'sign_in', args: { user: 'ada', password: 'hunter2-secret' } }], 'Ok.'],
      optionsOf([sign]),
    )
    const { asked } = await say('Sign in.')
    expect(JSON.stringify(asked)).not.toContain('hunter2')
    expect((await resume({ id: asked[0]?.id, action: 'approve' })).told).toEqual(['in with 14'])
  })

  test('of a tool call with the same id in a later step is another call [T15]', async () => {
    const log: string[] = []
    const tick = tool({ name: 'tick', description: 'd', effect: 'write', execute: (text) => (log.push(String(text)), 'Tick.') })
    const { named } = await toLangChain({ tick }, optionsOf([tick]))
    const node = async (_state: unknown, config: RunnableConfig) => {
      await named.tick.invoke({ type: 'tool_call', id: 'c1', name: 'tick', args: { input: 'x' } }, config)
      return {}
    }
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('a', node)
      .addNode('b', node)
      .addEdge('__start__', 'a')
      .addEdge('a', 'b')
      .compile({ checkpointer: new MemorySaver() })
    await graph.invoke({ messages: [] }, { configurable: { thread_id: 't1' } })
    expect(log).toEqual(['x', 'x'])
  })
})

test('a policy that asks interrupts the graph as a gate does: when nothing else of the call moves [T14]', async () => {
  const log: string[] = []
  const slow = async (text: unknown) => (await setTimeout(60), log.push('slow'), text)
  const parts = {
    fast: tool({ name: 'fast', description: 'd', effect: 'write', execute: (text) => (log.push('fast'), text) }),
    slow: tool({ name: 'slow', description: 'd', effect: 'write', execute: slow }),
  }
  const both = parallel(parts, { name: 'both', description: 'Both.' })
  const { say, resume } = await chat([both], [[{ id: 'c1', name: 'both', args: { input: 'x' } }], 'Done.'], {
    policy: ({ tool: name }) => (name === 'fast' ? { requireApproval: 'It is fast.' } : 'allow'),
  })
  const [shown] = (await say('Go.')).asked
  expect([shown?.request.why, log]).toEqual(['It is fast.', ['slow']])
  await resume({ id: shown?.id, action: 'approve' })
  expect(log).toEqual(['slow', 'fast'])
})

test('a call that waits in memory is withdrawn when its time is over, and then asked anew [T14]', async () => {
  const clock = fakeClock()
  const { log, refund } = desk()
  const { say, resume } = await chat([refund], [refundCall(), 'Well.'], { clock, expiry: '10m' })
  const [shown] = (await say('Refund.')).asked
  await clock.advance(11 * 60_000)
  const [again] = (await resume({ id: shown?.id, action: 'approve' })).asked
  expect(again?.id).not.toBe(shown?.id)
  expect(log).toEqual(['found a@b.c', 'found a@b.c'])
})

test.each<[string, 'read' | 'write', string[]]>([
  ['and only reads is made again with its node', 'read', ['began', 'began']],
  ['and may have done something is not made again', 'write', ['began']],
])('a call that was cancelled %s [T15]', async (_what, effect, did) => {
  const log: string[] = []
  const begun = Promise.withResolvers<void>()
  const slow = tool({
    name: 'slow',
    description: 'd',
    effect,
    execute: (text, { signal }) => {
      log.push('began')
      if (log.length > 1) return text
      begun.resolve()
      return new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    },
  })
  const { named } = await toLangChain({ slow })
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('a', async (_state: unknown, config: RunnableConfig) => ({
      messages: [await named.slow.invoke({ type: 'tool_call', id: 'c1', name: 'slow', args: { input: 'x' } }, config)],
    }))
    .addEdge('__start__', 'a')
    .compile({ checkpointer: new MemorySaver() })
  const controller = new AbortController()
  const thread = { configurable: { thread_id: 't1' } }
  const first = graph.invoke({ messages: [] }, { ...thread, signal: controller.signal }).catch(() => undefined)
  await begun.promise
  controller.abort(new Error('enough'))
  await first
  await graph.invoke(null, thread)
  expect(log).toEqual(did)
})

test('a decision that was made in the inbox meanwhile is the one that counts [T15]', async () => {
  const { log, refund } = desk()
  const runtime = createRuntime({ tools: [refund], database: memoryRuns() })
  onTestFinished(() => runtime.close())
  const { say, resume } = await chat([refund], [refundCall(), 'Refunded.'], { runtime })
  const [shown] = (await say('Refund.')).asked
  await runtime.inbox.edit(shown?.id ?? '', { patch: { amount: 10 } }, 'bob')
  const done = await resume({ id: shown?.id, action: 'approve' })
  expect(done.told).toEqual(['Paid back 10 for A1.'])
  expect(log).toEqual(['found a@b.c', 'paid A1 10'])
})

test('a durable call whose run was cancelled before it took effect is made anew [T15]', async () => {
  const { log, refund } = desk()
  const runtime = createRuntime({ tools: [refund], database: memoryRuns() })
  onTestFinished(() => runtime.close())
  const { say, resume } = await chat([refund], [refundCall(), 'Refunded.'], { runtime })
  const [shown] = (await say('Refund.')).asked
  const [item] = await runtime.inbox.list()
  const run = await runtime.run(item?.run ?? '')
  await run.cancel('No longer wanted.')
  await run.result()
  const [again] = (await resume({ id: shown?.id, action: 'approve' })).asked
  expect(again?.id).not.toBe(shown?.id)
  expect((await resume({ id: again?.id, action: 'approve' })).told).toEqual(['Paid back 250 for A1.'])
  expect(log).toEqual(['found a@b.c', 'found a@b.c', 'paid A1 250'])
})

test('another process goes on with a durable call, and a finished call of the same step is not made again [T15]', async () => {
  const { log, refund } = desk()
  const note = tool({ name: 'note', description: 'd', effect: 'write', execute: (text) => (log.push(`noted ${text}`), 'Noted.') })
  const database = memoryRuns()
  const runtimeOf = () => {
    const runtime = createRuntime({ tools: [refund, note], database })
    onTestFinished(() => runtime.close())
    return runtime
  }
  const turns: ChatTurn[] = [[...(refundCall() as []), { id: 'c2', name: 'note', args: { input: 'it' } }], 'Done.']
  const first = await chat([refund, note], turns, { runtime: runtimeOf() })
  const [shown] = (await first.say('Refund.')).asked
  await expect.poll(() => log).toContain('noted it')
  database.crash()
  const second = await chat([refund, note], turns, { runtime: runtimeOf(), checkpointer: first.checkpointer })
  const done = await second.resume({ id: shown?.id, action: 'approve' })
  expect(done.told).toEqual(['Paid back 250 for A1.', 'Noted.'])
  expect(log.toSorted()).toEqual(['found a@b.c', 'noted it', 'paid A1 250'])
})
