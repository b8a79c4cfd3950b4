/** How the ledger treats an order. `flaky`: lost at first, then done without an answer, then answered. */
type EffectMode = 'ok' | 'refused' | 'done_unsaid' | 'lost' | 'flaky'

/** What a step asks the ledger for. */
export interface EffectOrder {
  /** The idempotency key of the step. */
  readonly key: string
  /** Whose effect it is: a name that the run got from its starter. */
  readonly run: string
  readonly effect: string
  readonly kind: 'do' | 'undo' | 'look'
  readonly mode: EffectMode
}

/** An effect that was recorded, in the order of its coming. */
export interface EffectRecord {
  readonly run: string
  readonly effect: string
  readonly kind: 'do' | 'undo'
  readonly key: string
}

/** All that the ledger has seen. */
export interface LedgerReport {
  readonly records: readonly EffectRecord[]
  /** Orders that came again under the same key, and changed nothing. */
  readonly repeats: number
  /** Orders that came after the effect had been undone, and were ignored. */
  readonly late: number
}
