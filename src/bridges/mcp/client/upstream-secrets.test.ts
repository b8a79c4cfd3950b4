import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { upstream } from '../../../../test/fixtures/mcp/upstream-program.ts'
import { autoReview } from '../../../review/auto-review.ts'
import { silentLogger } from '../../../tool/ports/logger.ts'
import { connectMcp, type McpConnection } from './connect-mcp.ts'
import type { ConnectMcpOptions } from './connect-options.ts'
import { connectMcpServers } from './connect-mcp-servers.ts'
import { targetSecrets } from './target-secrets.ts'
import { UpstreamSecrets } from './upstream-secrets.ts'

const KEY = 'sk-live/SECRET+SECRET=12345'
const FORMS = [KEY, 'SECRET+SECRET', encodeURIComponent(KEY), Buffer.from(KEY).toString('base64').slice(0, 20)]

function expectHidden(...values: readonly unknown[]): void {
  const shown = inspect(values, { depth: 50, maxStringLength: Infinity, showHidden: true })
  for (const form of FORMS) expect(shown).not.toContain(form)
}

describe('a program that repeats a secret of its environment', () => {
  let up: McpConnection
  const lines: string[] = []
  beforeAll(async () => {
    const log = {
      ...silentLogger,
      warn: (...said: unknown[]) => void lines.push(inspect(said)),
      debug: (...said: unknown[]) => void lines.push(inspect(said)),
    }
    up = await connectMcp({
      name: 'up',
      ...upstream('repeats its key'),
      env: { API_KEY: KEY, LANG: 'en_US.UTF-8', ROOT: '/home/ada/notes' },
      log,
    })
  })
  afterAll(async () => {
    await up.close()
    expectHidden(lines)
  })

  test.each(['text', 'resource', 'error', 'protocol'])('shows nothing of it in its %s', async (where) => {
    const result = await up.tool('say').call({ where })
    expect(inspect(result, { depth: 50 })).toContain('••••••')
    expectHidden(result, result.ok ? result.content : result.error)
  })

  test('keeps the shape of its structured content, and only texts change', async () => {
    expect(await up.tool('say').call({ where: 'structured' })).toMatchObject({
      value: { n: 1, list: ['x••••••', null, true], '••••••': 'name', __proto__x: {} },
    })
  })

  test('shows nothing of it however deep it stands', async () => {
    const result = await up.tool('say').call({ where: 'deep' })
    let inner: unknown = result.ok && (result.value as { deep: unknown }).deep
    while (typeof inner === 'object' && inner !== null) inner = (inner as { inner?: unknown }).inner
    expect(inner).toBe('deep ••••••')
  })

  test('keeps base64 as base64', async () => {
    const result = await up.tool('say').call({ where: 'blob' })
    const [{ data = '' } = {}] = ('content' in result ? result.content : undefined) as readonly { data?: string }[]
    expect(data).toMatch(/^[A-Za-z\d+/=]+$/)
    expect(Buffer.from(data, 'base64').toString('latin1')).toMatch(/^before .* after$/s)
    expect(Buffer.from(data, 'base64').toString()).not.toContain('SECRET')
  })

  test('shows nothing of it in its list, findings, progress and questions', async () => {
    expect(up.tool('say').description).toBe('Uses ••••••.')
    expect(up.findings()).toHaveLength(1)
    const seen: unknown[] = [up.findings()]
    const review = autoReview((request) => {
      seen.push(request)
      return { action: 'answer', value: { colour: 'red' } }
    })
    await up.tool('say').call({ where: 'progress' }, { on: (event) => void seen.push(event) })
    await up.tool('say').call({ where: 'question' }, { review })
    expect(inspect(seen, { depth: 20 })).toContain('With ••••••')
    expect(inspect(seen, { depth: 20 })).toContain('Is •••••• right?')
    expectHidden(...seen)
  })
})

describe('an address that repeats a secret', () => {
  /** Answers with what it was sent as a key, in the way of `how`, to requests of `when`. */
  async function repeating(when: string, how: 'http' | 'challenge' | 'rpc' | 'result'): Promise<string> {
    const server = createServer((request, response) => {
      void bodyOf(request).then((text) => {
        const { id, method } = (text === '' ? {} : JSON.parse(text)) as { id?: number; method?: string }
        const key = String(
          request.headers['x-api-key'] ?? request.headers.authorization ?? new URL(request.url ?? '', 'http://x').searchParams.get('key'),
        )
        const reply = (answer: object, status = 200, headers: Record<string, string> = {}): void => {
          response.writeHead(status, { 'content-type': 'application/json', ...headers })
          response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
        }
        if (id === undefined) return void response.writeHead(202).end()
        if (method === when) {
          if (how === 'http') return void response.writeHead(403, `No ${key.replaceAll(/[^ -~]/g, '')}`).end(`Wrong key ${key}`)
          if (how === 'challenge') return reply({}, 401, { 'www-authenticate': `Bearer error="invalid_token", error_description="${key}"` })
          if (how === 'rpc') return reply({ error: { code: -32603, message: `Wrong key ${key}` } })
          return reply({ result: { isError: true, content: [{ type: 'text', text: `Wrong key ${key}` }] } })
        }
        if (method === 'initialize')
          reply({ result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } })
        else if (method === 'tools/list') reply({ result: { tools: [{ name: 'act', inputSchema: { type: 'object' } }] } })
        else reply({ error: { code: -32601, message: 'Method not found' } })
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/mcp`
  }

  const ways = (['initialize', 'tools/list', 'tools/call'] as const).flatMap((when) =>
    (['http', 'challenge', 'rpc', ...(when === 'tools/call' ? (['result'] as const) : [])] as const).map((how) => [when, how] as const),
  )

  test.each(ways)('shows nothing of it to anybody, at %s, as %s', async (when, how) => {
    const seen: unknown[] = []
    const log = { ...silentLogger, warn: (...said: unknown[]) => void seen.push(said), debug: (...said: unknown[]) => void seen.push(said) }
    const url = await repeating(when, how)
    const given: readonly Partial<ConnectMcpOptions>[] = [
      { url, headers: { 'x-api-key': KEY } },
      { url, headers: { Authorization: `Bearer ${KEY}` } },
      { url, auth: { token: async () => KEY } },
      { url: `${url}?key=${encodeURIComponent(KEY)}` },
    ]
    for (const options of given) {
      try {
        const up = await connectMcp({ name: 'up', connectTimeout: '3s', log, ...options } as ConnectMcpOptions)
        seen.push(up.findings(), await up.tool('act').call({}))
        await up.close()
      } catch (error) {
        seen.push(error)
      }
      if ('auth' in options) continue
      const several = await connectMcpServers({ up: options as never }, { log })
      seen.push(several.findings())
      await several.close()
    }
    expect(seen.length).toBeGreaterThan(6)
    expectHidden(...seen)
  })
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

test('secrets are known by their names, or by their looks; folders, hosts, models and short values are no secrets', () => {
  const env = {
    OPENAI_KEY: 'my-openai-secret',
    GITHUB_PAT: 'some-token-of-mine',
    DATABASE_URL: 'postgres://ada:p%40ssw0rd-1@db.example.com/notes',
    WHATEVER: 'AbCdEf0123456789xyz',
    ROOT: '/home/ada/projects/Notes2026',
    HOST: 'db1.internal.example.com',
    MODEL: 'gpt-4o-mini-2024-07-18',
    NODE_ENV: 'production',
    SHORT_KEY: 'short',
  }
  expect(targetSecrets({ command: 'x', env }).toSorted()).toEqual(
    ['my-openai-secret', 'some-token-of-mine', 'p%40ssw0rd-1', 'p@ssw0rd-1', 'AbCdEf0123456789xyz'].toSorted(),
  )
  expect(targetSecrets({ command: 'x', args: ['--api-key', 'first-secret', '--token=second-secret', '--root', '/home/ada/x'] })).toEqual([
    'first-secret',
    'second-secret',
  ])
  const basic = `Basic ${Buffer.from('ada:open-sesame').toString('base64')}`
  const headers = {
    Authorization: basic,
    Cookie: 'sid=cookie-of-mine; theme=dark',
    'Accept-Language': 'en-US,en;q=0.9',
    'X-Tenant': 'acme-corporation',
  }
  expect(targetSecrets({ url: 'https://x.example/mcp?token=in-the-address&page=tenthousand', headers }).toSorted()).toEqual(
    [basic.slice(6), 'open-sesame', 'cookie-of-mine', 'in-the-address'].toSorted(),
  )
})

test('tokens that are sent are known from then on, the latest fifty of them; those of a form too', () => {
  const secrets = new UpstreamSecrets(['given-secret'])
  for (let at = 100; at < 200; at++) secrets.send({ headers: { authorization: `Bearer token-number-${at}` } })
  secrets.send({ body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'refresh-me-please' }) })
  expect(secrets.text('token-number-199 refresh-me-please given-secret refresh_token')).toBe('•••••• •••••• •••••• refresh_token')
  expect(secrets.text('token-number-100')).toBe('token-number-100')
})

test('a name that is a secret, and one that is __proto__, stay fields of their own', () => {
  const secrets = new UpstreamSecrets(['given-secret'])
  const message = JSON.parse('{"__proto__":"given-secret","given-secret":{"requestState":"given-secret"}}') as Record<string, unknown>
  secrets.hideIn(message)
  expect(JSON.stringify(message)).toBe('{"__proto__":"••••••","••••••":{"requestState":"given-secret"}}')
})
