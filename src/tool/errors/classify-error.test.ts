import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tool } from '../tool.ts'
import { classifyError } from './classify-error.ts'
import { ConfigurationError } from './configuration-error.ts'
import { FAILURES } from './error-codes.ts'
import { ToolError } from './tool-error.ts'

/** What is thrown, and what it means: code and outcome. */
type Case = readonly [thrown: unknown, code: keyof typeof FAILURES, outcome: 'not_started' | 'failed' | 'unknown']

const withFields = (fields: object, message = 'It went wrong.'): Error => Object.assign(new Error(message), fields)

function classifies(cases: readonly Case[], shown: (thrown: unknown) => string): void {
  test.each(cases.map(([thrown, code, outcome]) => [shown(thrown), code, outcome, thrown] as const))(
    '%s is %s, and the effect %s [H1]',
    (_shown, code, outcome, thrown) => {
      const { class: errorClass, hint } = FAILURES[code]
      expect(classifyError(thrown)).toMatchObject({ name: 'ToolError', code, outcome, class: errorClass, hint, cause: thrown })
    },
  )
}

describe('an HTTP status', () => {
  const cases: readonly (readonly [number, Case[1], Case[2]])[] = [
    [400, 'invalid_request', 'failed'],
    [401, 'access_denied', 'failed'],
    [402, 'access_denied', 'failed'],
    [403, 'access_denied', 'failed'],
    [404, 'not_found', 'failed'],
    [405, 'invalid_request', 'failed'],
    [407, 'access_denied', 'failed'],
    [408, 'service_unavailable', 'unknown'],
    [499, 'service_unavailable', 'unknown'],
    [409, 'conflict', 'failed'],
    [410, 'not_found', 'failed'],
    [412, 'conflict', 'failed'],
    [413, 'invalid_request', 'failed'],
    [418, 'invalid_request', 'failed'],
    [422, 'invalid_request', 'failed'],
    [423, 'conflict', 'failed'],
    [425, 'service_unavailable', 'failed'],
    [429, 'rate_limited', 'failed'],
    [500, 'upstream_error', 'unknown'],
    [501, 'upstream_error', 'failed'],
    [502, 'service_unavailable', 'unknown'],
    [503, 'service_unavailable', 'failed'],
    [504, 'service_unavailable', 'unknown'],
    [505, 'upstream_error', 'failed'],
    [529, 'service_unavailable', 'failed'],
    [599, 'upstream_error', 'unknown'],
  ]
  classifies(
    cases.map(([status, code, outcome]) => [withFields({ status }), code, outcome]),
    (thrown) => String((thrown as { status: number }).status),
  )

  test.each([
    ['statusCode', { statusCode: 404 }],
    ['response.status, as axios has it', { response: { status: 404, headers: {}, data: {} }, code: 'ERR_BAD_REQUEST', isAxiosError: true }],
    ['response.statusCode', { response: { statusCode: 404 } }],
    ['$metadata.httpStatusCode', { $metadata: { httpStatusCode: 404 } }],
    ['code', { code: 404 }],
    ['code as text', { code: '404' }],
    ['status as text', { status: '404' }],
  ])('is found as %s [H1]', (_where, fields) => {
    expect(classifyError(withFields(fields))).toMatchObject({ code: 'not_found' })
  })

  test('of a Response that was thrown is found, and the status is all that is said [H1]', () => {
    expect(classifyError(new Response('', { status: 503 }))).toMatchObject({ code: 'service_unavailable' })
  })

  test.each([200, 302, 399, 600, 1000, -404])('%d says nothing of a failure', (status) => {
    expect(classifyError(withFields({ status }))).toMatchObject({ code: 'tool_failed' })
  })

  test('of a service that will never do it is not retried [H1]', () => {
    expect(classifyError(withFields({ status: 501 })).retryable).toBe(false)
    expect(classifyError(withFields({ status: 500 })).retryable).toBe(true)
  })
})

describe('an SQLSTATE', () => {
  const pg = (code: string): Error =>
    withFields({ code, severity: 'ERROR', schema: 'public', routine: 'exec' }, 'relation "x" does not exist')
  const cases: readonly (readonly [string, Case[1], Case[2]])[] = [
    ['08006', 'service_unavailable', 'unknown'],
    ['08001', 'service_unavailable', 'not_started'],
    ['0A000', 'invalid_request', 'failed'],
    ['22P02', 'invalid_request', 'failed'],
    ['23505', 'conflict', 'failed'],
    ['23503', 'conflict', 'failed'],
    ['23502', 'invalid_request', 'failed'],
    ['23514', 'invalid_request', 'failed'],
    ['25006', 'access_denied', 'failed'],
    ['28P01', 'access_denied', 'not_started'],
    ['3D000', 'not_found', 'not_started'],
    ['40001', 'service_unavailable', 'failed'],
    ['40P01', 'service_unavailable', 'failed'],
    ['40003', 'service_unavailable', 'unknown'],
    ['42601', 'invalid_request', 'failed'],
    ['42P01', 'invalid_request', 'failed'],
    ['42501', 'access_denied', 'failed'],
    ['53300', 'service_unavailable', 'failed'],
    ['54001', 'invalid_request', 'failed'],
    ['55P03', 'service_unavailable', 'failed'],
    ['57014', 'deadline_exceeded', 'failed'],
    ['57P01', 'service_unavailable', 'unknown'],
    ['XX000', 'upstream_error', 'unknown'],
    ['P0001', 'tool_failed', 'failed'],
  ]
  classifies(
    cases.map(([code, verdict, outcome]) => [pg(code), verdict, outcome]),
    (thrown) => (thrown as { code: string }).code,
  )

  test('beside a code of its own, as MySQL has it, is found [H1]', () => {
    expect(classifyError(withFields({ code: 'ER_DUP_ENTRY', errno: 1062, sqlState: '23000' }))).toMatchObject({ code: 'conflict' })
    expect(classifyError(withFields({ code: 'ER_LOCK_WAIT_TIMEOUT', sqlState: 'HY000' }))).toMatchObject({ code: 'service_unavailable' })
  })

  test('SQLite names what it means [H1]', () => {
    expect(classifyError(withFields({ code: 'SQLITE_BUSY' }))).toMatchObject({ code: 'service_unavailable', outcome: 'failed' })
    expect(classifyError(withFields({ code: 'SQLITE_CONSTRAINT_UNIQUE' }))).toMatchObject({ code: 'conflict' })
    expect(classifyError(withFields({ code: 'SQLITE_READONLY' }))).toMatchObject({ code: 'access_denied' })
  })
})

describe('a system code', () => {
  const cases: readonly (readonly [string, Case[1], Case[2]])[] = [
    ['ECONNREFUSED', 'service_unavailable', 'not_started'],
    ['ENOTFOUND', 'service_unavailable', 'not_started'],
    ['EAI_AGAIN', 'service_unavailable', 'not_started'],
    ['EHOSTUNREACH', 'service_unavailable', 'not_started'],
    ['UND_ERR_CONNECT_TIMEOUT', 'service_unavailable', 'not_started'],
    ['ECONNRESET', 'service_unavailable', 'unknown'],
    ['EPIPE', 'service_unavailable', 'unknown'],
    ['ETIMEDOUT', 'service_unavailable', 'unknown'],
    ['UND_ERR_SOCKET', 'service_unavailable', 'unknown'],
    ['UND_ERR_HEADERS_TIMEOUT', 'service_unavailable', 'unknown'],
    ['EBUSY', 'service_unavailable', 'failed'],
    ['EMFILE', 'service_unavailable', 'failed'],
    ['ENOENT', 'not_found', 'failed'],
    ['EACCES', 'access_denied', 'failed'],
    ['EPERM', 'access_denied', 'failed'],
    ['EROFS', 'access_denied', 'failed'],
    ['EEXIST', 'conflict', 'failed'],
    ['EISDIR', 'invalid_request', 'failed'],
    ['ENAMETOOLONG', 'invalid_request', 'failed'],
    ['ENOSPC', 'tool_crashed', 'failed'],
    ['CERT_HAS_EXPIRED', 'upstream_error', 'not_started'],
    ['ABORT_ERR', 'cancelled', 'unknown'],
  ]
  classifies(
    cases.map(([code, verdict, outcome]) => [withFields({ code }), verdict, outcome]),
    (thrown) => (thrown as { code: string }).code,
  )

  test('is found a few causes down, and not for ever [H1]', () => {
    const inner = withFields({ code: 'ECONNRESET' })
    expect(classifyError(new Error('a', { cause: new Error('b', { cause: inner }) }))).toMatchObject({ code: 'service_unavailable' })
    const loop = new Error('loop')
    loop.cause = loop
    expect(classifyError(loop)).toMatchObject({ code: 'tool_failed' })
  })

  test.each(['__proto__', 'constructor', 'toString', 'NOT_KNOWN', '', '12345', 'ABCDE'])('%o means nothing', (code) => {
    expect(classifyError(withFields({ code }))).toMatchObject({ code: 'tool_failed', message: 'It went wrong.' })
  })
})

describe('JSON-RPC, as MCP servers speak it', () => {
  const cases: readonly (readonly [number, Case[1], Case[2]])[] = [
    [-32700, 'invalid_request', 'not_started'],
    [-32600, 'invalid_request', 'not_started'],
    [-32601, 'not_found', 'not_started'],
    [-32602, 'invalid_request', 'not_started'],
    [-32603, 'upstream_error', 'unknown'],
    [-32000, 'upstream_error', 'unknown'],
    [-32001, 'service_unavailable', 'unknown'],
    [-32002, 'not_found', 'failed'],
    [-32050, 'upstream_error', 'unknown'],
    [-1, 'tool_failed', 'failed'],
  ]
  classifies(
    cases.map(([code, verdict, outcome]) => [withFields({ code }, 'MCP error'), verdict, outcome]),
    (thrown) => String((thrown as { code: number }).code),
  )
})

describe('a real fetch', () => {
  const server = createServer((request) => request.socket.resetAndDestroy())
  let port = 0
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => new Promise((done) => server.close(done)))

  const thrownBy = async (work: () => Promise<unknown>): Promise<unknown> => {
    try {
      await work()
    } catch (error) {
      return error
    }
    throw new Error('nothing was thrown')
  }

  test('against a closed port never started [H1]', async () => {
    const closed = createServer()
    await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done))
    const { port: closedPort } = closed.address() as AddressInfo
    await new Promise((done) => closed.close(done))
    const error = classifyError(await thrownBy(() => fetch(`http://127.0.0.1:${closedPort}`)))
    expect(error).toMatchObject({ code: 'service_unavailable', class: 'transient', retryable: true, outcome: 'not_started' })
    expect(error.message).toMatch(/^fetch failed: .*ECONNREFUSED/)
  })

  test('whose connection is reset may have taken effect [H1]', async () => {
    const error = classifyError(await thrownBy(() => fetch(`http://127.0.0.1:${port}`)))
    expect(error).toMatchObject({ code: 'service_unavailable', class: 'transient', outcome: 'unknown' })
  })

  test('that is aborted is cancelled [H1]', async () => {
    const error = classifyError(await thrownBy(() => fetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.abort() })))
    expect(error).toMatchObject({ code: 'cancelled', class: 'cancelled', retryable: false, outcome: 'unknown' })
  })

  test('that takes too long by its own limit is transient [H1]', async () => {
    const error = classifyError(new DOMException('The operation timed out.', 'TimeoutError'))
    expect(error).toMatchObject({ code: 'service_unavailable', class: 'transient', outcome: 'unknown' })
  })

  test('of an address that is none is a wrong input or a wrong answer [H1]', async () => {
    expect(classifyError(await thrownBy(() => fetch('no address')))).toMatchObject({ code: 'invalid_request' })
  })

  test('and a wait that is aborted are cancelled alike [H1]', async () => {
    expect(classifyError(await thrownBy(() => sleep(1000, undefined, { signal: AbortSignal.abort() })))).toMatchObject({
      code: 'cancelled',
    })
  })
})

describe('how long to wait', () => {
  const waits = (fields: object): number | undefined => classifyError(withFields({ status: 429, ...fields })).retryAfterMs

  test.each([
    ['seconds', { headers: { 'retry-after': '7' } }, 7000],
    ['fractions of a second', { headers: { 'retry-after': '0.5' } }, 500],
    ['a number', { headers: { 'retry-after': 7 } }, 7000],
    ['any case', { headers: { 'Retry-After': '7' } }, 7000],
    ['a list', { headers: { 'retry-after': ['7', '8'] } }, 7000],
    ['a Headers object', { headers: new Headers({ 'retry-after': '7' }) }, 7000],
    ['the headers of a response', { response: { status: 429, headers: { 'retry-after': '7' } } }, 7000],
    ['responseHeaders', { responseHeaders: { 'retry-after': '7' } }, 7000],
    ['milliseconds', { headers: { 'retry-after-ms': '250', 'retry-after': '7' } }, 250],
    ['a field of the error itself', { retryAfterMs: 250 }, 250],
    ['more than a day', { headers: { 'retry-after': '99999999' } }, 86_400_000],
    ['a date far ahead', { headers: { 'retry-after': 'Fri, 31 Dec 2999 23:59:59 GMT' } }, 86_400_000],
    ['a date long past', { headers: { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' } }, 0],
    ['less than nothing', { headers: { 'retry-after': '-5' } }, 0],
    ['nonsense', { headers: { 'retry-after': 'soon' } }, undefined],
    ['a blank', { headers: { 'retry-after': ' ' } }, undefined],
    ['no number', { retryAfterMs: Number.NaN }, undefined],
    ['nothing', {}, undefined],
  ])('is read from %s [H1]', (_where, fields, ms) => {
    expect(waits(fields)).toBe(ms)
  })

  test('a date counts from now [H1]', () => {
    const ms = waits({ headers: { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() } })
    expect(ms).toBeGreaterThan(3_500_000)
    expect(ms).toBeLessThanOrEqual(3_600_000)
  })

  test('is said of an unavailable service too, and of nothing else [H1]', () => {
    const headers = { 'retry-after': '7' }
    expect(classifyError(withFields({ status: 503, headers })).retryAfterMs).toBe(7000)
    expect(classifyError(withFields({ status: 404, headers })).retryAfterMs).toBeUndefined()
  })
})

describe('whatever else is thrown', () => {
  classifies(
    [
      [new Error('No such customer.'), 'tool_failed', 'failed'],
      [new TypeError('x is not a function'), 'tool_crashed', 'failed'],
      [new ReferenceError('x is not defined'), 'tool_crashed', 'failed'],
      [new RangeError('Maximum call stack size exceeded'), 'tool_crashed', 'failed'],
      [Object.assign(new TypeError('x'), { code: 'ERR_INVALID_ARG_TYPE' }), 'tool_crashed', 'failed'],
      [new AggregateError([new Error('a')], 'All failed.'), 'tool_failed', 'failed'],
      [Object.freeze(withFields({ status: 404 })), 'not_found', 'failed'],
      ['a text', 'tool_failed', 'failed'],
      [{ status: 404, message: 'No such page.' }, 'not_found', 'failed'],
    ],
    String,
  )

  test.each([
    [new Error(''), 'The tool failed without a message.'],
    [new Error(' \n'), 'The tool failed without a message.'],
    [undefined, 'The tool failed without a message.'],
    [null, 'The tool failed without a message.'],
    ['', 'The tool failed without a message.'],
    ['  ', 'The tool failed without a message.'],
    [{}, 'The tool failed without a message.'],
    [[], 'The tool failed without a message.'],
    [{ message: 5 }, 'The tool failed without a message.'],
    [() => 'source text', 'The tool failed without a message.'],
    [new ToolError(''), 'The tool failed without a message.'],
    ['It broke.', 'It broke.'],
    [404, '404'],
    [Symbol('odd'), 'Symbol(odd)'],
    [Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [new Error('', { cause: new Error('The disk is full.') }), 'The disk is full.'],
    [new TypeError('fetch failed', { cause: new Error('The socket was closed.') }), 'fetch failed: The socket was closed.'],
    [new TypeError('fetch failed', { cause: 'offline' }), 'fetch failed: offline'],
  ])('%o says: %s [T6]', (thrown, message) => {
    expect(classifyError(thrown).message).toBe(message)
  })

  test('a ToolError is itself', () => {
    const error = new ToolError('No such customer.', { class: 'not_found' })
    expect(classifyError(error)).toBe(error)
  })

  const hostile: readonly (readonly [string, () => unknown])[] = [
    [
      'an accessor that throws',
      () => Object.defineProperties({}, { message: { get: throws }, code: { get: throws }, status: { get: throws } }),
    ],
    ['an accessor of an Error that throws', () => Object.defineProperty(new Error('x'), 'cause', { get: throws })],
    ['a proxy that throws', () => new Proxy({}, { get: throws, has: throws, ownKeys: throws })],
    [
      'a proxy that was revoked',
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {})
        revoke()
        return proxy
      },
    ],
    ['headers that throw', () => ({ status: 429, headers: { get: throws } })],
    ['an object without a prototype', () => Object.create(null) as unknown],
  ]

  test.each(hostile)('%s is a failure, never a throw [H1] [T7]', (_what, make) => {
    const thrown = make()
    const error = classifyError(thrown)
    expect(error.message.length).toBeGreaterThan(0)
    expect(Object.hasOwn(FAILURES, error.code)).toBe(true)
    expect(error.cause).toBe(thrown)
  })
})

function throws(): never {
  throw new Error('do not look')
}

test('what a tool throws is classified by the door [H1] [T7]', async () => {
  const it = tool({
    name: 'it',
    description: 'd',
    execute: () => {
      throw withFields({ status: 429, headers: { 'retry-after': '2' } }, 'Slow down.')
    },
  })
  await expect(it.call('')).resolves.toMatchObject({
    ok: false,
    text: 'Error: Slow down.',
    error: { code: 'rate_limited', class: 'rate_limited', retryable: true, retryAfterMs: 2000, outcome: 'failed' },
  })
})

test('a configuration error is not classified: it passes [T7]', async () => {
  const it = tool({
    name: 'it',
    description: 'd',
    execute: () => {
      throw new ConfigurationError('missing_service', 'no database')
    },
  })
  await expect(it.call('')).rejects.toMatchObject({ name: 'ConfigurationError' })
})
