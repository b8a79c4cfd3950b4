import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import { PATIENT } from './prompt.ts'
import { artifactReference } from './values.ts'

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
