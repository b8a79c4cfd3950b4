import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fallback } from '../../../combinators/fallback/fallback.ts'
import type { McpToolMetadata } from '../../../runtime/mcp-server-entry.ts'
import { tool } from '../../../tool/tool.ts'
import { connectMcp, type McpConnection } from './connect-mcp.ts'
import type { ConnectMcpOptions } from './connect-options.ts'

interface Answer {
  readonly status?: number
  /** A text, or a message of JSON-RPC: with the id of the call unless it says another one. */
  readonly body?: string | Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

interface Bank {
  readonly connect: (metadata?: McpToolMetadata, more?: object) => Promise<McpConnection>
  readonly calls: unknown[]
  /** Where each request went, with its method. */
  readonly asked: string[]
  readonly list: { name: string }[]
}

const PAID: Answer = { body: { result: { content: [{ type: 'text', text: 'paid' }] } } }
const failed = (code: number, message: string, more: object = {}): Answer => ({ body: { error: { code, message, ...more } } })

interface Script {
  readonly script: readonly Answer[]
  readonly session?: boolean
  /** The path to which everything at another one is led. */
  readonly moved?: string
}

/** A server that answers its calls as the script says, then with success. */
async function bank({ script, session = false, moved }: Script): Promise<Bank> {
  const calls: unknown[] = []
  const asked: string[] = []
  const list = [{ name: 'pay', inputSchema: { type: 'object' } }]
  let sessions = 0
  const results: Readonly<Record<string, () => object>> = {
    initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } }),
    'tools/list': () => ({ tools: list }),
  }
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end()
      const { id, method = '', params } = JSON.parse(text) as { id?: unknown; method?: string; params?: unknown }
      const headers = {
        'content-type': 'application/json',
        ...(session && method === 'initialize' ? { 'mcp-session-id': `s${++sessions}` } : {}),
      }
      const reply = ({ status = 200, body = '', headers: more }: Answer): unknown =>
        response
          .writeHead(status, { ...headers, ...more })
          .end(typeof body === 'string' ? body : JSON.stringify({ jsonrpc: '2.0', id, ...body }))
      asked.push(`${method} ${request.url}`)
      if (moved !== undefined && request.url !== moved) return reply({ status: 307, headers: { location: moved } })
      if (id === undefined) return response.writeHead(202).end()
      if (method === 'tools/call') {
        calls.push(params)
        return reply(script[calls.length - 1] ?? PAID)
      }
      const result = results[method]?.()
      return reply(result === undefined ? failed(-32601, 'No such method') : { body: { result } })
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp`
  const connect = async (metadata?: McpToolMetadata, more: object = {}): Promise<McpConnection> => {
    const options = { name: 'bank', url, ...more, ...(metadata === undefined ? {} : { metadata: { pay: metadata } }) }
    const connection = await connectMcp(options as ConnectMcpOptions)
    onTestFinished(() => connection.close())
    return connection
  }
  return { connect, calls, asked, list }
}

describe('an error of JSON-RPC', () => {
  test.each([-32_700, -32_600, -32_601, -32_602, -32_603, -32_042, -32_000])(
    '%i does not say that a tool with effects has done nothing',
    async (code) => {
      const { connect } = await bank({ script: [failed(code, 'Output validation error: no structured content')] })
      const result = await (await connect()).tool('pay').call({})
      expect(result).toMatchObject({ ok: false, error: { outcome: 'unknown', hint: expect.stringContaining('Check that') as string } })
    },
  )

  test('of a tool that only reads says what it said', async () => {
    const { connect } = await bank({ script: [failed(-32_602, 'Wrong input')] })
    const read = (await connect({ effect: 'read' })).tool('pay')
    expect(await read.call({})).toMatchObject({ error: { code: 'invalid_request', outcome: 'not_started' } })
  })

  test('that names the tool unknown is believed only if the list no longer has the tool', async () => {
    const unknown = failed(-32_602, 'Tool pay not found')
    const { connect, list } = await bank({ script: [unknown, failed(-32_602, 'Wrong card'), unknown] })
    const pay = (await connect()).tool('pay')
    expect(await pay.call({})).toMatchObject({ error: { code: 'invalid_request', outcome: 'unknown' } })
    list.length = 0
    expect(await pay.call({})).toMatchObject({ error: { code: 'invalid_request', outcome: 'unknown' } })
    expect(await pay.call({})).toMatchObject({ error: { code: 'unknown_tool', outcome: 'not_started' } })
  })

  test('stops a fallback: another level would do it again', async () => {
    const { connect } = await bank({ script: [failed(-32_602, 'Tool pay has an output schema but no structured content was provided')] })
    let others = 0
    const other = tool({
      name: 'other',
      description: 'Pays otherwise.',
      inputSchema: { type: 'object' },
      effect: 'irreversible',
      execute: () => `paid ${++others}`,
    })
    expect((await fallback({ name: 'pays', description: 'Pays.' }, [(await connect()).tool('pay'), other]).call({})).ok).toBe(false)
    expect(others).toBe(0)
  })
})

describe('a status of HTTP', () => {
  const transport = { body: { id: null, error: { code: -32_000, message: 'Not acceptable' } } }
  test.each<readonly [number, string, string, Partial<Answer>]>([
    ...[400, 404, 405, 406, 413, 415, 500].map((status) => [status, 'with a text', 'unknown', { body: 'Paid, but no receipt' }] as const),
    ...[400, 404, 406, 413, 415].map((status) => [status, 'of the transport', 'not_started', transport] as const),
    [400, 'with the id of the call', 'unknown', failed(-32_000, 'Paid')],
    [400, 'without an id, of the inside', 'unknown', { body: { id: null, error: { code: -32_603, message: 'oh' } } }],
    [500, 'without an id', 'unknown', transport],
    [401, 'with a challenge', 'not_started', { body: 'no', headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }],
    [403, 'with a challenge', 'not_started', { body: 'no', headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } }],
    ...[401, 403].map((status) => [status, 'of the transport', 'not_started', transport] as const),
    ...[401, 403].map((status) => [status, 'with a text', 'unknown', { body: 'Paid, but you may not read the receipt' }] as const),
    ...[401, 403].map((status) => [status, 'without a word', 'unknown', {}] as const),
  ])('%i %s: the outcome of an effect is %s', async (status, _what, outcome, answer) => {
    const { connect } = await bank({ script: [{ status, ...answer }] })
    expect(await (await connect()).tool('pay').call({})).toMatchObject({ ok: false, error: { outcome } })
  })
})

test.each([421, 408, 425, 429, 503])('%i does not make a call be sent again [T10]', async (status) => {
  const { connect, calls } = await bank({ script: [{ status, body: 'Paid.', headers: { 'retry-after': '0' } }] })
  const result = await (await connect()).tool('pay').call({ to: 'Ümit "method":"tools/call"' })
  expect(result).toMatchObject({ ok: false, error: { outcome: 'unknown' } })
  expect(calls).toMatchObject([{ arguments: { to: 'Ümit "method":"tools/call"' } }])
})

test.each<readonly [string, Answer]>([
  ['202', { status: 202 }],
  ['an empty list', { body: '[]' }],
  ['the answer to another call', { body: { id: 'other', result: { content: [] } } }],
  ['an error of nothing', { body: { id: undefined, error: { code: -32_000, message: 'Oh' } } }],
  ['a notification', { body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } }) }],
])('an answer that has no answer in it fails at once: %s [T10]', async (_what, answer) => {
  const { connect, calls } = await bank({ script: [answer] })
  const result = await (await connect()).tool('pay').call({}, { deadline: '1h' })
  expect(result).toMatchObject({ ok: false, error: { code: 'service_unavailable', outcome: 'unknown' } })
  expect(calls).toHaveLength(1)
})

describe('a call that is denied', () => {
  const challenge = { 'www-authenticate': 'Bearer error="invalid_token"' }
  const shown = { status: 401, headers: challenge }
  const bare = { status: 401, body: 'Paid.' }
  const unknown = { ok: false, error: { outcome: 'unknown' } }
  test.each<readonly [string, readonly Answer[], McpToolMetadata, { readonly sent: number; readonly result: object }]>([
    ['with a challenge is sent again with a new token', [shown], {}, { sent: 2, result: { ok: true } }],
    ['without a challenge may have run, and is sent once', [bare], {}, { sent: 1, result: unknown }],
    ['without a challenge at the second time may have run', [shown, bare], {}, { sent: 2, result: unknown }],
    ['without a challenge is sent again if it only reads', [bare], { effect: 'read' }, { sent: 2, result: { ok: true } }],
    ['without a challenge is sent again if it has keys', [bare], { idempotent: 'keyed' }, { sent: 2, result: { ok: true } }],
  ])('%s [T10]', async (_what, script, metadata, { sent, result }) => {
    const { connect, calls } = await bank({ script })
    let renewed = 0
    const auth = { token: async () => `token ${renewed}`, onUnauthorized: async () => void renewed++ }
    const pay = (await connect({ effect: 'irreversible', ...metadata }, { auth })).tool('pay')
    expect(await pay.call({})).toMatchObject(result)
    expect(calls).toHaveLength(sent)
    // The next call has a new token.
    expect(renewed).toBe(1)
    expect(await pay.call({})).toMatchObject({ ok: true, text: 'paid' })
    expect(renewed).toBe(1)
  })

  test('by a provider that has no new token may have run, unless there is a challenge', async () => {
    const { connect } = await bank({ script: [bare, shown] })
    const pay = (await connect({}, { auth: { token: async () => 'a token' } })).tool('pay')
    expect(await pay.call({})).toMatchObject({ ok: false, error: { outcome: 'unknown' } })
    expect(await pay.call({})).toMatchObject({ ok: false, error: { outcome: 'not_started' } })
  })

  test('without a challenge stops a fallback: another level would do it again', async () => {
    const { connect } = await bank({ script: [{ status: 403, body: 'The answer is blocked.' }] })
    let others = 0
    const other = tool({
      name: 'other',
      description: 'Pays otherwise.',
      inputSchema: { type: 'object' },
      effect: 'irreversible',
      execute: () => `paid ${++others}`,
    })
    expect((await fallback({ name: 'pays', description: 'Pays.' }, [(await connect()).tool('pay'), other]).call({})).ok).toBe(false)
    expect(others).toBe(0)
  })
})

describe('a session that is forgotten', () => {
  const gone: Answer = { status: 404, body: 'gone' }
  test.each<readonly [string, Answer, McpToolMetadata, { readonly sent: number; readonly result: object }]>([
    ['is no reason to send an irreversible call again', gone, {}, { sent: 1, result: { error: { outcome: 'unknown' } } }],
    [
      'says that the call was not looked at, where it does not know its id',
      { status: 404, body: { id: null, error: { code: -32_001, message: 'Session not found' } } },
      {},
      { sent: 1, result: { error: { code: 'service_unavailable', outcome: 'not_started', retryable: true } } },
    ],
    ['is repaired for a tool that reads', gone, { effect: 'read' }, { sent: 2, result: { ok: true } }],
    ['is repaired for a tool with keys', gone, { effect: 'irreversible', idempotent: 'keyed' }, { sent: 2, result: { ok: true } }],
    [
      'is not meant by an error of the call',
      { ...gone, ...failed(-32_000, 'No order 7') },
      { effect: 'read' },
      { sent: 1, result: { ok: false } },
    ],
    [
      'is not meant by a tool that speaks of one',
      { status: 400, ...failed(-32_000, 'Paid. Session closed') },
      {},
      { sent: 1, result: { ok: false } },
    ],
    [
      'is not meant by the data of an error',
      failed(-32_000, 'Paid', { data: { status: 404 } }),
      { idempotent: true },
      { sent: 1, result: { ok: false } },
    ],
  ])('%s', async (_what, answer, metadata, { sent, result }) => {
    const { connect, calls } = await bank({ script: [answer], session: true })
    const pay = (await connect(metadata)).tool('pay')
    expect(await pay.call({})).toMatchObject(result)
    expect(calls).toHaveLength(sent)
    expect(await pay.call({})).toMatchObject({ ok: true, text: 'paid' })
  })
})

describe('a redirect', () => {
  test.each([
    ['307 to itself', 307, '/mcp', 'irreversible'],
    ['307 elsewhere on it', 307, '/other', 'irreversible'],
    ['308 elsewhere on it', 308, '/other', 'write'],
    ['307 of a tool that reads', 307, '/other', 'read'],
    ['307 to nowhere', 307, 'http://[', 'write'],
  ] as const)('of a call is not followed: it is sent once [T10] (%s)', async (_, status, location, effect) => {
    const { connect, calls, asked } = await bank({ script: Array.from({ length: 8 }, () => ({ status, headers: { location } })) })
    const result = await (await connect({ effect })).tool('pay').call({ amount: 1 })
    expect(result).toMatchObject({ ok: false, error: { outcome: 'unknown' } })
    expect(result.text).toContain('redirect')
    expect(calls).toHaveLength(1)
    expect(asked.filter((each) => each.startsWith('tools/call'))).toEqual(['tools/call /mcp'])
  })

  test('of the whole endpoint is learned before the first call, which is sent to the new address alone [T10]', async () => {
    const { connect, calls, asked } = await bank({ script: [], moved: '/mcp/' })
    const result = await (await connect()).tool('pay').call({ amount: 1 })
    expect(result).toMatchObject({ ok: true, text: 'paid' })
    expect(calls).toHaveLength(1)
    expect(asked.filter((each) => each.startsWith('tools/call'))).toEqual(['tools/call /mcp/'])
  })
})
