import type { Trace } from './traces.ts'

/** A trace as a store keeps it: under an id, so that it counts once however often it is written. */
export interface StoredTrace extends Trace {
  readonly id: string
}

/** Which traces to forget: those of a principal, those about a tool, or those of both. */
export interface ForgottenTraces {
  readonly principal?: string | undefined
  readonly tool?: string | undefined
}

/** What a store tells of the time after a mark. */
export interface TraceNews {
  readonly traces: readonly Trace[]
  /** Something was forgotten meanwhile: all that was read before must be read anew, from the beginning. */
  readonly forgotten: boolean
  /** For the next question. */
  readonly mark: string
  /** There is more: ask again. */
  readonly more: boolean
}

/** A place where several processes keep what their catalogs learn from. None of their traces is lost or counted twice. */
export interface TraceStore {
  readonly add: (traces: readonly StoredTrace[]) => Promise<void>
  /** What came after the mark, the oldest first; all of it without a mark. A mark that the store does not know begins anew. */
  readonly since: (mark: string | undefined) => Promise<TraceNews>
  /** Forgets for good, in every process; gives how many. */
  readonly forget: (which: ForgottenTraces) => Promise<number>
}
