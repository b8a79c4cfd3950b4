import type { IdempotencyStore } from '../../tool/ports/idempotency-store.ts'

/** A store of keys that is opened with the first key. */
export function lazyIdempotency(open: () => Promise<IdempotencyStore>): IdempotencyStore {
  return {
    claim: async (key, claim) => (await open()).claim(key, claim),
    renew: async (key, fence, leaseMs) => (await open()).renew(key, fence, leaseMs),
    settle: async (key, fence, result) => (await open()).settle(key, fence, result),
    changed: async (key, ms, signal) => (await open()).changed?.(key, ms, signal),
  }
}
