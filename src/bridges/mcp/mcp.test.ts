import { Client, type CallToolResult, type ElicitResult } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const SERVER = new URL('../../../test/fixtures/mcp/server.ts', import.meta.url).pathname
const REVISIONS = ['2025-11-25', '2026-07-28'] as const
type Revision = (typeof REVISIONS)[number]

/** Answers forms, and keeps those that were shown. */
interface Person {
  answer: (message: string) => ElicitResult
  asked: { readonly message: string; readonly schema: unknown }[]
}

interface Connection {
  readonly client: Client
  readonly stderr: () => string
}

/** A client of the official library, with a person who answers forms. */
async function connect(revision: Revision, person?: Person): Promise<Connection> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: person === undefined ? {} : { elicitation: {} },
      ...(revision === '2026-07-28' ? { versionNegotiation: { mode: { pin: revision } } } : {}),
    },
  )
  if (person !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      if (!('requestedSchema' in params)) throw new Error('not a form')
      person.asked.push({ message: params.message, schema: params.requestedSchema })
      return person.answer(params.message)
    })
  }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--conditions=toolwright-source', SERVER],
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  await client.connect(transport)
  return { client, stderr: () => stderr }
}

const call = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> =>
  (await client.callTool({ name, arguments: args })) as CallToolResult
const accepts = (content: Record<string, string | number | boolean>) => (): ElicitResult => ({ action: 'accept', content })

describe.each(REVISIONS)('over stdio, revision %s', (revision) => {
  const person: Person = { answer: accepts({}), asked: [] }
  let alone: Connection
  let attended: Connection
  beforeAll(async () => {
    alone = await connect(revision)
    attended = await connect(revision, person)
  })
  afterAll(async () => {
    await alone.client.close()
    await attended.client.close()
  })
  const answering = (answer: Person['answer']): Client => {
    Object.assign(person, { answer, asked: [] })
    return attended.client
  }

  test('tools are listed with exact schemas and annotations that call nothing harmless that was not declared so [T3] [T10]', async () => {
    const { client } = alone
    const { tools } = await client.listTools()
    const byName = Object.fromEntries(tools.map((each) => [each.name, each]))
    expect(byName['find_order']).toMatchObject({
      description: 'Finds the latest order.',
      inputSchema: { type: 'object', properties: { email: { type: 'string', format: 'email' } }, required: ['email'] },
      outputSchema: { type: 'object', required: ['id', 'total'] },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    })
    expect(byName['pay']?.annotations).toEqual({ readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true })
    expect(byName['refund']?.inputSchema).toEqual(byName['find_order']?.inputSchema)
    expect(byName['shout']?.inputSchema).toMatchObject({ properties: { input: { type: 'string' } }, required: ['input'] })
    expect(byName['list']?.outputSchema).toMatchObject({ type: 'object', required: ['result'] })
  })

  test('a result has text, structured content and parts; a failure says what to do [T6]', async () => {
    const { client } = alone
    expect(await call(client, 'shout', { input: 'hello' })).toMatchObject({ content: [{ type: 'text', text: 'HELLO' }] })
    expect(await call(client, 'find_order', { email: 'a@b.co' })).toMatchObject({
      structuredContent: { id: 'order-of-a@b.co', total: 149.99 },
      content: [{ text: '{"id":"order-of-a@b.co","total":149.99}' }],
    })
    expect((await call(client, 'list', { input: '' })).structuredContent).toEqual({ result: [1, 2, 3] })
    expect((await call(client, 'picture', { input: '' })).content).toEqual([
      { type: 'text', text: 'a dot' },
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'memo://1', mimeType: 'text/plain', text: 'a memo' } },
      { type: 'resource_link', name: 'memo://2', uri: 'memo://2' },
    ])
    const wrong = await call(client, 'find_order', { email: 'nobody' })
    expect(wrong).toMatchObject({ isError: true, _meta: { 'toolwright/error': { code: 'invalid_input', outcome: 'not_started' } } })
    expect(JSON.stringify(wrong.content)).toContain('email')
    expect(await call(client, 'crashes', { input: '' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('the disk is full') }],
    })
    await expect(call(client, 'find_ordr')).rejects.toThrow("Did you mean 'find_order'?")
  })

  test('a gate in the middle of a compound asks the client’s user, and goes on as they decide [T14] [T15]', async () => {
    const client = answering(accepts({ decision: 'approve' }))
    expect(await call(client, 'refund', { email: 'a@b.co' })).toMatchObject({ structuredContent: { paid: 149.99 } })
    expect(person.asked).toMatchObject([
      { message: expect.stringMatching(/tool +pay@[^]*A refund above 100\.[^]*149\.99/), schema: { required: ['decision'] } },
    ])
  })

  test.each([
    ['edits', accepts({ decision: 'edit', input: '{"amount":40}' }), { structuredContent: { paid: 40 } }],
    ['edits badly', accepts({ decision: 'edit', input: '{amount' }), { isError: true }],
    [
      'edits to what does not fit',
      accepts({ decision: 'edit', input: '{"amount":-1}' }),
      { isError: true, content: [{ text: expect.stringContaining('amount') }] },
    ],
    [
      'rejects',
      accepts({ decision: 'reject', reason: 'fraud' }),
      { isError: true, content: [{ text: expect.stringMatching(/Rejected by reviewer[^]*fraud/) }] },
    ],
    [
      'stops the run',
      accepts({ decision: 'stop', reason: 'fraud' }),
      { isError: true, content: [{ text: expect.stringContaining('fraud') }] },
    ],
    ['declines', (): ElicitResult => ({ action: 'decline' }), { isError: true, content: [{ text: expect.stringContaining('declined') }] }],
    [
      'dismisses it',
      (): ElicitResult => ({ action: 'cancel' }),
      { isError: true, content: [{ text: expect.stringContaining('dismissed') }] },
    ],
  ])('a person who %s', async (_what, answer, expected) => {
    const client = answering(answer)
    expect(await call(client, 'refund', { email: 'a@b.co' })).toMatchObject(expected)
  })

  test('a client that cannot ask its user is told so, and nothing runs [T14]', async () => {
    const { client } = alone
    expect(await call(client, 'refund', { email: 'a@b.co' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('elicitation') }],
    })
  })

  test('a question that nobody can be asked goes unanswered, and the tool goes on [T16]', async () => {
    expect(await call(alone.client, 'asks', { input: 'Where to?' })).toMatchObject({ content: [{ text: 'nobody' }] })
  })

  test('two gates that are open at once are both asked', async () => {
    const client = answering((message) => ({
      action: 'accept',
      content: message.includes('The first') ? { decision: 'approve' } : { decision: 'edit', input: '{"amount":7}' },
    }))
    expect(await call(client, 'pay_twice', { orderId: 'o', amount: 5 })).toMatchObject({
      structuredContent: { one: { paid: 5 }, other: { paid: 7 } },
    })
    expect(person.asked.length).toBe(2)
  })

  test('a question to a person is a form with its fields, and the answer reaches the tool [T16]', async () => {
    const client = answering(accepts({ city: 'Oslo', nights: 3 }))
    expect(await call(client, 'asks', { input: 'Where to?' })).toMatchObject({ content: [{ text: '{"city":"Oslo","nights":3}' }] })
    expect(person.asked).toMatchObject([{ schema: { properties: { city: { type: 'string' }, nights: { type: 'number' } } } }])
  })

  test('what a tool prints does not reach the protocol; progress does', async () => {
    const { client, stderr } = alone
    const reports: unknown[] = []
    const running = client.callTool({ name: 'chatty', arguments: { input: 'x' } }, { onprogress: (report) => reports.push(report) })
    await expect
      .poll(() => reports)
      .toMatchObject([
        { progress: 1, total: 2, message: 'half' },
        { progress: 2, total: 2, message: 'all' },
      ])
    await call(client, 'release', { input: '' })
    expect((await running).content).toEqual([{ type: 'text', text: 'quiet' }])
    expect(stderr()).toMatch(/noise: x[^]*more noise/)
  })

  test('a cancelled request cancels the call', async () => {
    const { client, stderr } = alone
    const controller = new AbortController()
    const running = client.callTool({ name: 'hangs', arguments: { input: '' } }, { signal: controller.signal })
    running.catch(() => {})
    await expect.poll(stderr).toContain('hanging')
    controller.abort()
    await expect(running).rejects.toThrow(/abort/i)
    await expect.poll(stderr).toContain('let go')
    expect(await call(client, 'shout', { input: 'still here' })).toMatchObject({ content: [{ text: 'STILL HERE' }] })
  })
})
