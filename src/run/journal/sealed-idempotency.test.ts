import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { memoryIdempotency } from '../../combinators/idempotent/memory-idempotency.ts'
import type { KeyClaim } from '../../tool/ports/idempotency-store.ts'
import type { EncryptionOptions } from '../database-options.ts'
import { sealedIdempotency } from './sealed-idempotency.ts'
import { Values } from './values.ts'

const [A, B] = [randomBytes(32), randomBytes(32)]
const claim: KeyClaim = { tool: 'pay@0.0.0', inputHash: 'hash', holder: 'one', leaseMs: 1000, keepMs: 1000, takesOver: false }
const another = { ...claim, holder: 'two' }

/** A store that was used with one encryption, and is used with another one. */
async function changed(before: EncryptionOptions | undefined, after: EncryptionOptions | undefined) {
  const store = memoryIdempotency()
  const first = sealedIdempotency(store, new Values(before))
  const claimed = await first.claim('k', claim)
  if (claimed.state === 'mine') await first.settle('k', claimed.fence, { paid: 7 })
  return sealedIdempotency(store, new Values(after))
}

describe('a key that was settled before the encryption changed', () => {
  test('gives its answer where the key of that time is among the former ones', async () => {
    const store = await changed({ key: A }, { key: B, formerKeys: [randomBytes(32), A] })
    expect(await store.claim('k', another)).toEqual({ state: 'done', result: { paid: 7 } })
    expect(await store.claim('k', { ...another, inputHash: 'other' })).toEqual({ state: 'conflict' })
  })

  test('goes on being held by its holder', async () => {
    const store = await changed({ key: A }, { key: B, formerKeys: [A] })
    expect(await store.claim('k', claim)).toMatchObject({ state: 'mine' })
  })

  test.each([
    ['another key', { key: B }],
    ['no key', undefined],
  ])('is not called one of another input where there is %s', async (_title, after) => {
    const store = await changed({ key: A }, after)
    await expect(store.claim('k', another)).rejects.toMatchObject({ code: 'missing_encryption_key' })
  })

  test('has to be sealed first where there was no key', async () => {
    const store = await changed(undefined, { key: A })
    await expect(store.claim('k', another)).rejects.toMatchObject({ code: 'unsealed_value' })
  })
})

test('nothing is claimed without a key where the database holds sealed values', async () => {
  const store = memoryIdempotency()
  const values = new Values()
  values.refusePlain()
  await expect(sealedIdempotency(store, values).claim('k', claim)).rejects.toMatchObject({ code: 'missing_encryption_key' })
  expect(await store.claim('k', another)).toMatchObject({ state: 'mine' })
})
