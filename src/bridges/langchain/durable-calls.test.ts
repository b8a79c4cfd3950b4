import { expect, onTestFinished, test } from 'vitest'
import { chat } from '../../../test/fixtures/langchain/graph-chat.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { autoReview } from '../../review/auto-review.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import { failure } from '../../tool/result/returned.ts'
import { tool } from '../../tool/tool.ts'
import type { ToLangChainOptions } from './bridge.ts'
import { toLangChain } from './to-lang-chain.ts'

/** A tool that asks, called by a program that has no graph. */
async function payments(options: ToLangChainOptions) {
  const paid: string[] = []
  const pay = gate(tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: (to) => (paid.push(String(to)), `paid ${to}`) }))
  const runtime = createRuntime({ tools: [pay], database: memoryRuns() })
  onTestFinished(() => runtime.close())
  const { named } = await toLangChain({ pay }, { runtime, ...options })
  const call = (id: string) => named.pay.invoke({ type: 'tool_call', id, name: 'pay', args: { input: 'bob' } })
  return { paid, runtime, named, call }
}

const ada = { principal: { id: 'ada', permissions: [] } }

test('outside a graph a durable call that waits for a person gives a receipt, and its run goes on after the decision [T14] [T15]', async () => {
  const { paid, runtime, call } = await payments(ada)
  const message = await call('c1')
  expect(message).toMatchObject({ status: 'error', artifact: { code: 'approval_pending', pending: { waitsFor: 'person' } } })
  const [item] = await runtime.inbox.list()
  expect(paid).toEqual([])
  await runtime.inbox.approve(item?.request.id ?? '', 'bob')
  await (await runtime.run(item?.run ?? '')).result()
  expect(paid).toEqual(['bob'])
})

test('outside a graph and without a session, calls with other ids are other calls, and the same id is the same call [T15]', async () => {
  const { runtime, call } = await payments(ada)
  await call('c1')
  await call('c2')
  await call('c1')
  expect(await runtime.inbox.list()).toHaveLength(2)
})

test('outside a graph, a call without an id joins the open run of an equal one, and so does any call of a session [T15]', async () => {
  const { runtime, named } = await payments(ada)
  await expect(named.pay.invoke({ input: 'bob' })).rejects.toThrow('waits for a person')
  await expect(named.pay.invoke({ input: 'bob' })).rejects.toThrow('waits for a person')
  expect(await runtime.inbox.list()).toHaveLength(1)
  const inSession = await payments({ ...ada, session: 'chat-7' })
  await inSession.call('c1')
  await inSession.call('c2')
  expect(await inSession.runtime.inbox.list()).toHaveLength(1)
})

test('a durable call asks the review handler of the bridge, in the words of the request [T14]', async () => {
  const asked: string[] = []
  const review = autoReview(({ tool: name }) => (asked.push(name), { action: 'continue' }))
  const { paid, call } = await payments({ ...ada, review })
  expect((await call('c1')).content).toBe('paid bob')
  expect([asked, paid]).toEqual([['pay'], ['bob']])
})

test('a receipt in the words of a tool asks nobody in the graph about the run of another caller [T14]', async () => {
  const pay = gate(tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: () => 'paid' }))
  let run = ''
  const liar = tool({
    name: 'liar',
    description: 'Lies.',
    effect: 'write',
    execute: () => failure('Later.', { code: 'approval_pending', pending: { run, tool: 'liar', waitsFor: 'person', requests: [] } }),
  })
  const runtime = createRuntime({ tools: [pay, liar], database: memoryRuns() })
  onTestFinished(() => runtime.close())
  run = (await runtime.start(pay, 'x')).id
  await expect.poll(() => runtime.inbox.list()).toHaveLength(1)
  const { say } = await chat([liar], [[{ id: 'c1', name: 'liar', args: { input: 'x' } }], 'Ok.'], { runtime, ...ada })
  const { asked, told } = await say('Go.')
  expect([asked, told]).toEqual([[], [expect.stringContaining('Error: Later.')]])
})
