import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { refundTool } from '../../../test/fixtures/ai-sdk/durable-desk.ts'
import { connectInProcess, type InProcessOptions } from '../../../test/fixtures/mcp/in-process.ts'
import type { Revision } from '../../../test/fixtures/mcp/raw-client.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { Principal } from '../../tool/principal.ts'
import { tool } from '../../tool/tool.ts'
import { KEY_META } from './call-key.ts'
import { createMcpServer } from './create-mcp-server.ts'

const REVISIONS: readonly Revision[] = ['2025-11-25', '2026-07-28']

function bank(...tools: readonly AgentTool[]) {
  const runtime = createRuntime({ tools, database: memoryRuns() })
  onTestFinished(() => runtime.close())
  const connect = async (revision: Revision, principal?: Principal, answer?: InProcessOptions['answer']): Promise<Client> => {
    const server = await createMcpServer({ runtime, ...(principal === undefined ? {} : { principal }) })
    const client = await connectInProcess(server, revision, answer === undefined ? {} : { answer })
    onTestFinished(() => client.close())
    return client
  }
  const runs = async () => (await runtime.runs()).list()
  return { runtime, connect, runs }
}

function payTool(paid: string[]): AgentTool {
  return tool({
    name: 'pay',
    description: 'Pays.',
    effect: 'irreversible',
    execute: (to: string) => {
      paid.push(to)
      return `paid ${to}`
    },
  }) as AgentTool
}

async function call(client: Client, name: string, { args, key }: { args: Record<string, unknown>; key: string }) {
  const answer = await client.callTool({ name, arguments: args, _meta: { [KEY_META]: key } })
  return answer as { content: readonly { text?: string }[]; _meta?: { 'toolwright/error'?: { code: string; outcome: string } } }
}

describe.each(REVISIONS)('revision %s', (revision) => {
  test('a call that is repeated under its key is one run, also after its end; another input under the key is refused [T14]', async () => {
    const paid: string[] = []
    const { connect, runs } = bank(payTool(paid))
    const ada = await connect(revision, { id: 'ada', permissions: [] })
    for (let time = 0; time < 3; time++)
      expect((await call(ada, 'pay', { args: { input: 'x' }, key: 'one' })).content).toMatchObject([{ text: 'paid x' }])
    expect(paid).toEqual(['x'])
    expect(await runs()).toHaveLength(1)
    const other = await call(ada, 'pay', { args: { input: 'y' }, key: 'one' })
    expect(other._meta?.['toolwright/error']).toMatchObject({ code: 'idempotency_conflict', outcome: 'not_started' })
    expect(JSON.stringify(other)).not.toContain('door:')
    expect(paid).toEqual(['x'])
    await call(ada, 'pay', { args: { input: 'x' }, key: 'two' })
    await call(await connect(revision, { id: 'bob', permissions: [] }), 'pay', { args: { input: 'x' }, key: 'one' })
    expect(paid).toEqual(['x', 'x', 'x'])
  })

  test('repetitions beside each other are one run', async () => {
    const paid: string[] = []
    const { connect } = bank(payTool(paid))
    const client = await connect(revision)
    await Promise.all([1, 2, 3].map(() => call(client, 'pay', { args: { input: 'x' }, key: 'one' })))
    expect(paid).toEqual(['x'])
  })

  test('a call under a key asks the user of its client, and is repeated without a second question', async () => {
    const log: string[] = []
    let questions = 0
    const answer = () => {
      questions++
      return { action: 'accept', content: { decision: 'approve' } } as const
    }
    const { connect } = bank(refundTool((what) => log.push(what)))
    const client = await connect(revision, { id: 'ada', permissions: [] }, answer)
    for (let time = 0; time < 2; time++)
      expect((await call(client, 'refund', { args: { email: 'a@b.c' }, key: 'one' })).content).toMatchObject([
        { text: 'Paid back 250 for A1.' },
      ])
    expect(questions).toBe(1)
    expect(log).toEqual(['found a@b.c', 'paid A1 250'])
  })
})

test.each([
  ['a failure that left nothing behind is tried again under its key', 'not_started', 2],
  ['a failure that may have taken effect is not', 'unknown', 1],
] as const)('%s', async (_what, outcome, times) => {
  let attempts = 0
  const book = tool({
    name: 'book',
    description: 'Books.',
    effect: 'irreversible',
    execute: (_title: string) => {
      if (++attempts === 1) throw new ToolError('The ledger is away.', { code: 'service_unavailable', outcome })
      return 'booked'
    },
  })
  const { connect } = bank(book as AgentTool)
  const client = await connect('2025-11-25', { id: 'ada', permissions: [] })
  for (let time = 0; time < 3; time++) await call(client, 'book', { args: { input: 'x' }, key: 'one' })
  expect(attempts).toBe(times)
})
