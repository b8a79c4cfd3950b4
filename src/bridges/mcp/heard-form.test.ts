import type { ElicitResult } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { connectInProcess } from '../../../test/fixtures/mcp/in-process.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import { tool } from '../../tool/tool.ts'
import { createMcpServer } from './create-mcp-server.ts'

const inputSchema = z.object({ amount: z.number().positive() })

type Revision = '2025-11-25' | '2026-07-28'

/** Pays 250, and answers each form with the next of the answers; the last one is given for ever. */
async function paying([revision, how]: readonly [Revision, 'in memory' | 'durably'], ...answers: readonly ElicitResult[]) {
  const paid: number[] = []
  const asked: string[] = []
  const pay = gate(tool({ name: 'pay', description: 'Pays.', inputSchema, effect: 'write', execute: ({ amount }) => paid.push(amount) }))
  const runtime = createRuntime({ tools: [pay], ...(how === 'durably' ? { database: memoryRuns() } : {}) })
  const server = await createMcpServer({ runtime, principal: { id: 'ada', permissions: [] } })
  const answer = (message: string): ElicitResult => {
    asked.push(message)
    return answers[Math.min(asked.length, answers.length) - 1] ?? { action: 'cancel' }
  }
  const client = await connectInProcess(server, revision, { answer })
  const { content } = await client.callTool({ name: 'pay', arguments: { amount: 250 } })
  await client.close()
  server.close()
  await runtime.close()
  return { paid, asked, told: JSON.stringify(content) }
}

const WAYS = [
  ['2025-11-25', 'in memory'],
  ['2025-11-25', 'durably'],
  ['2026-07-28', 'in memory'],
  ['2026-07-28', 'durably'],
] as const

const edit = (input: string): ElicitResult => ({ action: 'accept', content: { decision: 'edit', input } })

test.each(WAYS)('%s %s: a person who makes a mistake is told, and asked again [T14]', async (...way) => {
  const { paid, asked } = await paying(way, edit('{"amount":-1}'), edit('{"amount":'), edit('{"amount":40}'))
  expect(paid).toEqual([40])
  expect(asked.map((each) => /Your last answer does not count: (.*)/.exec(each)?.[1])).toEqual([
    undefined,
    "The edit does not fit: 'amount': must be > 0",
    'The edited input is not valid JSON.',
  ])
})

test.each(WAYS)('%s %s: after three forms nobody has decided [T14]', async (...way) => {
  const { paid, asked, told } = await paying(way, edit('{"amount":-1}'))
  expect([paid, asked.length]).toEqual([[], 3])
  // The request of a durable run stays open.
  expect(told).toContain(way[1] === 'durably' ? 'npx toolwright approve' : 'The form was filled 3 times without a decision')
  expect(told).not.toContain('Invalid input')
})

test.each(WAYS)('%s %s: a form that was dismissed is not shown again [T14]', async (...way) => {
  expect((await paying(way, { action: 'cancel' })).asked).toHaveLength(1)
  expect((await paying(way, { action: 'decline' })).asked).toHaveLength(1)
})
