import type { BigIntStats } from 'node:fs'
import type { EntryKind } from './entry-kind.ts'

/** A regular file that is open, and what it was when it was opened. */
export interface OpenFile {
  readonly descriptor: number
  readonly stats: BigIntStats
}

/**
 * One folder under the root, held while something is done in it. A name is a single name: no `/`, no `.`, no `..`.
 * What `enter` and `open` do not take they name by its kind; an entry that is not there is thrown as `ENOENT`.
 */
export interface OpenFolder {
  /** A path under which the system finds an entry of this folder. */
  readonly at: (name: string) => string
  /** Without following a link; undefined where there is nothing. */
  readonly look: (name: string) => BigIntStats | undefined
  readonly enter: (name: string) => OpenFolder | Exclude<EntryKind, 'folder'>
  readonly open: (name: string, flags: number) => OpenFile | Exclude<EntryKind, 'file'>
  /** Makes a file that was not there, open for writing. */
  readonly create: (name: string, mode: number) => number
  readonly close: () => void
}
