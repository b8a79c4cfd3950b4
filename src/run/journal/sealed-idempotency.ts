import type { JsonData } from '../../tool/journal/codec.ts'
import type { Claimed, IdempotencyStore, KeyClaim } from '../../tool/ports/idempotency-store.ts'
import { inIdempotency } from './place.ts'
import type { Values } from './values.ts'

/** Keeps results as all other values of the database are kept. */
export function sealedIdempotency(store: IdempotencyStore, values: Values): IdempotencyStore {
  return {
    ...store,
    claim: async (key, claim) => {
      const place = inIdempotency(key)
      // Refused before anything is done under the key: its result could not be kept.
      values.checkWritable(place)
      const claimed = await claimUnderAnyKey(store, values, { key, claim })
      if (claimed.state === 'conflict') {
        if (claimed.inputHash !== undefined) values.checkComparable(claimed.inputHash, place)
        return { state: 'conflict' }
      }
      if (claimed.state !== 'done' || !values.isSealing) return claimed
      return { ...claimed, result: values.unseal(JSON.stringify(claimed.result), place) }
    },
    settle: (key, fence, result) =>
      store.settle(
        key,
        fence,
        result === undefined || !values.isSealing ? result : (JSON.parse(values.seal(result, inIdempotency(key))) as JsonData),
      ),
  }
}

interface Claiming {
  readonly key: string
  readonly claim: KeyClaim
}

/** A key that was claimed before a change of encryption keys has the fingerprint of its input under a former one. */
async function claimUnderAnyKey(store: IdempotencyStore, values: Values, { key, claim }: Claiming): Promise<Claimed> {
  let claimed: Claimed = { state: 'conflict' }
  for (const inputHash of values.fingerprints(claim.inputHash)) {
    claimed = await store.claim(key, { ...claim, inputHash })
    if (claimed.state !== 'conflict') break
  }
  return claimed
}
