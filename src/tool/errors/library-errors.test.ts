import { DatabaseSync } from 'node:sqlite'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { errorOf, LIBRARY_ERRORS, refused } from '../../../test/fixtures/library-errors.ts'
import { MORE_LIBRARY_ERRORS } from '../../../test/fixtures/more-library-errors.ts'
import { SERVICE_ERRORS } from '../../../test/fixtures/service-errors.ts'
import { tool } from '../tool.ts'
import { classifyError } from './classify-error.ts'
import type { FailureCode } from './error-codes.ts'
import { ToolError } from './tool-error.ts'

describe('errors of libraries', () => {
  test.each(
    [...LIBRARY_ERRORS, ...MORE_LIBRARY_ERRORS, ...SERVICE_ERRORS].map((row) => ({ row, shown: `${row[0]}: ${row[1][1]}`, code: row[2] })),
  )('$shown is $code [H1]', ({ row }) => {
    const [, shape, code, outcome, retryAfter] = row
    const error = classifyError(errorOf(shape))
    expect(error).toMatchObject({ code, outcome })
    expect(error.retryAfterMs).toBe(retryAfter)
  })
})

describe('errors that say by their name alone what they are', () => {
  test.each<[string, FailureCode]>([
    ['OrderNotFoundError', 'not_found'],
    ['RateLimitExceededError', 'rate_limited'],
    ['UnauthorizedException', 'access_denied'],
    ['DuplicateKeyException', 'conflict'],
    ['ServiceUnavailableError', 'service_unavailable'],
    ['PaymentDeclinedError', 'tool_failed'],
    ['InternalError', 'tool_failed'],
  ])('%s is %s, and nobody knows whether the effect came before [H1]', async (name, code) => {
    const thrown = errorOf([name, 'x'])
    expect(classifyError(thrown).code).toBe(code)
    const pay = tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: () => Promise.reject(thrown) })
    expect(await pay.call('x')).toMatchObject({ ok: false, error: { code, outcome: 'unknown' } })
  })

  test('what is behind an error says more than its name [H1]', () => {
    const thrown = errorOf(['InvalidOrderError', 'x', { cause: errorOf(['Error', 'connect', refused]) }])
    expect(classifyError(thrown)).toMatchObject({ code: 'service_unavailable', outcome: 'not_started' })
  })
})

describe('errors behind errors', () => {
  const lost = errorOf(['Error', 'read ECONNRESET', { code: 'ECONNRESET' }])
  const unreached = errorOf(['Error', 'connect ECONNREFUSED', refused])

  test('of several side by side, one whose effect may have happened counts [H1]', () => {
    expect(classifyError(new AggregateError([unreached, unreached]))).toMatchObject({ code: 'service_unavailable', outcome: 'not_started' })
    expect(classifyError(new AggregateError([unreached, lost]))).toMatchObject({ code: 'service_unavailable', outcome: 'unknown' })
  })

  test('a failure of a tool that was wrapped keeps its meaning [H1]', () => {
    const inner = new ToolError('Nobody said yes.', { code: 'rejected', outcome: 'not_started' })
    expect(classifyError(new Error('The agent failed.', { cause: inner }))).toMatchObject({ code: 'rejected', outcome: 'not_started' })
  })

  test('errors that refer to each other are looked at once [H1]', () => {
    const [a, b] = [errorOf(['TimeoutError', 'a']), errorOf(['TimeoutError', 'b'])]
    Object.assign(a, { cause: b })
    Object.assign(b, { cause: a, errors: [a, b, a] })
    expect(classifyError(a)).toMatchObject({ code: 'service_unavailable', outcome: 'unknown' })
    const many = new AggregateError(Array.from({ length: 100_000 }, () => new Error('x')))
    expect(classifyError(many)).toMatchObject({ code: 'tool_failed' })
  })
})

test.each([() => new URL('no url'), () => decodeURIComponent('%'), () => atob('a')])(
  'a text that cannot be read may be the answer to an effect: %s [H1]',
  async (read) => {
    const pay = tool({ name: 'pay', description: 'd', effect: 'write', execute: () => String(read()) })
    expect(await pay.call('')).toMatchObject({ ok: false, error: { code: 'invalid_request', outcome: 'unknown' } })
  },
)

describe('how long to wait, without Retry-After', () => {
  const waits = (headers: object): number | undefined =>
    classifyError(Object.assign(new Error('Slow down'), { status: 429, headers })).retryAfterMs

  test.each([
    ['seconds until the budget is full', { 'ratelimit-remaining': '0', 'ratelimit-reset': '12' }, 12_000],
    ['seconds after which', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '1.5' }, 1500],
    ['a budget that is not used up says nothing', { 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': '12' }, undefined],
    ['nothing that can be read', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' }, undefined],
  ])('%s', (_what, headers, ms) => {
    expect(waits(headers)).toBe(ms)
  })

  test('a moment in seconds since 1970', () => {
    const at = Math.floor(Date.now() / 1000) + 60
    const ms = waits({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(at) }) ?? 0
    expect(ms).toBeGreaterThan(50_000)
    expect(ms).toBeLessThanOrEqual(60_000)
  })
})

describe('real errors of Node', () => {
  const thrownBy = async (work: () => unknown): Promise<unknown> => {
    try {
      await work()
    } catch (error) {
      return error
    }
    throw new Error('nothing was thrown')
  }
  const database = new DatabaseSync(':memory:')
  database.exec('create table a (id integer primary key, b text not null unique, c int check (c > 0))')
  database.exec("insert into a values (1, 'x', 1)")

  test.each<[string, FailureCode]>([
    ["insert into a values (1, 'y', 1)", 'conflict'],
    ["insert into a values (2, 'x', 1)", 'conflict'],
    ['insert into a values (3, null, 1)', 'invalid_request'],
    ["insert into a values (4, 'z', -1)", 'invalid_request'],
    ['selec 1', 'invalid_request'],
    ['select * from nowhere', 'invalid_request'],
  ])('node:sqlite: %s is %s [H1]', async (statement, code) => {
    expect(classifyError(await thrownBy(() => database.prepare(statement).run()))).toMatchObject({ code, outcome: 'failed' })
  })

  test('a program that ran out of time may have taken effect, one that does not exist has not [H1]', async () => {
    const run = promisify(execFile)
    const late = await thrownBy(() => run(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { timeout: 50 }))
    expect(classifyError(late)).toMatchObject({ code: 'service_unavailable', outcome: 'unknown' })
    expect(classifyError(await thrownBy(() => run('no-such-program')))).toMatchObject({ code: 'not_found' })
  })
})
