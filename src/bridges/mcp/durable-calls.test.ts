import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { refundTool } from '../../../test/fixtures/ai-sdk/durable-desk.ts'
import { connectInProcess, type InProcessOptions } from '../../../test/fixtures/mcp/in-process.ts'
import type { Revision } from '../../../test/fixtures/mcp/raw-client.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { createRuntime, type RuntimeOptions } from '../../runtime/create-runtime.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { tool } from '../../tool/tool.ts'
import { createMcpServer, type McpServerOptions } from './create-mcp-server.ts'

const REVISIONS: readonly Revision[] = ['2025-11-25', '2026-07-28']
const ada = { principal: { id: 'ada', permissions: [] }, session: 'desk' }
const accept = (content: Record<string, string>) => () => ({ action: 'accept', content }) as const

/** Several processes on one database. */
function office() {
  const log: string[] = []
  const refund = refundTool((what) => log.push(what))
  const database = memoryRuns()
  const serve = async (options: Partial<McpServerOptions> = {}, more: RuntimeOptions = {}) => {
    const runtime = createRuntime({ tools: [refund], database, ...more })
    onTestFinished(() => runtime.close())
    const tools = await createMcpServer({ runtime, ...ada, ...options })
    const connect = async (revision: Revision, person?: InProcessOptions['answer']): Promise<Client> => {
      const client = await connectInProcess(tools, revision, person === undefined ? {} : { answer: person })
      onTestFinished(() => client.close())
      return client
    }
    return { runtime, tools, connect }
  }
  return { log, refund, database, serve }
}

interface Answer {
  readonly isError?: boolean
  readonly content: readonly { readonly text?: string }[]
  readonly _meta?: { readonly 'toolwright/error'?: { readonly code: string; readonly pending?: { readonly run: string } } }
}

async function call(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  options = {},
): Promise<Answer & { readonly text: string }> {
  const answer = (await client.callTool({ name, arguments: args }, options)) as Answer
  return { ...answer, text: answer.content.map(({ text }) => text).join() }
}

describe.each(REVISIONS)('revision %s', (revision) => {
  test('a client without forms gets a receipt that says how a person can approve, and run_status the result [T14] [T15]', async () => {
    const { log, serve } = office()
    const { runtime, connect } = await serve()
    const client = await connect(revision)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['refund', 'run_status'])
    const receipt = await call(client, 'refund', { email: 'a@b.c' })
    const [item] = await runtime.inbox.list()
    const run = item?.run ?? ''
    expect(receipt).toMatchObject({
      isError: true,
      text: expect.stringContaining(`npx toolwright approve ${item?.request.id}`),
      _meta: { 'toolwright/error': { code: 'approval_pending', pending: { run, waitsFor: 'person' } } },
    })
    expect(receipt.text).not.toContain('Rejected')
    const again = await call(client, 'refund', { email: 'a@b.c' })
    expect(again._meta?.['toolwright/error']?.pending?.run).toBe(run)
    const { outputSchema } = (await client.listTools()).tools.find(({ name }) => name === 'run_status') ?? {}
    expect(outputSchema).toMatchObject({ type: 'object', required: ['run', 'tool', 'status'] })
    expect(await call(client, 'run_status', { run })).toMatchObject({
      text: expect.stringContaining('waits for a person'),
      structuredContent: { run, tool: 'refund', status: 'pending', waitsFor: 'person', requests: [{ id: item?.request.id }] },
    })
    await runtime.inbox.approve(item?.request.id ?? '', 'bob')
    expect(await call(client, 'run_status', { run, wait: 5 })).toMatchObject({
      text: 'Paid back 250 for A1.',
      structuredContent: { run, tool: 'refund', status: 'completed', value: 'Paid back 250 for A1.' },
    })
    const { structuredContent } = (await call(client, 'run_status', { run: 'none' })) as { readonly structuredContent?: unknown }
    expect(structuredContent).toBeUndefined()
    expect(log).toEqual(['found a@b.c', 'paid A1 250'])
  })

  test.each<[string, Record<string, string>, string, readonly string[]]>([
    ['approves', { decision: 'approve' }, 'Paid back 250 for A1.', ['paid A1 250']],
    ['edits', { decision: 'edit', input: '{"amount":40}' }, 'Paid back 40 for A1.', ['paid A1 40']],
    ['rejects', { decision: 'reject', reason: 'No.' }, 'Rejected by reviewer, who says "No."', []],
  ])('a client with forms %s, and the decision is in the inbox [T14]', async (_what, content, text, did) => {
    const { log, serve } = office()
    const { runtime, connect } = await serve()
    const client = await connect(revision, accept(content))
    expect((await call(client, 'refund', { email: 'a@b.c' })).text).toContain(text)
    expect(log).toEqual(['found a@b.c', ...did])
    const [run] = await (await runtime.runs()).list()
    expect((await (await runtime.runs()).show(run?.id ?? '')).approvals).toMatchObject([{ status: 'decided' }])
  })

  test('the inbox may be faster than the form, and takes it back [T15]', async () => {
    const { serve } = office()
    const { runtime, connect } = await serve()
    const client = await connect(revision, async () => {
      const [item] = await runtime.inbox.list()
      await runtime.inbox.reject(item?.request.id ?? '', 'Not today.', 'bob')
      return { action: 'accept', content: { decision: 'approve' } }
    })
    expect((await call(client, 'refund', { email: 'a@b.c' })).text).toContain('who says "Not today."')
  })

  test('a form does not ask whether a step took effect: the receipt says who can tell [T15]', async () => {
    const book = tool({
      name: 'book',
      description: 'Books.',
      execute: () => {
        throw new ToolError('The ledger did not answer.', { code: 'service_unavailable', outcome: 'unknown' })
      },
    })
    const { serve } = office()
    const { runtime, connect } = await serve({}, { tools: [book], unknownOutcome: 'ask' })
    const client = await connect(revision, () => ({ action: 'decline' }))
    expect((await call(client, 'book', { input: 'x' })).text).toContain('npx toolwright settle')
    expect(await runtime.inbox.list()).toMatchObject([{ status: 'open', request: { about: 'outcome' } }])
  })

  test.each([
    ['dismissed', { action: 'cancel' } as const],
    ['without a decision', { action: 'accept', content: {} } as const],
    ['with an edit that is no JSON', { action: 'accept', content: { decision: 'edit', input: '{' } } as const],
  ])(
    'a form that comes back %s is no rejection: the request stays open, and the client gets the receipt [T14] [T15]',
    async (_what, form) => {
      const { log, serve } = office()
      const { runtime, connect } = await serve()
      const client = await connect(revision, () => form)
      const receipt = await call(client, 'refund', { email: 'a@b.c' })
      expect(receipt._meta?.['toolwright/error']?.code).toBe('approval_pending')
      expect(receipt.text).not.toContain('Rejected')
      expect(await runtime.inbox.list()).toMatchObject([{ status: 'open' }])
      expect(log).toEqual(['found a@b.c'])
    },
  )

  test('a form that may not decide leaves the request open for those who may [T15]', async () => {
    const pay = gate(tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: (to) => `paid ${to}` }), {
      approvals: { count: 1, of: ['bob'] },
    })
    const { serve } = office()
    const { runtime, connect } = await serve({}, { tools: [pay], reviewers: {} })
    const client = await connect(revision, accept({ decision: 'approve' }))
    expect((await call(client, 'pay', { input: 'carol' })).text).toContain('waits for a person')
    expect(await runtime.inbox.list()).toHaveLength(1)
  })
})

test('a new process goes on where the state of 2026-07-28 names the run [T14] [T15]', async () => {
  const { log, database, serve } = office()
  const first = await serve()
  const answer: { fail: boolean } = { fail: true }
  const person = () => {
    if (answer.fail) throw new Error('The person has gone home.')
    return { action: 'accept', content: { decision: 'approve' } } as const
  }
  const client = await first.connect('2026-07-28', person)
  await expect(call(client, 'refund', { email: 'a@b.c' })).rejects.toThrow('gone home')
  expect(log).toEqual(['found a@b.c'])
  const [item] = await first.runtime.inbox.list()
  database.crash()
  const second = await serve()
  const state = `run.${Buffer.from(JSON.stringify({ run: item?.run })).toString('base64url')}`
  const inputResponses = { [item?.request.id ?? '']: { action: 'accept', content: { decision: 'approve' } } }
  const comeBack = (args: object, given: object = {}) =>
    callWithState(second.tools, { arguments: args, requestState: state, inputResponses, ...given })
  expect(await comeBack({ email: 'eve@b.c' })).toMatchObject({
    error: { message: expect.stringContaining('Invalid or expired requestState') },
  })
  expect(await comeBack({ email: 'a@b.c' }, { requestState: 'run.e30' })).toMatchObject({ error: { code: -32602 } })
  expect(log).toEqual(['found a@b.c'])
  expect(await comeBack({ email: 'a@b.c' })).toMatchObject({ result: { content: [{ text: 'Paid back 250 for A1.' }] } })
  expect(log).toEqual(['found a@b.c', 'paid A1 250'])
  expect(await comeBack({ email: 'a@b.c' })).toMatchObject({ result: { content: [{ text: 'Paid back 250 for A1.' }] } })
  expect(log).toHaveLength(2)
})

test('a form that nobody was shown does not say whether a step took effect [T15]', async () => {
  const refund = tool({
    name: 'refund',
    description: 'Books.',
    execute: () => {
      throw new ToolError('The ledger did not answer.', { code: 'service_unavailable', outcome: 'unknown' })
    },
  })
  const { serve } = office()
  const { runtime, tools, connect } = await serve({}, { tools: [refund], unknownOutcome: 'ask' })
  await call(await connect('2026-07-28', () => ({ action: 'decline' })), 'refund', { input: 'x' })
  const [item] = await runtime.inbox.list()
  const requestState = `run.${Buffer.from(JSON.stringify({ run: item?.run })).toString('base64url')}`
  for (const form of [{ action: 'decline' }, { action: 'accept', content: { decision: 'reject', answer: 'no' } }])
    await callWithState(tools, { arguments: { input: 'x' }, requestState, inputResponses: { [item?.request.id ?? '']: form } })
  expect(await runtime.inbox.list()).toMatchObject([{ status: 'open', request: { about: 'outcome' } }])
})

test.each(REVISIONS)('where the program has a reviewer of its own, the client is not asked: %s [T14] [T15]', async (revision) => {
  let asked = 0
  const person = () => {
    asked++
    return { action: 'accept', content: { decision: 'approve' } } as const
  }
  const review = { review: () => Promise.reject(new Error('away')) }
  const away = office()
  const receipt = await call(await (await away.serve({ review })).connect(revision, person), 'refund', { email: 'a@b.c' })
  expect(receipt._meta?.['toolwright/error']?.code).toBe('approval_pending')
  expect(away.log).toEqual(['found a@b.c'])
  const there = office()
  const { connect } = await there.serve({}, { review: { review: () => ({ action: 'reject', reason: 'By the program.' }) } })
  expect((await call(await connect(revision, person), 'refund', { email: 'a@b.c' })).text).toContain('By the program.')
  expect(asked).toBe(0)
})

test('a cancelled request cancels the run; a lost connection and a time-out of the client do not [T15]', async () => {
  const { database, serve } = office()
  const { runtime, connect } = await serve()
  const open = () => new Promise<never>(() => {})
  const statusOf = async (email: string): Promise<string | undefined> => {
    const runs = await (await runtime.runs()).list()
    for (const { id, status } of runs) {
      const { input } = await (await runtime.runs()).show(id)
      if (JSON.stringify(input).includes(email)) return status
    }
    return undefined
  }
  const client = await connect('2025-11-25', open)
  const cancel = async (by: Client, email: string): Promise<void> => {
    const controller = new AbortController()
    const cancelled = call(by, 'refund', { email }, { signal: controller.signal }).catch((error: unknown) => error)
    await expect.poll(() => statusOf(email)).toBe('waiting')
    controller.abort('I changed my mind.')
    await cancelled
    await expect.poll(() => statusOf(email)).toBe('cancelled')
  }
  await cancel(client, 'cancelled')
  const late = call(client, 'refund', { email: 'late' }, { timeout: 300 }).catch((error: unknown) => error)
  await late
  // What ended before has been heard by then.
  await cancel(client, 'second')
  await database.idle()
  expect(await statusOf('late')).toBe('waiting')
  const lost = call(client, 'refund', { email: 'lost' }).catch((error: unknown) => error)
  await expect.poll(() => statusOf('lost')).toBe('waiting')
  await client.close()
  await lost
  await cancel(await connect('2025-11-25', open), 'third')
  await database.idle()
  expect(await statusOf('lost')).toBe('waiting')
})

test('a client that asks for progress is told of the steps of the run', async () => {
  const { serve } = office()
  const { connect } = await serve()
  const client = await connect('2025-11-25', accept({ decision: 'approve' }))
  const told: unknown[] = []
  await call(client, 'refund', { email: 'a@b.c' }, { onprogress: ({ message }: { message?: string }) => told.push(message) })
  expect(told).toEqual(['refund/find_order: done', 'refund/pay_back/gated: done'])
})

test('the tools of a provider run durably too, though it gives new ones each time', async () => {
  const note = () => tool({ name: 'note', description: 'Notes.', effect: 'write', execute: (text) => `noted ${text}` })
  const { serve } = office()
  const { runtime, connect } = await serve({}, { tools: [{ tools: () => [note()] }] })
  expect((await call(await connect('2025-11-25'), 'note', { input: 'x' })).text).toBe('noted x')
  expect(await (await runtime.runs()).list()).toMatchObject([{ tool: 'note', status: 'completed' }])
})

test('another principal does not see the run [T14]', async () => {
  const { serve } = office()
  const [one, other] = [await serve(), await serve({ principal: { id: 'eve', permissions: [] } })]
  const receipt = await call(await one.connect('2025-11-25'), 'refund', { email: 'a@b.c' })
  const run = receipt._meta?.['toolwright/error']?.pending?.run ?? ''
  const eve = await other.connect('2025-11-25')
  const told = (await call(eve, 'run_status', { run })).text.replaceAll(run, 'ID')
  const unknown = crypto.randomUUID()
  expect(told).toBe((await call(eve, 'run_status', { run: unknown })).text.replaceAll(unknown, 'ID'))
  expect(told).toContain("There is no run 'ID' of yours.")
})

/** A request of the newer revision, as the client library does not send it. */
async function callWithState(tools: Awaited<ReturnType<typeof createMcpServer>>, params: object): Promise<unknown> {
  const { createMcpHandler } = await import('@modelcontextprotocol/server')
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'refund', ...params, _meta } })
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'refund',
  }
  const response = await createMcpHandler(tools.newServer).fetch(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }))
  const text = await response.text()
  return JSON.parse(text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? text))
}
