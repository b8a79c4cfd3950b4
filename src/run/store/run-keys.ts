import type { Claimed, IdempotencyStore, KeyClaim } from '../../tool/ports/idempotency-store.ts'
import type { Claim } from './run-queue.ts'

/** The keys of `idempotent` tools. */
export interface RunKeys extends IdempotencyStore {
  /**
   * A claim for a step of a run. Undefined, and nothing is claimed, where the run is not under way under this epoch any more: a worker that has
   * lost it would hold the key for nobody.
   */
  readonly claimIn: (run: Claim, key: string, claim: KeyClaim) => Promise<Claimed | undefined>
  /** Removes keys whose time is over. */
  readonly sweep: () => Promise<unknown>
}
