import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { listening } from '../../../test/fixtures/mcp/over-http.ts'
import { tool } from '../../tool/tool.ts'
import { connectMcp } from './client/connect-mcp.ts'
import { mcpHandler } from './http/mcp-handler.ts'

test('a call that is repeated under its key has the same key on a server of ours, for the same caller and arguments only', async () => {
  const keys: string[] = []
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    inputSchema: z.object({ amount: z.number() }),
    effect: 'write',
    idempotent: 'keyed',
    execute: (_input, { idempotencyKey }) => {
      keys.push(idempotencyKey)
      return 'Paid.'
    },
  })
  const auth = ({ headers }: Request) => ({ principal: { id: headers.get('authorization') ?? '', permissions: [] } })
  const handler = await mcpHandler({ tools: [pay], auth })
  onTestFinished(() => handler.close())
  const url = await listening(handler.node)
  const connected = async (who: string) => {
    const server = await connectMcp({ url, headers: { authorization: who } })
    onTestFinished(() => server.close())
    return server.tool('pay')
  }
  const [ada, bob] = await Promise.all([connected('ada'), connected('bob')])
  for (const [who, amount, idempotencyKey] of [
    [ada, 1, 'one'],
    [ada, 1, 'one'],
    [ada, 2, 'one'],
    [ada, 1, 'two'],
    [bob, 1, 'one'],
  ] as const)
    expect((await who.call({ amount }, { idempotencyKey })).ok).toBe(true)
  const [first, again, ...others] = keys
  expect(again).toBe(first)
  expect(new Set([first, ...others]).size).toBe(4)
})
