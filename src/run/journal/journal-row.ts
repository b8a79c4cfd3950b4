import type { ReviewRequest } from '../../tool/review.ts'
import { PATIENT } from '../postgres/time-bounds.ts'
import { artifactReference } from './values.ts'
import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'

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

/** Longer texts lie among the artifacts. */
const LARGEST_IN_ROW = 64 * 1024

/** A text that is too large to stand in a row. */
export interface Artifact {
  readonly id: string
  readonly text: string
}

/** What stands in the row for a text: the text itself, or where it lies; `keep` is given the latter. */
export function inRow(text: string, keep: (artifact: Artifact) => void): string {
  if (text.length <= LARGEST_IN_ROW) return text
  const id = createHash('sha256').update(text).digest('base64url')
  keep({ id, text })
  return artifactReference(id)
}

const INSERT =
  'INSERT INTO toolwright.artifact (run, id, bytes, data) VALUES ($1, $2, octet_length($3), $3) ON CONFLICT (run, id) DO NOTHING'

/** Within a transaction whose statements may take their time. */
export async function insertArtifact(client: ClientBase, run: string, { id, text }: Artifact): Promise<void> {
  await client.query({ ...PATIENT, text: INSERT, values: [run, id, text] })
}
