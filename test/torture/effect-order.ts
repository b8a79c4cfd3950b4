import type { LeafOrder } from '../programs/leaf-order.ts'

/** What a step asks the ledger for. */
export interface EffectOrder extends Pick<LeafOrder, 'run' | 'key' | 'kind' | 'mode' | 'path' | 'isKeyed'> {
  readonly effect: string
  /** The name of the step's tool. */
  readonly leaf: string
  /** How long the answer takes; else that follows from the key. */
  readonly ms?: number
}

/** An effect that was recorded, in the order of its coming. */
export interface EffectRecord extends Pick<EffectOrder, 'run' | 'effect' | 'leaf' | 'key' | 'path' | 'isKeyed'> {
  readonly kind: 'do' | 'undo'
  /** How often the order came and was to take effect: a key that is honoured makes one effect of them. */
  readonly times: number
}

/** All that the ledger has seen. */
export interface LedgerReport {
  readonly records: readonly EffectRecord[]
  /** Orders that came again under the same key, and changed nothing. */
  readonly repeats: number
  /** Orders that came after the effect had been undone, and were ignored. */
  readonly late: number
}
