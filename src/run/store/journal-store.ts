import type { ReviewRequest } from '../../tool/review.ts'
import type { Claim } from './run-queue.ts'

/** A text that is too large for a row, by its id. */
export interface Artifact {
  readonly id: string
  readonly text: string
}

/** A journal entry that is to be written. Values are texts, sealed already. */
export interface JournalRow {
  readonly run: string
  /** The claim under which it is written: a later claim on the run makes it void. */
  readonly epoch: number
  /** Empty for a row that carries only an event or a request. */
  readonly path: string
  /** Rises from row to row, over all claims: a row that reaches the store late does not replace a later one. */
  readonly version: number
  readonly kind: string
  readonly tool: string | null
  readonly key: string | null
  readonly inputHash: string | null
  readonly input: string | null
  readonly data: string | null
  /** When the step of this entry began, by the time of its segment: that of the store when the run was claimed, and on from there. */
  readonly begunAt: number
  /** When it ended; nothing more comes at this path then. Null until it has. */
  readonly endedAt: number | null
  /** A person is asked, or is asked no more. Decisions go another way: the first one counts. */
  readonly review?: ReviewChange | undefined
  readonly artifacts?: readonly Artifact[] | undefined
  /** For those who follow the run. */
  readonly event?: { readonly type: string; readonly data: string } | undefined
}

type ReviewChange =
  | { readonly change: 'asked'; readonly request: ReviewRequest; readonly sealed: string; readonly isShielded: boolean }
  | { readonly change: 'withdrawn'; readonly id: string }

/** A journal entry as it is stored. */
export interface EntryRow {
  readonly path: string
  readonly kind: string
  readonly tool: string | null
  readonly key: string | null
  readonly inputHash: string | null
  readonly data: string | null
}

/** By run, the epoch under which its rows were written. */
export type WrittenClaims = ReadonlyMap<string, number>

/** The journals of runs. */
export interface JournalStore {
  /**
   * Writes rows of any number of runs, all or none, in the given order. Rows of a claim whose epoch is not the run's are left out; the answer
   * names the claims that count. A row replaces the one at its path if its version is higher, and never a decided request. A request of a
   * cancelled run is withdrawn at once, unless a shielded call asks, such as one that undoes a step. The same rows again change nothing. Times are kept as they
   * are given, and never later than the store's own.
   * One statement; a transaction where the values are large.
   */
  readonly write: (rows: readonly JournalRow[]) => Promise<WrittenClaims>
  /** The entries of a run in the order in which they began. One statement. */
  readonly readEntries: (run: string) => Promise<readonly EntryRow[]>
  /** The texts of artifacts of a run, by id. Unknown ids are left out. A transaction, for the time that large values need. */
  readonly readArtifacts: (run: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Replaces the plan of a run. Requires the epoch; else nothing happens. One statement. */
  readonly takePlan: (claim: Claim, plan: string) => Promise<void>
  /** The run made progress since its last deaths: they are counted anew from this number of entries. Requires the epoch. One statement. */
  readonly noteProgress: (claim: Claim, entries: number) => Promise<void>
}
