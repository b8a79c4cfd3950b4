import type { EffectRecord } from './effect-order.ts'

/** What is wrong with the end of a run, told apart by what was promised. */
export interface Verdict {
  readonly lost: readonly string[]
  readonly twice: readonly string[]
  readonly notUndone: readonly string[]
  readonly refusedWrongly: readonly string[]
}

/** An entry of a run's journal, as far as a verdict looks at it. */
export interface RecordedEntry {
  readonly path: string
  readonly kind: string
  readonly key: string | null
  /** As JSON; of decisions only. */
  readonly data: string | null
  /** Of a call: it may have taken effect, such as one that was under way when its worker died, and failed when it was repeated. */
  readonly isUnknown: boolean
}

/** How a run ended, by the database and by the ledger. */
export interface RunEnd {
  readonly status: string
  /** Its reason, as the run tells it. */
  readonly why?: { readonly code: string; readonly message?: string } | undefined
  /** Somebody asked it to end; it may have come to its end before. */
  readonly wasCancelled?: boolean
  /** Its time was limited; it may have been enough. */
  readonly hadDeadline?: boolean
  /** The effects of this run, in the order of their coming. */
  readonly records: readonly EffectRecord[]
  readonly entries: readonly RecordedEntry[]
}

const FINAL: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'stopped'])

/** Whether the run has come to its end. */
export function isFinal({ status }: Pick<RunEnd, 'status'>): boolean {
  return FINAL.has(status)
}
