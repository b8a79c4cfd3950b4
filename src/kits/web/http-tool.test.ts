import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type LocalSite, localSite } from '../../../test/fixtures/web/local-site.ts'
import { jsonSchema } from '../../index.ts'
import { httpTool, type HttpToolOptions } from './http-tool.ts'

let service: LocalSite

beforeAll(async () => {
  service = await localSite(({ url, method, headers, body }, response) => {
    const path = url.split('?')[0]
    const say = (status: number, said: unknown, more: Record<string, string> = {}): unknown =>
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(said))
    if (path === '/busy')
      say(429, { title: 'Too many requests', detail: 'One a minute.' }, { 'content-type': 'application/problem+json', 'retry-after': '60' })
    else if (path === '/later') say(503, {}, { 'retry-after': new Date(Date.now() + 90_000).toUTCString() })
    else if (path === '/unfit')
      say(
        422,
        { title: 'Unfit', errors: [{ pointer: '#/age', detail: 'must be positive' }] },
        { 'content-type': 'application/problem+json' },
      )
    else if (path === '/echo') say(400, { message: `Wrong: ${url}` })
    else if (path === '/absent') say(404, { error: { message: 'No such order' } })
    else if (path === '/broken') response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Stack trace at /srv/app</h1>')
    else if (path === '/lost') response.socket?.destroy()
    else if (path === '/moved') response.writeHead(Number(new URL(url, 'http://x').searchParams.get('status')), { location: '/lost' }).end()
    // Nothing listens at port 1.
    else if (path === '/away/x') response.writeHead(303, { location: 'http://127.0.0.1:1/' }).end()
    else if (path === '/none') response.writeHead(204).end()
    else if (path === '/text')
      response.writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' }).end(Buffer.from([0x63, 0x61, 0x66, 0xe9]))
    else if (path === '/long' || path === '/long-wait')
      response.writeHead(path === '/long' ? 200 : 503, { 'content-type': 'text/html', 'retry-after': '60' }).end('x'.repeat(5000))
    else if (path === '/liar') response.writeHead(200, { 'content-type': 'application/json' }).end('<html>')
    else say(200, { url, method, headers, body })
  })
})
beforeEach(() => void (service.seen.length = 0))
afterAll(() => service.close())

const access = { privateHosts: ['127.0.0.1'] }
const secrets = { get: (name: string) => (name === 'TOKEN' ? 'tok-123456' : undefined) }
type Given = Partial<HttpToolOptions<undefined, undefined>>
const textTool = (path: string, options: Given = {}) =>
  httpTool({ name: 'ask', description: 'Asks.', url: `${service.url}${path}`, access, ...options })

describe('a request', () => {
  test('is made of the fields of the input: path, query, headers, and the rest as the body [T17]', async () => {
    const order = httpTool({
      name: 'change_order',
      description: 'Changes an order.',
      method: 'PUT',
      url: `${service.url}/shops/{shop}/orders/{id}.json?v=2`,
      inputSchema: z.object({ shop: z.string(), id: z.number(), notify: z.array(z.string()), lang: z.string(), total: z.number() }),
      query: { to: 'notify' },
      headers: { 'Accept-Language': '{lang}', 'X-Fixed': 'yes' },
      access,
    })
    const result = await order.call({ shop: 'a b', id: 7, notify: ['x', 'y&z'], lang: 'fr', total: 3 })
    expect(result).toMatchObject({
      ok: true,
      value: {
        url: '/shops/a%20b/orders/7.json?v=2&to=x&to=y%26z',
        method: 'PUT',
        body: '{"total":3}',
        headers: { 'accept-language': 'fr', 'x-fixed': 'yes', 'content-type': 'application/json' },
      },
    })
  })

  test('of a tool without a schema sends its text: in the URL, or as the body [T17]', async () => {
    expect(await textTool('/find/{input}').call('a/b')).toMatchObject({ value: { url: '/find/a%2Fb', body: '' } })
    expect(await textTool('/post', { method: 'POST' }).call('hello')).toMatchObject({ value: { body: 'hello' } })
    expect(await textTool('/post', { method: 'POST', bodyType: 'json' }).call('{ "a": 1 }')).toMatchObject({ value: { body: '{"a":1}' } })
    expect(await textTool('/post', { method: 'POST', bodyType: 'json' }).call('{')).toMatchObject({
      error: { code: 'invalid_input', outcome: 'not_started' },
    })
  })

  test('may be made by a function', async () => {
    const tool = textTool('/{a}', {
      method: 'POST',
      request: (input) => ({ path: { a: input }, query: [['q', '1']], body: '<x/>', contentType: 'text/xml' }),
    })
    expect(await tool.call('p')).toMatchObject({ value: { url: '/p?q=1', body: '<x/>', headers: { 'content-type': 'text/xml' } } })
  })

  test('sends a form', async () => {
    const tool = httpTool({
      name: 'send',
      description: 'Sends.',
      method: 'POST',
      url: `${service.url}/form`,
      inputSchema: z.object({ a: z.string(), b: z.array(z.number()) }),
      bodyType: 'form',
      access,
    })
    expect(await tool.call({ a: 'x y', b: [1, 2] })).toMatchObject({ value: { body: 'a=x+y&b=1&b=2' } })
  })

  test('of a method without a body has none', async () => {
    const tool = httpTool({
      name: 'drop',
      description: 'Drops.',
      method: 'DELETE',
      url: `${service.url}/{id}`,
      inputSchema: z.object({ id: z.string(), why: z.string() }),
      access,
    })
    expect(await tool.call({ id: 'x', why: 'y' })).toMatchObject({ value: { body: '' } })
  })
})

describe('secrets', () => {
  test.for([
    [{ secret: 'TOKEN' }, { authorization: 'Bearer tok-123456' }],
    [{ secret: 'TOKEN', header: 'X-Api-Key' }, { 'x-api-key': 'tok-123456' }],
    [{ secret: 'TOKEN', header: 'Authorization', prefix: 'Token ' }, { authorization: 'Token tok-123456' }],
    [{ secret: 'TOKEN', as: 'basic', user: 'ada' }, { authorization: `Basic ${btoa('ada:tok-123456')}` }],
    [{ secret: 'TOKEN', cookie: 'sid' }, { cookie: 'sid=tok-123456' }],
  ] as const)('are sent as %j says [T17]', async ([auth, headers]) => {
    await textTool('/x/{input}', { auth }).call('a', { secrets })
    expect(service.seen[0]?.headers).toMatchObject(headers)
  })

  test('appear in no event, no log and no failure, even if the service repeats them', async () => {
    const heard: unknown[] = []
    const hear = (...all: unknown[]): void => void heard.push(all)
    const log = { trace: hear, debug: hear, info: hear, warn: hear, error: hear }
    const tool = textTool('/echo', { method: 'POST', auth: { secret: 'TOKEN', query: 'key' } })
    const result = await tool.call('x', { secrets, log, on: (event) => heard.push(event) })
    expect(service.seen[0]?.url).toBe('/echo?key=tok-123456')
    expect(JSON.stringify([heard, result.text, result.ok ? '' : result.error.message])).not.toContain('tok-123456')
  })

  test('with a line break are refused, and not repeated', async () => {
    const result = await textTool('/x/{input}', { auth: { secret: 'TOKEN' } }).call('a', { secrets: { get: () => 'bad\r\nx-injected: 1' } })
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input', outcome: 'not_started' } })
    expect(result.text).not.toContain('injected')
    expect(service.seen).toEqual([])
  })

  test('are needed before anything is sent', async () => {
    expect(await textTool('/x/{input}', { auth: { secret: 'OTHER' } }).call('a', { secrets })).toMatchObject({
      error: { code: 'access_denied' },
    })
    expect(service.seen).toEqual([])
  })
})

describe('effects', () => {
  test.for([
    ['GET', 'read', true],
    ['HEAD', 'read', true],
    ['QUERY', 'read', true],
    ['POST', 'irreversible', false],
    ['PUT', 'irreversible', false],
    ['PATCH', 'irreversible', false],
    ['DELETE', 'irreversible', false],
  ] as const)('%s is %s unless the author says otherwise [T17]', ([method, effect, idempotent]) => {
    expect(textTool('/{input}', { method })).toMatchObject({ effect, idempotent })
    expect(textTool('/{input}', { method, effect: 'write', idempotent: 'keyed' })).toMatchObject({ effect: 'write', idempotent: 'keyed' })
  })

  test('the idempotency key of a call is sent by methods that do not only read', async () => {
    const options = { idempotencyKey: 'order-7' }
    await textTool('/{input}').call('a', options)
    await textTool('/a', { method: 'POST' }).call('x', options)
    await textTool('/a', { method: 'POST' }).call('x', options)
    await textTool('/a', { method: 'POST', idempotencyHeader: 'X-Request-Id' }).call('x', options)
    await textTool('/a', { method: 'POST', idempotencyHeader: false }).call('x', options)
    const keys = service.seen.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual([undefined, expect.any(String), keys[1], undefined, undefined])
    expect(service.seen[3]?.headers['x-request-id']).toBe(keys[1])
  })
})

describe('answers', () => {
  test.for([
    [
      '/busy',
      {
        code: 'rate_limited',
        retryAfterMs: 60_000,
        outcome: 'failed',
        message: 'The service answered 429 Too Many Requests: Too many requests. One a minute',
      },
    ],
    ['/unfit', { code: 'invalid_request', message: "The service answered 422 Unprocessable Entity: Unfit. '#/age': must be positive" }],
    ['/absent', { code: 'not_found', message: 'The service answered 404 Not Found: No such order' }],
    ['/broken', { code: 'upstream_error', outcome: 'unknown', message: 'The service answered 500 Internal Server Error.' }],
    ['/lost', { code: 'service_unavailable', outcome: 'unknown', retryable: true }],
    // The status counts, however large the page is that comes with it.
    ['/long-wait', { code: 'service_unavailable', retryAfterMs: 60_000, retryable: true }],
    ['/long', { code: 'response_too_large', retryable: false, outcome: 'unknown' }],
    ['/liar', { code: 'upstream_error', outcome: 'unknown' }],
  ] as const)('%s is a classified failure [T17]', async ([path, error]) => {
    expect(await textTool(path, { method: 'POST', access: { ...access, maxBytes: 2000 } }).call('x')).toMatchObject({ ok: false, error })
  })

  test('a date to call again is told as a time', async () => {
    const result = await textTool('/later', { method: 'POST' }).call('x')
    const wait = result.ok ? 0 : (result.error.retryAfterMs ?? 0)
    expect(wait).toBeGreaterThan(80_000)
    expect(wait).toBeLessThan(91_000)
  })

  test('without a content are null, and a text is decoded by its charset', async () => {
    expect(await textTool('/none', { method: 'POST' }).call('x')).toMatchObject({
      ok: true,
      value: null,
      text: 'The service answered 204.',
    })
    expect(await textTool('/text', { method: 'POST' }).call('x')).toMatchObject({ ok: true, value: 'café' })
  })

  test('may be given with status and headers', async () => {
    const tool = textTool('/text', { method: 'POST', answer: 'response' })
    expect(await tool.call('x')).toMatchObject({ value: { status: 200, headers: { 'content-type': expect.any(String) }, body: 'café' } })
  })

  test('that do not fit the output schema are refused', async () => {
    const tool = httpTool({
      name: 'find',
      description: 'Finds.',
      url: `${service.url}/{input}`,
      outputSchema: z.object({ id: z.string() }),
      access,
    })
    expect(await tool.call('x')).toMatchObject({ ok: false, error: { code: 'invalid_output' } })
  })
})

describe('a definition', () => {
  const make =
    (more: Record<string, unknown>): (() => unknown) =>
    () =>
      httpTool({ name: 'a', description: 'A.', url: 'https://example.com/{input}', ...more } as never)

  test.for([
    [{ url: 'https://{input}.example.com/' }],
    [{ url: 'https://example.com:{input}/' }],
    [{ url: 'ftp://example.com/{input}' }],
    [{ url: 'https://user:pass@example.com/{input}' }],
    [{ url: 'https://example.com/{input}#x' }],
    [{ url: 'https://example.com/../{input}' }],
    [{ url: 'https://example.com/{in put}' }],
    [{ url: 'https://example.com/' }],
    [{ url: '/{input}' }],
    [{ url: 7 }],
    [{ url: 'https://example.com/{id}', inputSchema: z.object({ idd: z.string() }) }],
    [{ query: ['other'] }],
  ])('with the mistake %j is refused at once', ([more]) => {
    expect(make(more as never)).toThrow(expect.objectContaining({ code: 'invalid_definition' }))
  })

  test.for([
    [{ method: 'get' }],
    [{ auth: { token: 'x' } }],
    [{ auth: { secret: 'A', header: 'X', query: 'y' } }],
    [{ bodyType: 'xml' }],
    [{ request: 'x' }],
    [{ query: [7] }],
    [{ urls: 'x' }],
  ])('with the wrong option %j is refused at once', ([more]) => {
    expect(make(more as never)).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  })

  test('reaches only the host of its URL, also by redirects', async () => {
    const mover = await localSite((_request, response) => response.writeHead(302, { location: `${service.url}/x` }).end())
    const tool = httpTool({
      name: 'a',
      description: 'A.',
      url: `${mover.url}/{input}`,
      access: { privateHosts: [`127.0.0.1:${mover.port}`] },
    })
    expect(await tool.call('x')).toMatchObject({ error: { code: 'url_refused' } })
    await mover.close()
    expect(service.seen).toEqual([])
  })
})

describe('a GET that is declared to act', () => {
  test.for([301, 302, 307, 308])('is not sent a second time after %i, and may have taken effect [T17]', async (status) => {
    const tool = textTool(`/moved?status=${status}&to={input}`, { effect: 'write' })
    expect(await tool.call('x')).toMatchObject({ ok: false, error: { code: 'url_refused', outcome: 'unknown' } })
    expect(service.seen.length).toBe(1)
  })

  test('may have taken effect if the page behind its 303 is out of reach', async () => {
    const tool = textTool('/away/{input}', { effect: 'irreversible', access: { privateHosts: ['127.0.0.1:*'] } })
    expect(await tool.call('x')).toMatchObject({ ok: false, error: { code: 'service_unavailable', outcome: 'unknown' } })
  })
})

describe('fields', () => {
  test('that are not given are not found among those that every object has', async () => {
    const tool = httpTool({
      name: 'ask',
      description: 'Asks.',
      url: `${service.url}/x`,
      inputSchema: jsonSchema({ type: 'object', properties: { constructor: { type: 'string' }, valueOf: { type: 'string' } } }),
      query: ['constructor'],
      headers: { 'X-Value': '{valueOf}' },
      access,
    })
    expect(await tool.call({} as never)).toMatchObject({ ok: true, value: { url: '/x' } })
  })

  test.for(['query', 'form', 'text'] as const)('with half of a surrogate pair are refused in a %s, not changed', async (place) => {
    const tool = httpTool({
      name: 'ask',
      description: 'Asks.',
      method: 'POST',
      url: `${service.url}/x`,
      inputSchema: z.object({ word: z.string() }),
      ...(place === 'query' ? { query: ['word'] } : { body: place === 'text' ? 'word' : undefined, bodyType: place }),
      access,
    })
    expect(await tool.call({ word: 'a\ud800' })).toMatchObject({ ok: false, error: { code: 'invalid_input', outcome: 'not_started' } })
    expect(service.seen).toEqual([])
  })
})
