import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalSite, localSite } from '../../../test/fixtures/web/local-site.ts'
import { guardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts'

let site: LocalSite
let other: LocalSite

const zeros = Buffer.alloc(20 * 1024 * 1024)
const bomb = gzipSync(zeros)

function* endless(): Generator<Buffer> {
  for (;;) yield zeros.subarray(0, 65_536)
}

beforeAll(async () => {
  other = await localSite((_request, response) => response.end('other'))
  site = await localSite(({ url }, response) => {
    const to = new URL(url, 'http://x').searchParams.get('to') ?? ''
    const [, word = '', status = ''] = url.split(/[/?]/)
    if (word === 'go') response.writeHead(Number(status), { location: to }).end()
    else if (word === 'loop') response.writeHead(302, { location: '/loop' }).end()
    else if (word === 'nowhere') response.writeHead(302).end('no location')
    else if (word === 'bomb') response.setHeader('content-encoding', 'gzip').end(bomb)
    else if (word === 'gzip') response.setHeader('content-encoding', 'gzip').end(gzipSync('packed'))
    else if (word === 'deflate') response.setHeader('content-encoding', 'deflate').end(deflateSync('packed'))
    else if (word === 'br') response.setHeader('content-encoding', 'br').end(brotliCompressSync('packed'))
    else if (word === 'twice') response.setHeader('content-encoding', 'gzip, gzip').end(gzipSync(gzipSync('packed')))
    else if (word === 'wrong') response.setHeader('content-encoding', 'gzip').end('not packed')
    else if (word === 'large') response.end('x'.repeat(100_000))
    else if (word === 'endless') Readable.from(endless()).pipe(createGzip()).pipe(response.setHeader('content-encoding', 'gzip'))
    else if (word === 'silent') return
    else if (word === 'slow') {
      response.write('a')
      const timer = setInterval(() => response.write('a'), 20)
      response.on('close', () => clearInterval(timer))
    } else response.end('here')
  })
})
beforeEach(() => {
  site.seen.length = 0
  other.seen.length = 0
})
afterAll(async () => {
  await site.close()
  await other.close()
})

const local: GuardedFetchOptions = { privateHosts: ['127.0.0.1:*', 'localhost:*'] }
const text = ({ body }: { readonly body: Uint8Array }): string => Buffer.from(body).toString()

describe('an answer', () => {
  test('comes with its URL, status, headers and body [T17]', async () => {
    const answer = await guardedFetch(local)(`${site.url}/here?x=1`)
    expect(answer).toMatchObject({ url: `${site.url}/here?x=1`, status: 200, truncated: false, redirects: [] })
    expect(text(answer)).toBe('here')
  })

  test.for(['gzip', 'deflate', 'br'])('is unpacked from %s', async (encoding) => {
    expect(text(await guardedFetch(local)(`${site.url}/${encoding}`))).toBe('packed')
  })

  test.for(['twice', 'wrong'])('that is packed in another way is a failure of the service: %s', async (encoding) => {
    await expect(guardedFetch(local)(`${site.url}/${encoding}`)).rejects.toMatchObject({ code: 'upstream_error' })
  })
})

describe('size', () => {
  test('a small body that expands without end is stopped at the limit [T17]', async () => {
    expect(bomb.length).toBeLessThan(30_000)
    const failing = guardedFetch({ ...local, maxBytes: 10_000 })(`${site.url}/bomb`)
    await expect(failing).rejects.toMatchObject({ code: 'response_too_large', retryable: false })
    const answer = await guardedFetch({ ...local, maxBytes: 10_000 })(`${site.url}/bomb`, { whenTooLarge: 'truncate' })
    expect([answer.body.length, answer.truncated]).toEqual([10_000, true])
  })

  test('a packed body without an end is left at the limit', async () => {
    const answer = await guardedFetch({ ...local, maxBytes: 1_000_000, timeout: '10s' })(`${site.url}/endless`, {
      whenTooLarge: 'truncate',
    })
    expect([answer.body.length, answer.truncated]).toEqual([1_000_000, true])
  })

  test('a request may ask for less than the limit, and not for more', async () => {
    const visit = guardedFetch({ ...local, maxBytes: 1000 })
    const asking = async (maxBytes: number): Promise<number> =>
      (await visit(`${site.url}/large`, { maxBytes, whenTooLarge: 'truncate' })).body.length
    expect([await asking(10), await asking(5000)]).toEqual([10, 1000])
  })
})

describe('time', () => {
  test('bounds a server that never answers, and the outcome is unknown once the request was sent [T17]', async () => {
    const failing = guardedFetch({ ...local, timeout: '150ms' })(`${site.url}/silent`, { method: 'POST', body: 'x' })
    await expect(failing).rejects.toMatchObject({
      code: 'service_unavailable',
      outcome: 'unknown',
      message: expect.stringContaining('150 ms'),
    })
  })

  test('bounds a body that comes byte by byte, though it never pauses', async () => {
    await expect(guardedFetch({ ...local, timeout: '200ms' })(`${site.url}/slow`)).rejects.toMatchObject({ code: 'service_unavailable' })
  })

  test('bounds a lookup that never ends, and nothing was sent', async () => {
    const failing = guardedFetch({ timeout: '100ms', lookup: () => new Promise(() => undefined) })('http://example.com/')
    await expect(failing).rejects.toMatchObject({ code: 'service_unavailable', outcome: 'not_started' })
  })

  test('the signal of the caller ends a request with its own reason', async () => {
    const controller = new AbortController()
    const failing = guardedFetch(local)(`${site.url}/silent`, { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('enough')), 50)
    await expect(failing).rejects.toThrow('enough')
  })
})

describe('a connection', () => {
  let broken: Server
  beforeAll(async () => {
    broken = createServer((socket) => socket.once('data', () => socket.destroy()))
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => void broken.close())

  test('that is lost after the request was sent leaves the outcome unknown [T17]', async () => {
    const { port } = broken.address() as AddressInfo
    const failing = guardedFetch(local)(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x' })
    await expect(failing).rejects.toMatchObject({ code: 'service_unavailable', outcome: 'unknown', retryable: true })
  })

  test('that is refused has sent nothing, and the message names no address but the one that was asked for', async () => {
    const failing = guardedFetch({ ...local, lookup: async () => ['127.0.0.1'] })('http://localhost:1/', { method: 'POST' })
    await expect(failing).rejects.toMatchObject({
      outcome: 'not_started',
      message: "The request to 'localhost:1' failed: it refused the connection.",
    })
  })
})

describe('redirects', () => {
  const go = (status: number, to: string): string => `${site.url}/go/${status}?to=${encodeURIComponent(to)}`

  test.for([301, 302, 303, 307, 308])('%i of a GET is followed [T17]', async (status) => {
    const answer = await guardedFetch(local)(go(status, '/here'))
    expect([answer.url, text(answer), answer.redirects.length]).toEqual([`${site.url}/here`, 'here', 1])
  })

  test('are bounded in number', async () => {
    await expect(guardedFetch({ ...local, maxRedirects: 3 })(`${site.url}/loop`)).rejects.toMatchObject({ code: 'url_refused' })
    expect(site.seen.length).toBe(4)
  })

  test.for([301, 302, 307, 308])('%i of a POST does not send it again, and the outcome is unknown', async (status) => {
    const failing = guardedFetch(local)(go(status, '/here'), { method: 'POST', body: 'pay' })
    await expect(failing).rejects.toMatchObject({ code: 'url_refused', outcome: 'unknown' })
    expect(site.seen.map(({ method }) => method)).toEqual(['POST'])
  })

  test('303 of a POST reads the answer elsewhere, without the body', async () => {
    await guardedFetch(local)(go(303, '/here'), { method: 'POST', body: 'pay', headers: { 'content-type': 'text/plain' } })
    expect(site.seen.map(({ method, body }) => [method, body])).toEqual([
      ['POST', 'pay'],
      ['GET', ''],
    ])
    expect(site.seen[1]?.headers['content-type']).toBeUndefined()
  })

  test('303 of a POST to a place that is refused leaves the outcome unknown', async () => {
    const failing = guardedFetch(local)(go(303, 'http://169.254.169.254/'), { method: 'POST', body: 'pay' })
    await expect(failing).rejects.toMatchObject({ code: 'url_refused', outcome: 'unknown' })
  })

  const secrets = { authorization: 'Bearer t0p', cookie: 'a=t0p', 'x-api-key': 't0p', 'x-own': 't0p', 'accept-language': 'fr' }

  test('to another origin carry no header that could hold a secret [T17]', async () => {
    for (const to of [`${other.url}/x`, `http://localhost:${other.port}/x`]) await guardedFetch(local)(go(302, to), { headers: secrets })
    expect(other.seen.length).toBe(2)
    expect(JSON.stringify(other.seen)).not.toContain('t0p')
    expect(other.seen[0]?.headers['accept-language']).toBe('fr')
  })

  test('to another origin and back carry none either', async () => {
    const back = await localSite((_request, response) => response.writeHead(302, { location: `${site.url}/here` }).end())
    await guardedFetch(local)(go(302, `${back.url}/`), { headers: secrets })
    await back.close()
    expect(JSON.stringify(site.seen[1])).not.toContain('t0p')
  })

  test('within the origin keep them', async () => {
    await guardedFetch(local)(go(302, '/here'), { headers: secrets })
    expect(site.seen[1]?.headers).toMatchObject(secrets)
  })

  test('without a place are an answer like any other', async () => {
    expect((await guardedFetch(local)(`${site.url}/nowhere`)).status).toBe(302)
  })
})

describe('headers', () => {
  test.for([
    ['a line break in a value', { 'x-a': 'b\r\nx-injected: yes' }],
    ['a line feed in a value', { 'x-a': 'b\nx' }],
    ['a NUL', { 'x-a': 'b\u0000' }],
    ['a line break in a name', { 'x-a\r\nx-b': 'c' }],
    ['a space in a name', { 'x a': 'b' }],
    ['the host', { Host: 'internal.example' }],
    ['the length', { 'content-length': '0' }],
    ['the transfer', { 'transfer-encoding': 'chunked' }],
    ['the connection', { connection: 'upgrade' }],
    ['a proxy', { 'proxy-authorization': 'x' }],
    ['a value that is too long', { 'x-a': 'x'.repeat(9000) }],
  ])('%s is refused before anything is sent [T17]', async ([, headers]) => {
    const failing = guardedFetch(local)(site.url, { headers: headers as unknown as Record<string, string> })
    await expect(failing).rejects.toMatchObject({ code: 'invalid_input', outcome: 'not_started' })
    expect(site.seen).toEqual([])
  })

  test.for(['get', 'GET / HTTP/1.1\r\nX: y', ''])('the method %j is refused', async (method) => {
    await expect(guardedFetch(local)(site.url, { method })).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

test.for([
  [{ maxRedirects: -1 }],
  [{ maxBytes: 0 }],
  [{ timeout: 0 }],
  [{ ports: [0] }],
  [{ schemes: ['ftp'] }],
  [{ allowHosts: ['http://example.com'] }],
  [{ privateHosts: ['*'] }],
  [{ privateHosts: 'localhost' }],
  [{ hosts: [] }],
])('wrong options are found when the fetch is made: %j', ([options]) => {
  expect(() => guardedFetch(options as unknown as GuardedFetchOptions)).toThrow(expect.objectContaining({ code: 'invalid_option' }))
})
