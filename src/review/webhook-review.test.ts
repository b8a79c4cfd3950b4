import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type Clock, type ReviewRequest, tool } from '../index.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { verifyWebhookSignature } from './verify-webhook-signature.ts'
import { webhookReview } from './webhook-review.ts'

const secret = 'a secret that both sides know'
const ran: number[] = []
const pay = tool({
  name: 'pay',
  description: 'Pays.',
  inputSchema: z.object({ amount: z.number(), apiKey: z.string().optional() }),
  requireApproval: { why: 'Money leaves.' },
  execute: ({ amount }) => {
    ran.push(amount)
    return amount
  },
})

interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

type Script = (response: ServerResponse, received: Received) => void

const closing: (() => void)[] = []

afterEach(() => {
  for (const close of closing.splice(0)) close()
  ran.length = 0
})

/** A real server on this machine. It follows the script, the last entry for ever. */
async function serve(...script: readonly Script[]) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const message = { method, url, headers, body: await text(request) }
    received.push(message)
    script[Math.min(received.length, script.length) - 1]?.(response, message)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}/reviews?desk=4`, received, server }
}

const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Script =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
const status = (code: number, headers: Record<string, string> = {}): Script => json({ action: 'continue' }, code, headers)
const approve = json({ action: 'continue', by: 'ada' })

/** A fake clock that tells how long every wait was to be. */
function watchedClock() {
  const clock = fakeClock()
  const waits: number[] = []
  const timer: Clock['timer'] = (ms, callback) => {
    waits.push(ms)
    return clock.timer(ms, callback)
  }
  return { ...clock, timer, waits }
}

/** As soon as the handler has begun to wait for so long, lets that time pass. */
async function pass(clock: ReturnType<typeof watchedClock>, ms: number): Promise<void> {
  await vi.waitFor(() => expect(clock.waits.at(-1)).toBe(ms), { timeout: 10_000, interval: 1 })
  await clock.advance(ms)
}

const until = (condition: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout: 10_000, interval: 1 })

describe('a decision by webhook', () => {
  test('the request goes out as signed JSON with secrets masked, and the answer counts [T15]', async () => {
    const server = await serve(approve)
    const by: unknown[] = []
    const result = await pay.call(
      { amount: 5, apiKey: 'key-12345678' },
      {
        review: webhookReview({ url: server.url, secret }),
        agent: 'desk',
        on: (event) => event.type === 'review.decided' && by.push(event.by),
      },
    )
    expect(result).toMatchObject({ ok: true, value: 5 })
    expect(by).toEqual(['ada'])
    expect(server.received).toHaveLength(1)
    const [{ method, url, headers, body } = { method: '', url: '', headers: {}, body: '' }] = server.received
    expect([method, url, headers['content-type']]).toEqual(['POST', '/reviews?desk=4', 'application/json'])
    const request: unknown = JSON.parse(body)
    expect(request).toMatchObject({
      id: headers['toolwright-id'],
      kind: 'approval',
      tool: 'pay',
      input: { amount: 5, apiKey: '••••••' },
      why: 'Money leaves.',
      caller: { agent: 'desk' },
      risk: 'high',
      timeoutMs: 300_000,
      onTimeout: 'reject',
    })
    expect(body).not.toContain('key-12345678')
    expect(verifyWebhookSignature({ headers, body, secret })).toBe(true)
    expect(verifyWebhookSignature({ headers, body, secret: 'another' })).toBe(false)
  })

  test('may edit, reject and stop [T14]', async () => {
    const review = async (decision: unknown) => webhookReview({ url: (await serve(json(decision))).url, secret })
    expect(await pay.call({ amount: 5 }, { review: await review({ action: 'edit', patch: { amount: 3 } }) })).toMatchObject({ value: 3 })
    expect(await pay.call({ amount: 5 }, { review: await review({ action: 'reject', reason: 'no' }) })).toMatchObject({
      error: { code: 'rejected', message: expect.stringContaining('who says "no": ') },
    })
    await expect(pay.call({ amount: 5 }, { review: await review({ action: 'stop' }) })).rejects.toMatchObject({ name: 'ExitEarly' })
  })

  test.each([
    ['something other than a decision', json({ approved: true })],
    ['something other than JSON', ((response) => void response.end('<h1>ok</h1>')) satisfies Script],
    ['nothing', ((response) => void response.end()) satisfies Script],
    ['201', status(201)],
    ['204', ((response) => void response.writeHead(204).end()) satisfies Script],
    ['400', status(400)],
    ['401', status(401)],
    ['404', status(404)],
    ['a redirect', status(302, { location: '/elsewhere' })],
    ['202 and no place to ask', status(202)],
    ['202 and a place at another origin', status(202, { location: 'http://127.0.0.1:1/decision' })],
    ['202 and a place that is none', status(202, { location: 'http://' })],
  ])('%s is a rejection, and is not asked again [T14]', async (_name, script) => {
    const server = await serve(script)
    expect(await pay.call({ amount: 5 }, { review: webhookReview({ url: server.url, secret }) })).toMatchObject({
      error: { code: 'reviewer_unreachable' },
    })
    expect(server.received).toHaveLength(1)
    expect(ran).toEqual([])
  })

  test.each([201, 302, 404])('a rejection names the status %s, so that the receiver can be mended', async (code) => {
    const { url } = await serve(status(code))
    expect(await pay.call({ amount: 5 }, { review: webhookReview({ url, secret }) })).toMatchObject({
      error: { message: expect.stringContaining(`(The reviewer could not be reached: the webhook answered ${code})`) },
    })
  })

  test('an answer of more than 64 KiB is cut off and rejects, even without end [T15]', async () => {
    let closed = false
    const server = await serve((response) => {
      response.on('close', () => (closed = true))
      const more = (): void => {
        while (!closed && response.write(' '.repeat(16 * 1024)));
        if (!closed) response.once('drain', more)
      }
      more()
    })
    expect(await pay.call({ amount: 5 }, { review: webhookReview({ url: server.url, secret }) })).toMatchObject({
      error: { message: expect.stringContaining('more than a decision can be') },
    })
    await until(() => closed)
    expect(server.received).toHaveLength(1)
  })

  test('an answer of just 64 KiB is read', async () => {
    const decision = JSON.stringify({ action: 'continue' })
    const server = await serve((response) => void response.end(decision.padEnd(64 * 1024)))
    expect(await pay.call({ amount: 5 }, { review: webhookReview({ url: server.url, secret }) })).toMatchObject({ ok: true })
  })
})

describe('trouble on the way', () => {
  test.each([
    ['500', status(500)],
    ['503', status(503)],
    ['429', status(429)],
    ['a broken line', ((response) => void response.destroy()) satisfies Script],
    [
      'an answer that breaks off',
      ((response) => void response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy())) satisfies Script,
    ],
  ])('%s is tried again after half a second, then one, then two, under the same id [T15]', async (_name, trouble) => {
    const clock = watchedClock()
    const server = await serve(trouble, trouble, trouble, approve)
    const result = pay.call({ amount: 5 }, { review: webhookReview({ url: server.url, secret }), clock })
    for (const ms of [500, 1000, 2000]) await pass(clock, ms)
    expect(await result).toMatchObject({ ok: true })
    const { received } = server
    expect(new Set(received.map(({ headers }) => headers['toolwright-id'])).size).toBe(1)
    expect(new Set(received.map(({ headers }) => headers['toolwright-timestamp'])).size).toBeGreaterThan(1)
    expect(received.every(({ headers, body }) => verifyWebhookSignature({ headers, body, secret, now: clock.now }))).toBe(true)
  })

  test('lasting trouble is a rejection that names neither the place nor the secret [T14]', async () => {
    const clock = watchedClock()
    const server = await serve(status(500))
    const result = pay.call({ amount: 5 }, { review: webhookReview({ url: server.url, secret, retries: 1 }), clock })
    await pass(clock, 500)
    expect(await result).toMatchObject({
      error: {
        code: 'reviewer_unreachable',
        message: expect.stringMatching(/^No reviewer decided \(The reviewer could not be reached: the webhook answered 500\): /),
      },
    })
    expect(server.received).toHaveLength(2)
  })

  test('nobody at the address is a rejection [T14]', async () => {
    const { url, server } = await serve()
    await new Promise((resolve) => server.close(resolve))
    expect(await pay.call({ amount: 5 }, { review: webhookReview({ url, secret, retries: 0 }) })).toMatchObject({
      error: {
        code: 'reviewer_unreachable',
        message: expect.stringMatching(/^No reviewer decided \(The reviewer could not be reached: the webhook does not answer\): /),
      },
    })
  })

  test('Retry-After is waited for, in seconds or until a date, but no longer than a minute [T15]', async () => {
    const clock = watchedClock()
    const server = await serve(
      status(503, { 'retry-after': '7' }),
      (response) => void response.writeHead(503, { 'retry-after': new Date(clock.now() + 20_000).toUTCString() }).end(),
      status(429, { 'retry-after': '86400' }),
      approve,
    )
    const result = pay.call({ amount: 5 }, { review: webhookReview({ url: server.url, secret }), clock })
    for (const ms of [7000, 20_000, 60_000]) await pass(clock, ms)
    expect(await result).toMatchObject({ ok: true })
  })

  test('a receiver that never answers costs one attempt its time, and the next one is made [T15]', async () => {
    const clock = watchedClock()
    const server = await serve(
      () => undefined,
      (response) => void response.writeHead(200).write('{'),
      approve,
    )
    const result = pay.call({ amount: 5 }, { review: webhookReview({ url: server.url, secret, attemptTimeout: '3s' }), clock })
    await until(() => server.received.length === 1)
    await pass(clock, 3000)
    await pass(clock, 500)
    await until(() => server.received.length === 2)
    await pass(clock, 3000)
    await pass(clock, 1000)
    expect(await result).toMatchObject({ ok: true })
  })
})

describe('a decision that comes later', () => {
  test('is asked for at its place, as often as Retry-After says, with a signature each time [T15]', async () => {
    const clock = watchedClock()
    const server = await serve(
      status(202, { location: '/decisions/1' }),
      status(202, { 'retry-after': '30' }),
      status(202, { location: 'decisions/2', 'retry-after': '0' }),
      approve,
    )
    const result = pay.call({ amount: 5 }, { review: webhookReview({ url: server.url, secret }), clock, deadline: '1s' })
    for (const ms of [5000, 30_000, 1000]) await pass(clock, ms)
    expect(await result).toMatchObject({ ok: true })
    expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /reviews?desk=4',
      'GET /decisions/1',
      'GET /decisions/1',
      'GET /decisions/2',
    ])
    expect(server.received.every(({ headers, body }) => verifyWebhookSignature({ headers, body, secret, now: clock.now }))).toBe(true)
    expect(clock.pending()).toBe(0)
  })

  test('is waited for until the time is up, then the request rejects and asking ends [T14]', async () => {
    const clock = watchedClock()
    const server = await serve(status(202, { location: '/decisions/1', 'retry-after': '60' }))
    const result = pay.call({ amount: 5 }, { review: webhookReview({ url: server.url, secret, timeout: '90s' }), clock })
    await pass(clock, 60_000)
    await until(() => server.received.length === 2 && clock.waits.at(-1) === 60_000)
    await clock.advance(30_000)
    expect(await result).toMatchObject({
      error: { code: 'review_timed_out', hint: expect.stringContaining('Nobody decided in time, so nothing ran.') },
    })
    await clock.advance(600_000)
    expect(clock.pending()).toBe(0)
    expect(server.received).toHaveLength(2)
  })
})

test('a cancelled call aborts the message under way [T14]', async () => {
  const closed = Promise.withResolvers<void>()
  const server = await serve((response) => void response.on('close', closed.resolve))
  const clock = fakeClock()
  const cancel = new AbortController()
  const result = pay.call({ amount: 5 }, { review: webhookReview({ url: server.url, secret }), clock, signal: cancel.signal })
  await until(() => server.received.length === 1)
  cancel.abort()
  expect(await result).toMatchObject({ error: { code: 'cancelled', outcome: 'not_started' } })
  await closed.promise
  await clock.advance(600_000)
  expect(server.received).toHaveLength(1)
  expect(clock.pending()).toBe(0)
})

test('webhooks are not serialised [T15]', async () => {
  const waiting: ServerResponse[] = []
  const server = await serve((response, received) => {
    waiting.push(response)
    if (waiting.length === 2) for (const each of waiting) approve(each, received)
  })
  const review = webhookReview({ url: server.url, secret })
  const results = await Promise.all([pay.call({ amount: 1 }, { review }), pay.call({ amount: 2 }, { review })])
  expect(results.map(({ ok }) => ok)).toEqual([true, true])
})

test('another fetch can be given, and never follows a redirect by itself', async () => {
  const asked: unknown[] = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    asked.push(String(url), init?.redirect)
    return Response.json({ action: 'continue' })
  }
  expect(
    await pay.call({ amount: 5 }, { review: webhookReview({ url: new URL('https://desk.example.com/r'), secret, fetch }) }),
  ).toMatchObject({ ok: true })
  expect(asked).toEqual(['https://desk.example.com/r', 'manual'])
})

test('the reviewer sees what is in maps, sets and big integers [T15]', async () => {
  const server = await serve(approve)
  const loose = tool({ name: 'loose', description: 'Takes anything.', inputSchema: z.any(), requireApproval: true, execute: () => 'ran' })
  await loose.call({ of: new Map([['a', 1n]]), tags: new Set(['x']) }, { review: webhookReview({ url: server.url, secret }) })
  expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({ input: { of: [['a', '1']], tags: ['x'] } })
})

test('a request that JSON cannot hold is not sent [T14]', async () => {
  const server = await serve(approve)
  const request: Record<string, unknown> = { id: 'r1' }
  request['input'] = request
  const wait = { signal: new AbortController().signal, clock: fakeClock() }
  const { review } = webhookReview({ url: server.url, secret })
  await expect(review(request as unknown as ReviewRequest, wait)).rejects.toThrow('circular')
  expect(server.received).toEqual([])
})

describe('what cannot work is refused when the handler is made', () => {
  test.each([
    'http://desk.example.com/reviews',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'http://[::2]/',
    'http://10.0.0.1/',
    'ftp://localhost/',
    'file:///etc/passwd',
    'https://ada:pw@desk.example.com/',
    '/reviews',
    '',
  ])('%j is no place for a webhook [T15]', (url) => {
    expect(() => webhookReview({ url, secret })).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  })

  test.each(['https://desk.example.com/', 'http://localhost:3000/', 'http://127.0.0.9/', 'http://[::1]:8080/'])('%j is one', (url) => {
    expect(webhookReview({ url, secret }).timeoutMs).toBe(300_000)
  })

  test('an empty secret, and retries that make no sense', () => {
    expect(() => webhookReview({ url: 'https://a.example', secret: '' })).toThrow(expect.objectContaining({ code: 'invalid_option' }))
    expect(() => webhookReview({ url: 'https://a.example', secret, retries: -1 })).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    )
    expect(() => webhookReview({ url: 'https://a.example', secret, timeout: -1 })).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    )
  })
})
