import { generateText, isStepCount, type ModelMessage } from 'ai'
import { autoReview, type ReviewDecision, tool, ToolPipeline } from 'toolwright'
import { toAiSdk } from 'toolwright/ai-sdk'
import { connectMcp, type McpConnection, mcpHandler } from 'toolwright/mcp'
import { recordEvents, recordingReview } from 'toolwright/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { answered } from '../fixtures/ai-sdk/answered.ts'
import { scriptedLanguageModel, toldLast, type Turn } from '../fixtures/ai-sdk/scripted-language-model.ts'
import { refundTool } from '../fixtures/ai-sdk/durable-desk.ts'
import { listening } from '../fixtures/mcp/over-http.ts'
import type { Revision } from '../fixtures/mcp/raw-client.ts'
import { upstream } from '../fixtures/mcp/upstream-program.ts'
import { importFlags } from '../fixtures/prepared.ts'
import { type Decision, DOORS } from './doors.ts'

const SERVER = new URL('../fixtures/mcp/server.ts', import.meta.url).pathname

const REVISIONS: readonly Revision[] = ['2025-11-25', '2026-07-28']

interface Case {
  readonly decision: Decision
  /** What the model reads, with the words of the person. */
  readonly told: string
  readonly did: readonly string[]
}

const CASES: readonly Case[] = [
  { decision: { action: 'approve' }, told: 'Noted: Paid back 250 for A1.', did: ['paid A1 250'] },
  { decision: { action: 'edit', patch: { amount: 40 } }, told: 'Noted: Paid back 40 for A1.', did: ['paid A1 40'] },
  { decision: { action: 'reject', reason: 'Fraud.' }, told: 'Fraud.', did: [] },
]

const TABLE = DOORS.flatMap(([door, through]) =>
  REVISIONS.flatMap((revision) => CASES.map((each) => ({ door, through, revision, what: each.decision.action, ...each }))),
)

interface Far {
  readonly desk: McpConnection
  readonly log: readonly string[]
}

/** A server with a gate in the middle of its tool, and a connection to it; with `between`, through another server that serves it again. */
async function farDesk(revision: Revision, between = false): Promise<Far> {
  const log: string[] = []
  let served: unknown = refundTool((what) => log.push(what))
  for (const name of between ? ['behind', 'desk'] : ['desk']) {
    const handler = await mcpHandler({ tools: [served] })
    onTestFinished(() => handler.close())
    const connection = await connectMcp({
      name,
      url: await listening(handler.node),
      // It may ask: a framework that approves calls before they begin asks at once then.
      metadata: { refund: { tags: ['human'] } },
      ...(revision === '2025-11-25' ? { revision } : {}),
    })
    onTestFinished(() => connection.close())
    expect(connection.info()?.revision).toBe(revision)
    served = connection
  }
  return { desk: served as McpConnection, log }
}

const note = tool({
  name: 'note',
  description: 'Notes it.',
  inputSchema: z.object({ text: z.string() }),
  effect: 'read',
  execute: ({ text }) => `Noted: ${text}`,
})

const flowOver = (desk: McpConnection) =>
  ToolPipeline.builder()
    .name('refund_and_note')
    .description('Refunds, and notes it.')
    .step(desk.tool('refund'))
    .adapter(({ text }) => ({ text }))
    .step(note)
    .build()

const input = { email: 'a@b.c' }

describe('a gate of a remote server, in a pipeline', () => {
  test.each(TABLE)('$door, the server speaks $revision: $what [T10] [T14] [X6]', async ({ through, revision, decision, told, did }) => {
    const { desk, log } = await farDesk(revision)
    const text = await through({ tool: flowOver(desk) as never, input, decision, on: recordEvents(), runtime: undefined })
    expect(text).toContain(told)
    expect(text).not.toContain('declined.\\"')
    await expect.poll(() => log).toEqual(['found a@b.c', ...did])
  })

  test.each(DOORS.flatMap(([door, through]) => CASES.map((each) => ({ door, through, what: each.decision.action, ...each }))))(
    '$door, behind a second server: $what [T10] [T14] [X6]',
    async ({ through, decision, told, did }) => {
      const { desk, log } = await farDesk('2026-07-28', true)
      const text = await through({ tool: flowOver(desk) as never, input, decision, on: recordEvents(), runtime: undefined })
      expect(text).toContain(told)
      await expect.poll(() => log).toEqual(['found a@b.c', ...did])
    },
  )
})

test('a tool of which nobody says that it asks: the AI SDK asks at the next equal call, which goes on with the same call there [T14]', async () => {
  const log: string[] = []
  const handler = await mcpHandler({ tools: [refundTool((what) => log.push(what))] })
  onTestFinished(() => handler.close())
  const desk = await connectMcp({ name: 'desk', url: await listening(handler.node) })
  onTestFinished(() => desk.close())
  const { tools, toolApproval } = toAiSdk([flowOver(desk)])
  const turn = (id: string): Turn => [{ id, tool: 'refund_and_note', input }]
  const model = scriptedLanguageModel(turn('c1'), turn('c2'), 'Done.')
  const messages: ModelMessage[] = [{ role: 'user', content: 'Go.' }]
  const ask = (history: ModelMessage[]) => generateText({ model, messages: history, tools, toolApproval, stopWhen: isStepCount(5) })
  const paused = await ask(messages)
  expect(paused.content.at(-1)).toMatchObject({
    type: 'tool-approval-request',
    reason: expect.stringMatching(/^\| MCP server 'desk' asks for an approval/),
  })
  expect(toldLast(model)).toEqual([{ type: 'error-text', value: expect.stringContaining("can go on: | MCP server 'desk' asks") }])
  expect(log).toEqual(['found a@b.c'])
  await ask(answered(messages, paused, true))
  expect(toldLast(model)).toEqual(expect.arrayContaining([{ type: 'text', value: 'Noted: Paid back 250 for A1.' }]))
  expect(log).toEqual(['found a@b.c', 'paid A1 250'])
})

describe('a form of a foreign server, which wants an answer', () => {
  const foreign = async (): Promise<McpConnection> => {
    const connection = await connectMcp({ name: 'foreign', ...upstream('usual'), metadata: { asks: { tags: ['human'] } } })
    onTestFinished(() => connection.close())
    return connection
  }

  test.each(DOORS.filter(([door]) => door === 'AI SDK' || door === 'OpenAI Agents'))(
    '%s: an approval is no answer, and is told as such; nobody is quoted [T14]',
    async (_door, through) => {
      const asks = (await foreign()).tool('asks') as never
      const text = await through({ tool: asks, input: {}, decision: { action: 'approve' }, on: recordEvents(), runtime: undefined })
      expect(text).toContain(
        "Nobody has decided here what MCP server 'foreign' asked: The call was approved, but the question was not answered",
      )
      expect(text).toContain('cancel')
      expect(text).not.toMatch(/who says|decline/)
    },
  )
})

describe.each(REVISIONS)('a program that speaks over standard input and output, revision %s', (revision) => {
  async function program(): Promise<McpConnection> {
    const pinned = revision === '2025-11-25' ? { revision } : {}
    const desk = await connectMcp({ name: 'desk', command: process.execPath, args: [...importFlags, SERVER], ...pinned })
    onTestFinished(() => desk.close())
    expect(desk.info()?.revision).toBe(revision)
    return desk
  }

  test('its gate is decided here [T10] [T14]', async () => {
    const refund = (await program()).tool('refund')
    const call = (decision: ReviewDecision) => refund.call({ email: 'a@b.co' }, { review: recordingReview(decision) })
    expect(await call({ action: 'continue' })).toMatchObject({ ok: true, value: { paid: 149.99 } })
    expect(await call({ action: 'edit', patch: { amount: 40 } })).toMatchObject({ ok: true, value: { paid: 40 } })
    expect((await call({ action: 'reject', reason: 'Fraud.' })).text).toContain('who says "Fraud."')
  })

  test('two gates at once are decided each for itself [T14]', async () => {
    const asked: string[] = []
    const review = autoReview(({ why }) => {
      asked.push(why.includes('The first.') ? 'first' : 'second')
      return why.includes('The first.') ? { action: 'continue' } : { action: 'reject', reason: 'Once is enough.' }
    })
    const result = await (await program()).tool('pay_twice').call({ orderId: 'A1', amount: 250 }, { review })
    expect(asked.toSorted()).toEqual(['first', 'second'])
    expect(result.text).toContain('who says "Once is enough."')
  })
})
