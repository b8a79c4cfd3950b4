import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { signatureHeaders, verifyWebhookSignature } from './verify-webhook-signature.ts'

const secret = 'a secret that both sides know'
const body = '{"tool":"pay"}'
const now = () => 1_700_000_000_000
const headers = signatureHeaders(secret, { id: 'r1', timestamp: '1700000000', body })

test('the signature is an HMAC over id, timestamp and body, for receivers in any language [T15]', () => {
  expect(headers).toEqual({
    'toolwright-id': 'r1',
    'toolwright-timestamp': '1700000000',
    'toolwright-signature': `v1=${createHmac('sha256', secret).update(`r1.1700000000.${body}`).digest('hex')}`,
  })
})

test('a genuine message passes, from plain headers, from Headers, and with a body of bytes [T15]', () => {
  expect(verifyWebhookSignature({ headers, body, secret, now })).toBe(true)
  expect(verifyWebhookSignature({ headers: new Headers(headers), body, secret, now })).toBe(true)
  expect(verifyWebhookSignature({ headers, body: new TextEncoder().encode(body), secret, now })).toBe(true)
})

test.each([
  ['another secret', { secret: 'another' }],
  ['an empty secret', { secret: '' }],
  ['another body', { body: '{"tool":"mail"}' }],
  ['another id', { headers: { ...headers, 'toolwright-id': 'r2' } }],
  ['another timestamp', { headers: { ...headers, 'toolwright-timestamp': '1700000001' } }],
  ['a timestamp that is no number', { headers: { ...headers, 'toolwright-timestamp': 'NaN' } }],
  ['a signature of another length', { headers: { ...headers, 'toolwright-signature': 'v1=00' } }],
  [
    'a signature of another version',
    { headers: { ...headers, 'toolwright-signature': headers['toolwright-signature']?.replace('v1', 'v2') } },
  ],
  ['a signature that came twice', { headers: { ...headers, 'toolwright-signature': [headers['toolwright-signature'] ?? '', 'v1=00'] } }],
  ['no headers at all', { headers: {} }],
])('%s fails [T15]', (_name, change) => {
  expect(verifyWebhookSignature({ headers, body, secret, now, ...change })).toBe(false)
})

test('a signature made with an empty secret never passes [T15]', () => {
  const forged = signatureHeaders('', { id: 'r1', timestamp: '1700000000', body })
  expect(verifyWebhookSignature({ headers: forged, body, secret: '', now })).toBe(false)
})

test('a message that is too old, or comes from the future, fails [T15]', () => {
  const at = (ms: number, tolerance?: '10s') => verifyWebhookSignature({ headers, body, secret, tolerance, now: () => now() + ms })
  expect([at(300_000), at(300_001), at(-300_000), at(-300_001)]).toEqual([true, false, true, false])
  expect([at(10_000, '10s'), at(10_001, '10s')]).toEqual([true, false])
})

test('without a clock of its own, the present counts', () => {
  expect(verifyWebhookSignature({ headers, body, secret })).toBe(false)
  const fresh = signatureHeaders(secret, { id: 'r1', timestamp: String(Math.floor(Date.now() / 1000)), body })
  expect(verifyWebhookSignature({ headers: fresh, body, secret })).toBe(true)
})
