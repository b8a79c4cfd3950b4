import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { everythingOverHttp } from '../../../../test/fixtures/mcp/reference-servers.ts'
import { gate } from '../../../combinators/gate/gate.ts'
import { autoReview } from '../../../review/auto-review.ts'
import { tool } from '../../../tool/tool.ts'
import { createMcpServer } from '../create-mcp-server.ts'
import { connectMcp, type McpConnection } from './connect-mcp.ts'
import type { ConnectMcpOptions } from './connect-options.ts'

async function served(listener: RequestListener): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return { server, url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/mcp` }
}

async function connected(url: string, options: Partial<ConnectMcpOptions> = {}): Promise<McpConnection> {
  const connection = await connectMcp({ name: 'web', url, connectTimeout: '5s', ...options } as ConnectMcpOptions)
  onTestFinished(() => connection.close())
  return connection
}

const charge = tool({
  name: 'charge',
  description: 'Charges a card.',
  inputSchema: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
  effect: 'irreversible',
  execute: ({ amount }: { amount?: unknown }) => `charged ${String(amount)}`,
})
const missing = tool({
  name: 'missing',
  description: 'Fails.',
  effect: 'read',
  execute: (): string => {
    throw Object.assign(new Error('No such order.'), { status: 404 })
  },
})

describe('a server of ours in revision 2026-07-28', () => {
  async function ours(): Promise<McpConnection> {
    const { newServer, close } = await createMcpServer({ tools: [gate(charge, { approval: true }), missing], name: 'ours' })
    onTestFinished(close)
    const { url } = await served(toNodeHandler(createMcpHandler(newServer)) as RequestListener)
    return connected(url)
  }

  test('a gate there asks the reviewer here, for each of several calls its own [X6]', async () => {
    const web = await ours()
    expect(web.info()?.revision).toBe('2026-07-28')
    const asked: string[] = []
    const answering = (name: string, action: 'continue' | 'reject') =>
      autoReview((request) => {
        asked.push(`${name}: ${request.why.includes('charge')}`)
        return { action }
      })
    const [yes, no, nobody] = await Promise.all([
      web.tool('charge').call({ amount: 1 }, { review: answering('ann', 'continue') }),
      web.tool('charge').call({ amount: 2 }, { review: answering('ben', 'reject') }),
      web.tool('charge').call({ amount: 3 }),
    ])
    expect(yes).toMatchObject({ ok: true, text: 'charged 1' })
    expect(no).toMatchObject({ ok: false, error: { code: 'rejected', class: 'rejected', outcome: 'not_started' } })
    expect(nobody).toMatchObject({ ok: false, error: { class: 'rejected', outcome: 'not_started' } })
    expect(asked.toSorted()).toEqual(['ann: true', 'ben: true'])
  })

  test('a failure there has the same code and class here', async () => {
    expect(await (await ours()).tool('missing').call({ input: '' })).toMatchObject({
      error: { code: 'not_found', class: 'not_found', outcome: 'failed' },
    })
  })
})

describe('a server in revision 2026-07-28 that is gone', () => {
  async function gone(options: Partial<ConnectMcpOptions>): Promise<{ readonly web: McpConnection; readonly back: () => Promise<void> }> {
    const { newServer, close } = await createMcpServer({ tools: [missing, charge], name: 'ours' })
    onTestFinished(close)
    const listener = toNodeHandler(createMcpHandler(newServer)) as RequestListener
    const { url, server } = await served(listener)
    const web = await connected(url, options)
    expect(web.info()?.revision).toBe('2026-07-28')
    expect(await web.tool('charge').call({ amount: 1 })).toMatchObject({ ok: true })
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    const back = async (): Promise<void> => {
      const again = createServer(listener).listen(Number(new URL(url).port), '127.0.0.1')
      await once(again, 'listening')
      onTestFinished(() => {
        again.closeAllConnections()
        again.close()
      })
    }
    return { web, back }
  }

  test('is nothing for clients over a network: its address is in the log alone', async () => {
    const { web } = await gone({ random: () => 1 })
    const told: string[] = []
    for (let call = 0; call < 4; call++) {
      const result = await web.tool('charge').call({ amount: 1 })
      expect(result).toMatchObject({ error: { code: 'service_unavailable', internal: true } })
      told.push(result.text)
    }
    expect(told.join('\n')).toMatch(/tools of MCP server 'web' could not be listed: fetch failed/)
  })

  test('is not tried again before a pause that the failure names, and is found again after it', async () => {
    const { web, back } = await gone({ random: () => 1 })
    const failures: (number | undefined)[] = []
    for (let call = 0; call < 6; call++) {
      const result = await web.tool('charge').call({ amount: 1 })
      failures.push(result.ok ? undefined : result.error.retryAfterMs)
    }
    expect(failures.at(-1)).toBeGreaterThan(0)
    await back()
    await new Promise((resolve) => setTimeout(resolve, failures.at(-1)))
    expect(await web.tool('charge').call({ amount: 2 })).toMatchObject({ ok: true, text: 'charged 2' })
  })
})

describe('the reference server over streamable HTTP', () => {
  test('is called, asks, and is found again after it was started anew', async () => {
    const first = await everythingOverHttp()
    onTestFinished(first.stop)
    const web = await connected(first.url)
    expect(web.info()?.revision).toBe('2025-11-25')
    const review = autoReview(() => ({ action: 'answer', value: { name: 'Ada' } }))
    const [asked, slow] = await Promise.all([
      web.tool('trigger-elicitation-request').call({}, { review }),
      web.tool('trigger-long-running-operation').call({ duration: 1, steps: 2 }),
    ])
    expect(asked.text).toContain('Ada')
    expect(slow).toMatchObject({ ok: true })
    await first.stop()
    expect(await web.tool('echo').call({ message: 'x' })).toMatchObject({ error: { code: 'service_unavailable', outcome: 'not_started' } })
    const second = await everythingOverHttp(first.port)
    onTestFinished(second.stop)
    expect(await web.tool('echo').call({ message: 'back' })).toMatchObject({ ok: true, text: 'Echo: back' })
  })
})

describe('an address', () => {
  const answers =
    (on: Readonly<Record<string, RequestListener>>): RequestListener =>
    (request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        const { id, method = '' } = (body === '' ? {} : JSON.parse(body)) as { id?: number; method?: string }
        const reply = (result: object): void => {
          response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...result }))
        }
        if (request.method !== 'POST') response.writeHead(405).end()
        else if (on[method] !== undefined) on[method](Object.assign(request, { id }), response)
        else if (method === 'initialize')
          reply({ result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } } })
        else if (method === 'tools/list') reply({ result: { tools: [{ name: 'act', inputSchema: { type: 'object' } }] } })
        else if (id === undefined) response.writeHead(202).end()
        else reply({ error: { code: -32601, message: 'No such method' } })
      })
    }
  const begin: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n')
  }

  test.each<readonly [string, RequestListener, object]>([
    [
      'breaks the stream off',
      (request, response) => {
        begin(request, response)
        setTimeout(() => response.destroy(), 20)
      },
      { code: 'service_unavailable', outcome: 'unknown' },
    ],
    [
      'ends the stream without an answer',
      (request, response) => {
        begin(request, response)
        response.end()
      },
      { code: 'service_unavailable', outcome: 'unknown' },
    ],
    ['closes the connection', (request) => void request.socket.destroy(), { code: 'service_unavailable', outcome: 'unknown' }],
    ['never answers', () => {}, { code: 'deadline_exceeded', outcome: 'unknown' }],
    ['says 500', (_request, response) => void response.writeHead(500).end('oh'), { outcome: 'unknown' }],
    ['says 429', (_request, response) => void response.writeHead(429).end('slow'), { code: 'rate_limited' }],
    ['says 401', (_request, response) => void response.writeHead(401).end(), { class: 'authorization' }],
    ['sends the caller elsewhere', (_request, response) => void response.writeHead(307, { location: 'http://127.0.0.2:9/' }).end(), {}],
    ['gives a page', (_request, response) => void response.setHeader('content-type', 'text/html').end('<p>'), { outcome: 'unknown' }],
    [
      'gives a huge event',
      (request, response) => {
        begin(request, response)
        response.write(`data: ${'x'.repeat(3_000_000)}`)
      },
      { code: 'result_too_large', outcome: 'unknown' },
    ],
    [
      'gives a huge text',
      (_request, response) => void response.setHeader('content-type', 'application/json').end('x'.repeat(3_000_000)),
      { code: 'result_too_large', outcome: 'unknown' },
    ],
  ])('that %s in a call: a classified failure', async (_what, call, error) => {
    const { url } = await served(answers({ 'tools/call': call }))
    const web = await connected(url, { maxBytes: 2_000_000 })
    expect(await web.tool('act').call({}, { deadline: '1s' })).toMatchObject({ ok: false, error })
  })

  test('gets the headers, and a token from a provider', async () => {
    const seen: unknown[] = []
    const note: RequestListener = (request, response) => {
      seen.push([request.headers['x-team'], request.headers.authorization])
      response.writeHead(500).end()
    }
    const { url } = await served(answers({ 'tools/call': note }))
    const web = await connected(url, { headers: { 'x-team': 'blue' }, auth: { token: async () => 'abc' } } as never)
    await web.tool('act').call({})
    expect(seen).toEqual([['blue', 'Bearer abc']])
  })

  test('where nobody listens, or nobody answers, is told in time', async () => {
    await expect(connectMcp({ name: 'web', url: 'http://127.0.0.1:9/mcp', connectTimeout: '2s' })).rejects.toThrow(
      /MCP server 'web' cannot be reached/,
    )
    const { url } = await served(() => {})
    await expect(connectMcp({ name: 'web', url, connectTimeout: 300 })).rejects.toThrow(/cannot be reached/)
  })
})
