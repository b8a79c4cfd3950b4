import type { JsonData } from '../../tool/journal/codec.ts'
import type { IdempotencyStore } from '../../tool/ports/idempotency-store.ts'
import { inIdempotency } from './place.ts'
import type { Values } from './values.ts'

/** Keeps results as all other values of the database are kept. */
export function sealedIdempotency(store: IdempotencyStore, values: Values): IdempotencyStore {
  if (!values.isSealing) return store
  return {
    ...store,
    claim: async (key, claim) => {
      const claimed = await store.claim(key, { ...claim, inputHash: values.fingerprint(claim.inputHash) })
      return claimed.state === 'done' ? { ...claimed, result: values.unseal(JSON.stringify(claimed.result), inIdempotency(key)) } : claimed
    },
    settle: (key, fence, result) =>
      store.settle(key, fence, result === undefined ? undefined : (JSON.parse(values.seal(result, inIdempotency(key))) as JsonData)),
  }
}
