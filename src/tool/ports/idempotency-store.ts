import type { JsonData } from '../journal/codec.ts'

/** A claim of a key. */
export interface KeyClaim {
  /** `name@version` of the tool, for readers of the store. */
  readonly tool: string
  /** A key belongs to one input: another hash is a conflict. */
  readonly inputHash: string
  /** The same holder gets its own claim again, settled or not. */
  readonly holder: string
  /** A holder without a renewal for this long counts as dead. */
  readonly leaseMs: number
  /** How long the key is kept after its last change. */
  readonly keepMs: number
  /** Repeating does no harm: a claim whose holder died is taken over. */
  readonly takesOver: boolean
}

/** The answer to a claim. */
export type Claimed =
  /** The caller holds the key, and uses this fence to renew and settle it. */
  | { readonly state: 'mine'; readonly fence: number }
  | { readonly state: 'done'; readonly result: JsonData }
  /** Another holder has it, for at least this long unless it settles or renews. */
  | { readonly state: 'busy'; readonly retryInMs: number }
  /** The key belongs to another input, whose hash a store may tell. A store that does not lets no one see that the encryption key differs. */
  | { readonly state: 'conflict'; readonly inputHash?: string | undefined }
  /** A holder died or left the outcome open, and the claim does not take over. */
  | { readonly state: 'abandoned' }

/**
 * Where `idempotent` keeps its keys. At most one caller holds a key at a time. Every new holder gets a higher fence, so that writes of a
 * holder that counted as dead are refused.
 */
export interface IdempotencyStore {
  readonly claim: (key: string, claim: KeyClaim) => Promise<Claimed>
  /** Holds on for so long from now; 0 leaves the outcome open. False where the key is not held under this fence any more. */
  readonly renew: (key: string, fence: number, leaseMs: number) => Promise<boolean>
  /** Keeps the result for good, or frees the key when it is undefined: it never took effect. False as for `renew`. */
  readonly settle: (key: string, fence: number, result: JsonData | undefined) => Promise<boolean>
  /** Resolves when the key may be held by nobody any more, after `ms`, or when the signal is aborted. Without it, callers ask again. */
  readonly changed?: ((key: string, ms: number, signal: AbortSignal) => Promise<void>) | undefined
}
