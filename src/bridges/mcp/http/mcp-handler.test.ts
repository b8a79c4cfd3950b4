import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { beginSession, httpClient, listening, rawPost, replyOf, statelessRequest } from '../../../../test/fixtures/mcp/over-http.ts'
import type { Revision } from '../../../../test/fixtures/mcp/raw-client.ts'
import { gate } from '../../../combinators/gate/gate.ts'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { tool } from '../../../tool/tool.ts'
import { type McpHandler, mcpHandler, type McpHandlerOptions } from './mcp-handler.ts'

const REVISIONS: readonly Revision[] = ['2025-11-25', '2026-07-28']
const echo = tool({
  name: 'echo',
  description: 'Says it again.',
  inputSchema: z.object({ text: z.string() }),
  effect: 'read',
  execute: ({ text }) => text,
})
const pay = gate(tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: (to) => `Paid ${to}.` }))

async function endpoint(options: Partial<McpHandlerOptions> = {}): Promise<McpHandler> {
  const mcp = await mcpHandler({ tools: [echo, pay], ...options })
  onTestFinished(() => mcp.close())
  return mcp
}

async function served(options: Partial<McpHandlerOptions> = {}): Promise<string> {
  return listening((await endpoint(options)).node)
}

/** Every server takes the handler in one line. */
const SERVERS: Readonly<Record<string, (mcp: McpHandler) => Promise<string>>> = {
  'node:http': ({ node }) => listening(node),
  express: ({ node }) => listening(express().all('/mcp', node)),
  'express, which parses bodies': ({ node }) => listening(express().use(express.json()).all('/mcp', node)),
  fastify: async ({ node }) => {
    const app = fastify({ forceCloseConnections: true })
    app.all('/mcp', (request, reply) => node(request.raw, reply.hijack().raw, request.body))
    onTestFinished(() => app.close())
    return `${await app.listen({ port: 0, host: '127.0.0.1' })}/mcp`
  },
  hono: ({ fetch }) => {
    const app = new Hono().all('/mcp', ({ req }) => fetch(req.raw))
    return listening((incoming, outgoing) => void relay(incoming, outgoing, app.fetch))
  },
}

async function collected(stream: AsyncIterable<unknown>): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return chunks
}

/** Hono has its requests from the runtime that it runs on. */
async function relay(
  incoming: Parameters<McpHandler['node']>[0],
  outgoing: Parameters<McpHandler['node']>[1],
  answer: (request: Request) => Response | Promise<Response>,
): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  const chunks = await collected(incoming)
  const { method = 'GET', url = '/' } = incoming
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)])
  const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }
  const response = await answer(new Request(`http://${incoming.headers.host}${url}`, { method, headers, signal: gone.signal, ...body }))
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).flushHeaders()
  const reader = response.body?.getReader()
  outgoing.once('close', () => void reader?.cancel())
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) outgoing.write(read.value)
  outgoing.end()
}

describe.each(REVISIONS)('revision %s', (revision) => {
  test.each(Object.keys(SERVERS))('%s serves tools and asks the user [T10] [X6]', async (name) => {
    const url = await SERVERS[name]?.(await endpoint())
    const answer = () => ({ action: 'accept', content: { decision: 'approve' } }) as const
    const client = await httpClient(url ?? '', revision, { answer })
    expect((await client.listTools()).tools.map((each) => each.name)).toEqual(['echo', 'pay'])
    expect(await client.callTool({ name: 'echo', arguments: { text: 'hi' } })).toMatchObject({ content: [{ text: 'hi' }] })
    expect(await client.callTool({ name: 'pay', arguments: { input: 'ada' } })).toMatchObject({ content: [{ text: 'Paid ada.' }] })
  })

  test('progress reaches the client before the result [T10]', async () => {
    const steps = tool({
      name: 'steps',
      description: 'Goes.',
      effect: 'read',
      execute: async (_input: string, { progress }) => {
        progress({ message: 'one', progress: 1, total: 2 })
        await new Promise((resolve) => setImmediate(resolve))
        return 'done'
      },
    })
    const client = await httpClient(await served({ tools: [steps] }), revision)
    const told: unknown[] = []
    await client.callTool({ name: 'steps', arguments: { input: '' } }, { onprogress: ({ message }) => told.push(message) })
    expect(told).toContain('one')
  })

  test('a changed list of tools is announced [T10]', async () => {
    const mcp = await endpoint()
    const client = await httpClient(await listening(mcp.node), revision)
    const changed = Promise.withResolvers<void>()
    client.setNotificationHandler('notifications/tools/list_changed', () => changed.resolve())
    if (revision === '2026-07-28') await client.listen({ toolsListChanged: true })
    await client.listTools()
    const later = tool({ name: 'later', description: 'Comes later.', effect: 'read', execute: () => 'late' })
    await mcp.setTools([echo, later])
    await changed.promise
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'later'])
    expect(await client.callTool({ name: 'later', arguments: {} })).toMatchObject({ content: [{ text: 'late' }] })
  })

  test('a long list comes in pages, and a cursor that nobody gave out is refused [T10]', async () => {
    const tools = Array.from({ length: 7 }, (_each, index) =>
      tool({ name: `t${index}`, description: 'One.', effect: 'read', execute: () => '' }),
    )
    const client = await httpClient(await served({ tools, pageSize: 3 }), revision)
    const request = (cursor?: string) => client.request({ method: 'tools/list', params: cursor === undefined ? {} : { cursor } })
    const first = await request()
    expect(first.tools).toHaveLength(3)
    const second = await request(first.nextCursor)
    expect(second.tools.map(({ name }) => name)).toEqual(['t3', 't4', 't5'])
    expect(await request(second.nextCursor)).toEqual(expect.objectContaining({ tools: [expect.objectContaining({ name: 't6' })] }))
    await expect(request('bm9uZQ')).rejects.toThrow('cursor is not valid')
  })

  test('resources are listed and read for the caller [T10]', async () => {
    const url = await served({
      principal: { id: 'ada', permissions: [] },
      resources: {
        list: ({ principal }) => [{ uri: `notes://${principal?.id}`, name: 'notes' }],
        templates: () => [{ uriTemplate: 'notes://{who}', name: 'notes' }],
        read: (uri) => (uri === 'notes://ada' ? [{ text: 'Hello.' }, { bytes: new Uint8Array([1, 2]) }] : undefined),
      },
    })
    const client = await httpClient(url, revision)
    expect((await client.listResources()).resources).toMatchObject([{ uri: 'notes://ada' }])
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([{ uriTemplate: 'notes://{who}' }])
    expect((await client.readResource({ uri: 'notes://ada' })).contents).toMatchObject([{ text: 'Hello.' }, { blob: 'AQI=' }])
    await expect(client.readResource({ uri: 'notes://eve' })).rejects.toThrow('notes://eve')
  })
})

test('a stream that was cut is taken up again where it was cut [T10]', async () => {
  const go = Promise.withResolvers<string>()
  const slow = tool({ name: 'slow', description: 'Takes time.', effect: 'read', execute: () => go.promise })
  const url = await served({ tools: [slow] })
  const session = { 'mcp-session-id': await beginSession(url), 'mcp-protocol-version': '2025-11-25' }
  const cut = new AbortController()
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...session }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'slow', arguments: {} } })
  const response = await fetch(url, { method: 'POST', headers, body, signal: cut.signal })
  const { value } = (await response.body?.getReader().read()) ?? {}
  const lastEvent = /^id: (.+)$/m.exec(new TextDecoder().decode(value))?.[1] ?? ''
  cut.abort()
  go.resolve('late')
  const resumed = await fetch(url, { headers: { accept: 'text/event-stream', 'last-event-id': lastEvent, ...session } })
  expect(await replyOf(resumed)).toMatchObject({ status: 200, message: { id: 7, result: { content: [{ text: 'late' }] } } })
  const other = { ...session, 'mcp-session-id': await beginSession(url) }
  expect((await fetch(url, { headers: { accept: 'text/event-stream', 'last-event-id': lastEvent, ...other } })).status).toBe(400)
})

test('a session ends by DELETE, when nobody uses it, and when there are too many', async () => {
  const clock = fakeClock()
  const url = await served({ clock, limits: { sessions: 2, sessionIdle: '10m' } })
  const list = async (id: string) =>
    (await rawPost(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }), { 'mcp-session-id': id })).status
  const first = await beginSession(url)
  expect(await list(first)).toBe(200)
  expect((await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': first } })).status).toBe(200)
  expect(await list(first)).toBe(404)
  const second = await beginSession(url)
  await clock.advance(600_001)
  expect(await list(second)).toBe(404)
  const [oldest, newer] = [await beginSession(url), await beginSession(url)]
  const newest = await beginSession(url)
  expect(await Promise.all([oldest, newer, newest].map(list))).toEqual([404, 200, 200])
})

test('a session with an open stream is in use, however long nothing happens on it', async () => {
  const clock = fakeClock()
  const url = await served({ clock, limits: { sessionIdle: '10m' } })
  const session = { 'mcp-session-id': await beginSession(url) }
  const stream = await fetch(url, { headers: { accept: 'text/event-stream', ...session } })
  await clock.advance(1_200_000)
  expect((await rawPost(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }), session)).status).toBe(200)
  await stream.body?.cancel()
})

test('a session that could not begin takes no place of another', async () => {
  const url = await served({ limits: { sessions: 2 } })
  const first = await beginSession(url)
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } }
  const begin = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  expect((await rawPost(url, begin, { accept: 'text/plain' })).status).toBe(406)
  await beginSession(url)
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  expect((await rawPost(url, list, { 'mcp-session-id': first })).status).toBe(200)
})

describe('what is refused', () => {
  const deep = `${'['.repeat(200)}${']'.repeat(200)}`
  const call = (text: string) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text } } })

  test.each<[string, string, number, RegExp]>([
    ['a batch', `[${call('a')}]`, 400, /batches are not served/],
    ['no JSON', '{"jsonrpc"', 400, /not valid JSON/],
    ['no object', '7', 400, /one JSON object/],
    ['a deep message', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":${deep}}}`, 400, /nested deeper than 100/],
    ['a large message', call('x'.repeat(5000)), 413, /larger than 4096 bytes/],
    ['no session', call('a'), 400, /Mcp-Session-Id/],
  ])('%s', async (_what, body, status, message) => {
    const reply = await rawPost(await served({ limits: { bodyBytes: 4096 } }), body)
    expect(reply).toMatchObject({ status, message: { error: { message: expect.stringMatching(message) } } })
  })

  test('a body that says how large it is, before it comes, and one that does not say it, while it comes', async () => {
    const mcp = await endpoint({ limits: { bodyBytes: 4096 } })
    let read = 0
    const ask = async (chunks: number, headers: Readonly<Record<string, string>>): Promise<number> => {
      read = 0
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            if (read === chunks) return controller.close()
            read++
            controller.enqueue(Buffer.alloc(1024, 'x'))
          },
        },
        { highWaterMark: 0 },
      )
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body, duplex: 'half' } as const
      return (await mcp.fetch(new Request('http://localhost/mcp', init))).status
    }
    expect([await ask(100, { 'content-length': '102400' }), read]).toEqual([413, 0])
    expect([await ask(100, {}), read]).toEqual([413, 5])
  })

  test('other hosts and origins, unless they are allowed', async () => {
    const mcp = await endpoint()
    const ask = (host: string, origin?: string) =>
      mcp.fetch(new Request(`http://${host}/mcp`, { method: 'OPTIONS', headers: origin === undefined ? {} : { origin } }))
    expect((await ask('localhost:3000')).status).toBe(204)
    expect((await ask('[::1]:3000', 'http://localhost:5173')).headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
    expect((await ask('evil.example')).status).toBe(403)
    expect((await ask('localhost', 'https://evil.example')).status).toBe(403)
    expect((await ask('localhost', 'null')).status).toBe(403)
    const other = await endpoint({ allowedHosts: ['tools.example'], allowedOrigins: ['app.example'] })
    const headers = { origin: 'https://app.example' }
    expect((await other.fetch(new Request('https://tools.example/mcp', { method: 'OPTIONS', headers }))).status).toBe(204)
  })

  test('a client that asks too often, or too much at once, is told when to come again', async () => {
    const clock = fakeClock()
    const rated = await served({ clock, limits: { rate: { calls: 2, per: '1m' } } })
    const statuses = async (url: string) => (await statelessRequest(url, 'tools/list')).status
    expect([await statuses(rated), await statuses(rated), await statuses(rated)]).toEqual([200, 200, 429])
    expect((await statelessRequest(rated, 'tools/list')).headers.get('retry-after')).toBe('60')
    await clock.advance(60_001)
    expect(await statuses(rated)).toBe(200)
    const go = Promise.withResolvers<string>()
    const wait = tool({ name: 'wait', description: 'Waits.', effect: 'read', execute: () => go.promise })
    const narrow = await served({ tools: [wait], limits: { concurrency: 1 } })
    const first = statelessRequest(narrow, 'tools/call', { name: 'wait', arguments: {} })
    await expect.poll(() => statuses(narrow)).toBe(429)
    go.resolve('done')
    expect((await first).status).toBe(200)
    await expect.poll(() => statuses(narrow)).toBe(200)
  })

  test.each(['PUT', 'PATCH', 'HEAD'])('the method %s, with those that are taken', async (method) => {
    const { status, headers } = await fetch(await served(), { method })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST, DELETE'])
  })

  test('a body that does not come', async () => {
    const clock = fakeClock()
    const url = new URL(await served({ clock, limits: { bodyTimeout: '5s' } }))
    const socket = connect(Number(url.port), url.hostname)
    const head = ['POST /mcp HTTP/1.1', `Host: ${url.host}`, 'Content-Type: application/json', 'Content-Length: 100', '', '{"json']
    socket.write(head.join('\r\n'))
    const answered = collected(socket)
    await expect.poll(() => clock.pending()).toBeGreaterThan(0)
    await clock.advance(5001)
    expect(Buffer.concat(await answered).toString()).toMatch(/^HTTP\/1.1 408 [\s\S]*did not arrive within 5000 ms/)
  })

  test.each<[Partial<McpHandlerOptions>, RegExp]>([
    [{ limits: { sessions: 0 } }, /'sessions' of 'limits'/],
    [{ limits: { bodyByte: 7 } as never }, /bodyBytes/],
    [{ allowedHosts: ['https://tools.example'] }, /without a scheme/],
    [{ path: 'mcp' }, /'path' of mcpHandler/],
    [{ auth: { authenticate: 'yes' } as never }, /'auth' of mcpHandler/],
    [{ pageSize: 0 }, /'pageSize'/],
    [{ limit: {} } as never, /limits/],
  ])('options such as %j', async (options, message) => {
    await expect(mcpHandler({ tools: [echo], ...options })).rejects.toThrow(message)
  })
})

test('a failure inside names nothing of the inside', async () => {
  const url = await served({
    auth: () => {
      throw new Error('password=secret')
    },
    log: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
  })
  const reply = await statelessRequest(url, 'tools/list')
  expect(reply.status).toBe(500)
  expect(reply.text).not.toContain('secret')
})

test('an error of a program tells the client nothing but that there is one', async () => {
  const warnings: string[] = []
  const log = { trace() {}, debug() {}, info() {}, error() {}, warn: (_fields: object, message: string) => void warnings.push(message) }
  const read = () => {
    throw new Error('password=secret')
  }
  const reply = await statelessRequest(
    await served({ resources: { read }, log }),
    'resources/read',
    { uri: 'x://y' },
    { 'mcp-name': 'x://y' },
  )
  expect(reply.message?.error).toEqual({ code: -32603, message: 'The server failed. Its log has the reason.' })
  expect(warnings).toEqual(['MCP: resources/read failed: password=secret'])
})

test('only the path that is named is served', async () => {
  const url = await served({ path: '/mcp' })
  expect((await statelessRequest(url, 'tools/list')).status).toBe(200)
  expect((await statelessRequest(url.replace('/mcp', '/other'), 'tools/list')).status).toBe(404)
})

test('close lets what is under way end, takes nothing new, and ends streams [X6]', async () => {
  const [go, begun] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()]
  const wait = tool({
    name: 'wait',
    description: 'Waits.',
    effect: 'read',
    execute: () => {
      begun.resolve()
      return go.promise
    },
  })
  const mcp = await mcpHandler({ tools: [wait] })
  const url = await listening(mcp.node)
  const id = await beginSession(url)
  const stream = await fetch(url, { headers: { accept: 'text/event-stream', 'mcp-session-id': id } })
  const call = statelessRequest(url, 'tools/call', { name: 'wait', arguments: {} })
  await begun.promise
  const closed = mcp.close({ drain: '20s' })
  expect((await statelessRequest(url, 'tools/list')).status).toBe(503)
  go.resolve('done')
  expect((await call).message?.result).toMatchObject({ content: [{ text: 'done' }] })
  await closed
  await stream.text()
  expect((await statelessRequest(url, 'tools/list')).status).toBe(503)
  expect((await fetch(url, { headers: { accept: 'text/event-stream', 'mcp-session-id': id } })).status).toBe(503)
})

test('close ends calls that would not end', async () => {
  const wait = tool({ name: 'wait', description: 'Waits.', effect: 'read', execute: () => new Promise<string>(() => {}) })
  const mcp = await mcpHandler({ tools: [wait] })
  const server = createServer(mcp.node)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const session = { 'mcp-session-id': await beginSession(url) }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait', arguments: {} } })
  const calls = [statelessRequest(url, 'tools/call', { name: 'wait', arguments: {} }), rawPost(url, body, session)].map((each) =>
    each.catch(() => 'cut'),
  )
  await expect
    .poll(() => new Promise<number>((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count)))))
    .toBeGreaterThanOrEqual(2)
  await mcp.close()
  await Promise.all(calls)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
