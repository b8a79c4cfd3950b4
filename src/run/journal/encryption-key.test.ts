import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { EncryptionOptions } from '../database-options.ts'
import { encryptionKeys } from './encryption-key.ts'

const key = randomBytes(32)

test.each([
  [{ key: undefined }, /has no key.*environment.*openssl rand -base64 32.*leave database\.encryption out/],
  [{}, /has no key/],
  [null, /has no key/],
  [{ key: null }, /has no key/],
  [{ key: 7 }, /32 bytes.*of type number: database\.encryption\.key\./],
  [{ key: 'short' }, /32 bytes.*has 3: database\.encryption\.key\./],
  [{ key, formerKeys: [key, undefined] }, /of type undefined: database\.encryption\.formerKeys\[1\]/],
  [{ key, formerKeys: [null] }, /of type null: database\.encryption\.formerKeys\[0\]/],
  [{ key, formerKeys: 'a key' }, /formerKeys must be a list/],
])('an encryption such as %j is refused, and what to do is said', (given, message) => {
  const read = (): unknown => encryptionKeys(given as unknown as EncryptionOptions)
  expect(read).toThrow(expect.objectContaining({ name: 'ConfigurationError', code: 'invalid_option' }))
  expect(read).toThrow(message)
})

test('no encryption has no keys, and the same bytes have the same id in both forms', () => {
  expect(encryptionKeys(undefined)).toEqual([])
  const [first, second] = encryptionKeys({ key, formerKeys: [key.toString('base64')] })
  expect(first?.id).toBe(second?.id)
  expect(first?.id).toMatch(/^[0-9a-f]{8}$/)
})
