import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { chat } from '../../../test/fixtures/langchain/graph-chat.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { ToolError, type ToolErrorOptions } from '../../tool/errors/tool-error.ts'
import { tool } from '../../tool/tool.ts'

/** A call that never ends must fail the test, and not block it. */
const MOST = 50

test.each<[string, 'read' | 'write', ToolErrorOptions]>([
  ['before it began', 'write', { code: 'cancelled', outcome: 'not_started' }],
  ['without an effect', 'write', { code: 'cancelled', outcome: 'failed' }],
  ['in a read', 'read', { code: 'cancelled', outcome: 'unknown' }],
])('a tool that says of itself that it was cancelled %s is called once [T15]', async (_when, effect, details) => {
  let calls = 0
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    effect,
    execute: () => {
      if (++calls > MOST) return 'paid'
      throw new ToolError('It was cancelled.', details)
    },
  })
  const { say } = await chat([pay], [[{ id: 'c1', name: 'pay', args: { input: 'x' } }], 'Ok.'])
  expect((await say('Pay.')).told).toEqual([expect.stringContaining('Error: It was cancelled.')])
  expect(calls).toBe(1)
})

test('two calls where only one may wait do not displace each other without end [T15]', async () => {
  let calls = 0
  const slow = (name: string): AgentTool =>
    tool({
      name,
      description: 'Waits.',
      effect: 'read',
      execute: async (_input, { signal }) => {
        if (++calls > MOST) return name
        for (let turn = 0; turn < MOST; turn++) {
          await setImmediate()
          signal.throwIfAborted()
        }
        return name
      },
    })
  const turn = ['a', 'b'].map((name) => ({ id: name, name, args: { input: 'x' } }))
  const { say } = await chat([slow('a'), slow('b')], [turn, 'Ok.'], { maxCalls: 1 })
  const { told } = await say('Go.')
  expect(told).toEqual([expect.stringContaining('Error: '), 'b'])
  expect(calls).toBe(2)
})
