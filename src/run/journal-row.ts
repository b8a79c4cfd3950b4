import type { Artifact } from './artifact.ts'
import type { ReviewRequest } from '../tool/review.ts'

/** A journal entry on its way into the database. Values are texts, sealed already. */
export interface JournalRow {
  readonly run: string
  /** The claim under which it is written: a later claim on the run makes it void. */
  readonly epoch: number
  readonly path: string
  /** Rises from row to row, over all claims: a row that reaches the database late does not cover a later one. */
  readonly version: number
  readonly kind: string
  readonly tool: string | null
  readonly key: string | null
  readonly inputHash: string | null
  readonly input: string | null
  readonly data: string | null
  /** Nothing more comes at this path. */
  readonly ended: boolean
  /** By `performance.now()`: when what it tells of began. */
  readonly since: number
  /** What a person is asked, or is asked no more. Decisions go another way: the first one counts, whoever writes it. */
  readonly review?: ReviewChange | undefined
  readonly artifacts?: readonly Artifact[] | undefined
  /** For whoever follows the run; a row with an event alone has no path. */
  readonly event?: { readonly type: string; readonly data: string } | undefined
}

type ReviewChange =
  | { readonly change: 'asked'; readonly request: ReviewRequest; readonly sealed: string }
  | { readonly change: 'withdrawn'; readonly id: string }
