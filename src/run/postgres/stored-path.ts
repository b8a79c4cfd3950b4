import { createHash } from 'node:crypto'

/** A path as its row has it. */
export interface StoredPath {
  readonly path: string
  /** The whole of a path that stands shortened; null where it is whole. */
  readonly fullPath: string | null
}

/** Longer paths would not fit into the index, also if every letter takes four bytes. */
const LONGEST = 400

/** No two paths are stored alike: what is shortened is longer than the longest that is not, and ends with a digest of the whole. */
export function storedPath(path: string): StoredPath {
  if (path.length <= LONGEST) return { path, fullPath: null }
  const digest = createHash('sha256').update(path).digest('base64url')
  return { path: `${path.slice(0, LONGEST).toWellFormed()}~${digest}`, fullPath: path }
}
