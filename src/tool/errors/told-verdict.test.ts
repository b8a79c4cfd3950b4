import { describe, expect, test } from 'vitest'
import { tool } from '../tool.ts'
import { classifyError } from './classify-error.ts'

/** Sentences that a tool may throw, each with the code that its words carry. */
describe('an error that has nothing but a sentence', () => {
  test.each([
    ['HTTP error! status: 404', 'not_found'],
    ['HTTP/1.1 502', 'service_unavailable'],
    ['HTTP 429: slow down', 'rate_limited'],
    ['Request failed with status code 401', 'access_denied'],
    ['The server responded with a status of 404 (Not Found)', 'not_found'],
    ['upstream returned error 503', 'service_unavailable'],
    ['status=422', 'invalid_request'],
    ['429 Too Many Requests', 'rate_limited'],
    ['GET /a: 409 Conflict', 'conflict'],
    ['Error code: 400 - bad model', 'invalid_request'],
    ['Step 2 failed: connect ECONNREFUSED 127.0.0.1:80', 'service_unavailable'],
    ['Cannot load the index: ENOENT: no such file or directory', 'not_found'],
    ['Unable to connect to the database', 'service_unavailable'],
    ['could not reach the search service', 'service_unavailable'],
    ['Step 2: the query timed out after 30 s', 'service_unavailable'],
    ['The provider says: rate limit exceeded', 'rate_limited'],
  ])('%s [H1]', (message, code) => {
    expect(classifyError(new Error(message)).code).toBe(code)
    expect(classifyError(message).code).toBe(code)
    expect(classifyError(`Error: ${message}`).code).toBe(code)
  })

  test.each([
    'returned 500 rows',
    'Found 404 items',
    'failed with 500 errors',
    'Invoice 502 is locked',
    'status 4045',
    'code 500 is a product code',
    'port 443: 500 ok',
    'The EXTREME value is an ERROR',
    'I cannot reach a decision',
    'Could not reach agreement on the price',
    'Failed to connect the dots',
    'Room 429 has too many guests',
    'The timeout must be below 60 seconds',
    'The rate limit of the account is 5',
  ])('%s says nothing about a service [H1]', (message) => {
    expect(classifyError(new Error(message)).code).toBe('tool_failed')
    expect(classifyError(message).code).toBe('tool_failed')
  })

  test.each(['HTTP error! status: 404', 'Step 2 failed: connect ECONNREFUSED 127.0.0.1:80', '429 Too Many Requests'])(
    'after %s nobody knows whether the effect came before [H1]',
    async (message) => {
      for (const thrown of [new Error(message), message]) {
        const pay = tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: () => Promise.reject(thrown) })
        expect(await pay.call('x')).toMatchObject({ ok: false, error: { outcome: 'unknown' } })
      }
    },
  )
})
