import { setTimeout } from 'node:timers/promises'
import { AIMessage } from '@langchain/core/messages'
import { Command, MemorySaver, MessagesAnnotation, Send, StateGraph } from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { expect, onTestFinished, test } from 'vitest'
import { gate } from '../../combinators/gate/gate.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import { tool } from '../../tool/tool.ts'
import type { ReviewInterrupt } from './review-interrupt.ts'
import { toLangChain } from './to-lang-chain.ts'

/** Stores checkpoints later than the next step begins, as one over a network does. */
class SlowSaver extends MemorySaver {
  override async put(...given: Parameters<MemorySaver['put']>): ReturnType<MemorySaver['put']> {
    await setTimeout(30)
    return super.put(...given)
  }
}

const thread = { configurable: { thread_id: 't' } }

interface Setting {
  readonly saver?: MemorySaver
  readonly isGated?: boolean
  readonly form?: 'edge' | 'sent' | 'nested'
}

/** A graph whose model makes one durable call, and the checkpoint before the call. */
async function paying({ saver = new MemorySaver(), isGated = false, form = 'edge' }: Setting) {
  const paid: string[] = []
  const bare = tool({
    name: 'pay',
    description: 'Pays.',
    effect: 'write',
    execute: (to) => (paid.push(String(to)), `payment ${paid.length}`),
  })
  const pay = isGated ? gate(bare) : bare
  const runtime = createRuntime({ tools: [pay], database: memoryRuns() })
  onTestFinished(() => runtime.close())
  const { tools } = await toLangChain([pay], { runtime, principal: { id: 'ada', permissions: [] } })
  const node = new ToolNode(tools)
  const inner = new StateGraph(MessagesAnnotation).addNode('inside', node).addEdge('__start__', 'inside').compile()
  const begun = new StateGraph(MessagesAnnotation)
    .addNode('model', () => ({
      messages: [new AIMessage({ content: '', tool_calls: [{ id: 'c1', name: 'pay', args: { input: 'A1' } }] })],
    }))
    .addNode('tools', form === 'nested' ? inner : node)
    .addEdge('__start__', 'model')
  if (form === 'sent') begun.addConditionalEdges('model', (state) => [new Send('tools', state)], ['tools'])
  else begun.addEdge('model', 'tools')
  const graph = begun.compile({ checkpointer: saver })
  /** Approves what is asked, and gives the answer of the call. */
  const go = async (input: unknown, config: object): Promise<unknown> => {
    let said = (await graph.invoke(input as never, config as never)) as { readonly messages: { readonly content: unknown }[] }
    for (let count = 0; count < 3; count++) {
      const shown = (await graph.getState(thread)).tasks.flatMap(({ interrupts }) => interrupts)[0]?.value as ReviewInterrupt | undefined
      if (shown === undefined) break
      said = (await graph.invoke(new Command({ resume: { id: shown.id, action: 'approve' } }) as never, thread)) as typeof said
    }
    return said.messages.at(-1)?.content
  }
  const before = async () => {
    for await (const each of graph.getStateHistory(thread))
      if (each.next.includes('tools') && each.metadata?.source === 'loop') return each.config
    throw new Error('There is no such checkpoint.')
  }
  return { paid, graph, go, before }
}

test.each<[string, Setting]>([
  ['as it is', {}],
  ['with a gate', { isGated: true }],
  ['that stores its checkpoints late', { saver: new SlowSaver() }],
  ['that stores its checkpoints late, with a gate', { saver: new SlowSaver(), isGated: true }],
  ['with tasks that are sent', { form: 'sent' }],
])('a durable call gives the same result however often a graph %s goes back to the step before it [T15]', async (_what, setting) => {
  const { paid, go, before } = await paying(setting)
  expect(await go({ messages: [] }, thread)).toBe('payment 1')
  const config = await before()
  for (let count = 0; count < 2; count++) expect(await go(null, config)).toBe('payment 1')
  expect(paid).toEqual(['A1'])
})

test('a thread that was forked with updateState makes its calls anew [T15]', async () => {
  const { paid, graph, go, before } = await paying({})
  await go({ messages: [] }, thread)
  const config = await graph.updateState(await before(), { messages: [] })
  expect(await go(null, config)).toBe('payment 2')
  expect(await go(null, config)).toBe('payment 2')
  expect(paid).toEqual(['A1', 'A1'])
})

test('in a graph inside a node, where it is not known which call is repeated, a call that takes effect is not made [T15]', async () => {
  const { paid, go, before } = await paying({ form: 'nested' })
  expect(await go({ messages: [] }, thread)).toBe('payment 1')
  expect(await go(null, await before())).toContain('the graph went back to an earlier checkpoint')
  expect(paid).toEqual(['A1'])
})
