import type { JsonData } from './journal/codec.ts'

/** Who wants to hold a key, and for what. */
export interface KeyClaim {
  /** `name@version` of the tool, for whoever looks into the store. */
  readonly tool: string
  /** A key belongs to one input: another hash is a conflict. */
  readonly inputHash: string
  /** The same holder gets its own claim again, settled or not. */
  readonly holder: string
  /** A holder that has not been heard of for this long counts as dead. */
  readonly leaseMs: number
  /** How long the key is remembered, from the last that was heard of it. */
  readonly keepMs: number
  /** Repeating does no harm: a claim whose holder died is taken over. */
  readonly takesOver: boolean
}

/** What a claim came to. */
export type Claimed =
  /** The caller holds the key, and whatever it says of it goes by this fence. */
  | { readonly state: 'mine'; readonly fence: number }
  | { readonly state: 'done'; readonly result: JsonData }
  /** Another one holds it, for so long at least unless it says more. */
  | { readonly state: 'busy'; readonly retryInMs: number }
  /** The key belongs to another input. */
  | { readonly state: 'conflict' }
  /** A holder died or left the outcome open, and the claim does not take over. */
  | { readonly state: 'abandoned' }

/**
 * Where `idempotent` keeps its keys. At any time one caller at most holds a key. Every new holder gets a higher fence, so that what one says
 * that was taken for dead does not count.
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
