import { createConnection } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from '../../test/fixtures/free-port.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import { storeError } from './store-error.ts'

test.each([
  ['ECONNREFUSED', 'store_unavailable', 'not_started', true],
  ['57P03', 'store_unavailable', 'not_started', true],
  ['53300', 'store_unavailable', 'not_started', true],
  ['57P01', 'store_unavailable', 'unknown', true],
  ['ECONNRESET', 'store_unavailable', 'unknown', true],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'store_unavailable', 'not_started', false],
  ['28P01', 'store_credentials', 'not_started', false],
  ['28000', 'store_credentials', 'not_started', false],
  ['3D000', 'store_credentials', 'not_started', false],
  ['53100', 'store_full', 'failed', false],
  ['ENOSPC', 'store_full', 'failed', false],
  ['23505', 'conflict', 'failed', false],
])('%s is %s, outcome %s', (code, expected, outcome, retryable) => {
  const cause = Object.assign(new Error('told by the database'), { code })
  const error = storeError(cause)
  expect(error).toMatchObject({ code: expected, outcome, retryable, cause })
  expect(error.message).toContain('told by the database')
})

test.each([
  ['Connection terminated unexpectedly', 'unknown'],
  ['timeout exceeded when trying to connect', 'not_started'],
  ['Client has encountered a connection error and is not queryable', 'unknown'],
])('%s, as the driver says it, is store_unavailable', (message, outcome) => {
  expect(storeError(new Error(message))).toMatchObject({ code: 'store_unavailable', outcome })
})

test('a host of several addresses is told with what each of them said', async () => {
  const port = await freePort()
  const refused = await new Promise<Error>((resolve) => createConnection({ host: '127.0.0.1', port }).once('error', resolve))
  const error = storeError(Object.assign(new AggregateError([refused, refused], ''), { code: 'ECONNREFUSED' }))
  expect(error.message).toBe(`The database cannot be reached: ${refused.message}, ${refused.message}`)
})

test('an error that has a code of ours already keeps it', () => {
  const error = new ToolError('full', { code: 'store_full' })
  expect(storeError(error)).toBe(error)
})
