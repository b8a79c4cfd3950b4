import { createHash } from 'node:crypto'
import type { Artifact } from '../store/journal-store.ts'
import { artifactReference } from './values.ts'

/** Longer texts are stored as artifacts. */
const LARGEST_IN_ROW = 64 * 1024

/** The text that a row holds: the text itself, or a reference to an artifact, which `keep` is given. */
export function inRow(text: string, keep: (artifact: Artifact) => void): string {
  if (text.length <= LARGEST_IN_ROW) return text
  const id = createHash('sha256').update(text).digest('base64url')
  keep({ id, text })
  return artifactReference(id)
}
