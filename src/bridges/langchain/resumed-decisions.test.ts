import { AIMessage } from '@langchain/core/messages'
import { Command, MemorySaver, MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../../combinators/gate/gate.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import type { Reviewers } from '../../tool/deciders.ts'
import { tool } from '../../tool/tool.ts'
import type { ReviewInterrupt } from './review-interrupt.ts'
import { toLangChain } from './to-lang-chain.ts'

interface Desk {
  readonly isDurable?: boolean
  readonly reviewers?: Reviewers
  readonly database?: ReturnType<typeof memoryRuns>
}

/** Two gated calls in one step. Every resume comes to a graph that is made anew, as in another process. */
async function desk({ isDurable = true, reviewers, database = memoryRuns() }: Desk = {}) {
  const log: string[] = []
  const paying = (name: string) =>
    gate(
      tool({
        name,
        description: 'd',
        inputSchema: z.object({ n: z.number().positive() }),
        effect: 'irreversible',
        execute: ({ n }) => (log.push(`${name} ${n}`), `${name} ${n}`),
      }),
    )
  const tools = [paying('alpha'), paying('beta')]
  const runtime = createRuntime({
    tools,
    ...(isDurable ? { database } : {}),
    ...(reviewers === undefined ? {} : { reviewers }),
  })
  onTestFinished(() => runtime.close())
  const checkpointer = new MemorySaver()
  const graphOf = async () => {
    const bridge = await toLangChain(tools, { runtime, principal: { id: 'ada', permissions: [] } })
    const calls = [
      { id: 'c1', name: 'alpha', args: { n: 1 } },
      { id: 'c2', name: 'beta', args: { n: 2 } },
    ]
    return new StateGraph(MessagesAnnotation)
      .addNode('model', () => ({ messages: [new AIMessage({ content: '', tool_calls: calls })] }))
      .addNode('tools', new ToolNode(bridge.tools))
      .addEdge('__start__', 'model')
      .addEdge('model', 'tools')
      .compile({ checkpointer })
  }
  const config = { configurable: { thread_id: 't1' } }
  const one = isDurable ? undefined : await graphOf()
  const invoke = async (given: unknown): Promise<ReviewInterrupt | undefined> => {
    const graph = one ?? (await graphOf())
    await graph.invoke(given as never, config)
    return (await graph.getState(config)).tasks[0]?.interrupts[0]?.value as ReviewInterrupt | undefined
  }
  const interruptIds = async () => {
    const { tasks } = await (one ?? (await graphOf())).getState(config)
    return tasks.flatMap(({ interrupts }) => interrupts.map(({ id }) => id ?? ''))
  }
  const openIds = async () => (await runtime.inbox.list()).map(({ request }) => request.id)
  return { log, runtime, invoke, openIds, interruptIds, resume: (value: unknown) => invoke(new Command({ resume: value })) }
}

/** The ids of both requests. */
async function shownBoth({ invoke, openIds }: Awaited<ReturnType<typeof desk>>): Promise<[string, string]> {
  const shown = await invoke({ messages: [] })
  await expect.poll(openIds).toHaveLength(2)
  const other = (await openIds()).find((id) => id !== shown?.id)
  return [shown?.id ?? '', other ?? '']
}

describe('two durable calls of one step', () => {
  test.each([0, 1])('a decision is recorded when the graph returns, whichever request it names (%s) [T15]', async (which) => {
    const all = await desk()
    const ids = await shownBoth(all)
    const id = ids[which] ?? ''
    const next = await all.resume({ id, action: 'reject', reason: 'No.' })
    // The process may end now.
    expect(await all.openIds()).toEqual(ids.filter((each) => each !== id))
    expect([next?.id, next?.problem]).toEqual([ids[1 - which], undefined])
  })

  test.each([0, 1])('a value of an earlier resume decides nothing (%s) [T14]', async (which) => {
    let isKnown = false
    const reviewers: Reviewers = { identify: ({ name }) => (isKnown ? { id: name, permissions: ['review:*'] } : undefined) }
    const all = await desk({ reviewers })
    const id = (await shownBoth(all))[which] ?? ''
    const refused = await all.resume({ id, action: 'approve', by: 'eva' })
    expect(refused?.problem).toContain(`The decision on request '${id}' does not count`)
    isKnown = true
    await all.resume({ id, action: 'reject', by: 'eva' })
    await all.runtime.close()
    expect(all.log).toEqual([])
  })

  test.each([0, 1])('the next interrupt says why a decision did not count (%s) [T14]', async (which) => {
    const all = await desk()
    const id = (await shownBoth(all))[which] ?? ''
    const next = await all.resume({ id, action: 'edit', patch: { n: -1 }, by: 'eva' })
    expect(next?.problem).toContain(`'${id}'`)
    expect(next?.problem).toContain('n')
    expect(await all.openIds()).toHaveLength(2)
  })

  test('also for a request that nobody asks about, and for a value without one [T14]', async () => {
    const all = await desk()
    await shownBoth(all)
    expect((await all.resume({ id: 'nonsense', action: 'approve' }))?.problem).toMatch(
      /names the request "nonsense", which no call of this step/,
    )
    expect((await all.resume({ action: 'approve' }))?.problem).toContain('names no request')
  })

  test.each([0, 1])('a decision that is under way is recorded before the runtime is closed (%s) [T15]', async (which) => {
    const [asked, proven] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const identify: Reviewers['identify'] = async ({ name }) => {
      asked.resolve()
      await proven.promise
      return { id: name, permissions: ['review:*'] }
    }
    const database = memoryRuns()
    const all = await desk({ reviewers: { identify }, database })
    const ids = await shownBoth(all)
    const resuming = all.resume({ id: ids[which], action: 'reject', by: 'eva' }).catch(() => undefined)
    await asked.promise
    let isClosed = false
    const closing = all.runtime.close().then(() => (isClosed = true))
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(isClosed).toBe(false)
    proven.resolve()
    await Promise.all([closing, resuming])
    expect(await (await desk({ database })).openIds()).toEqual([ids[1 - which]])
  })

  test('the same value can be given again [T14]', async () => {
    let isKnown = false
    const all = await desk({ reviewers: { identify: ({ name }) => (isKnown ? { id: name, permissions: ['review:*'] } : undefined) } })
    const [id, other] = await shownBoth(all)
    const value = { id, action: 'reject', by: 'eva' }
    expect((await all.resume(value))?.problem).toBeDefined()
    isKnown = true
    expect(await all.resume(value)).toMatchObject({ id: other })
    expect(await all.openIds()).toEqual([other])
  })

  test('a value by the id of the interrupt counts, and not the one before it [T14]', async () => {
    const all = await desk()
    const [id, other] = await shownBoth(all)
    await all.resume({ id, action: 'edit', patch: { n: -1 } })
    const [interrupt = ''] = await all.interruptIds()
    const next = await all.resume({ [interrupt]: { id, action: 'reject' } })
    expect([next?.id, next?.problem]).toEqual([other, undefined])
  })
})

test('two calls in memory: the next interrupt says why a decision did not count [T14]', async () => {
  const { invoke, resume, log } = await desk({ isDurable: false })
  const shown = await invoke({ messages: [] })
  expect((await resume({ id: shown?.id, action: 'edit', patch: { n: -1 } }))?.problem).toContain('n')
  expect((await resume({ id: 'nonsense', action: 'approve' }))?.problem).toContain('"nonsense"')
  const next = await resume({ id: shown?.id, action: 'approve' })
  expect([next?.id === shown?.id, next?.problem]).toEqual([false, undefined])
  expect(await resume({ id: next?.id, action: 'approve' })).toBeUndefined()
  expect(log.toSorted()).toEqual(['alpha 1', 'beta 2'])
})
