import type { BigIntStats } from 'node:fs'

/** The kind of the entry under a name; `moved`: the entry was replaced meanwhile. */
export type EntryKind = 'file' | 'folder' | 'link' | 'pipe' | 'socket' | 'device' | 'moved'

export function kindOf(stats: BigIntStats): EntryKind {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'folder'
  if (stats.isSymbolicLink()) return 'link'
  if (stats.isFIFO()) return 'pipe'
  return stats.isSocket() ? 'socket' : 'device'
}

/** The kind as a clause of a message. */
export const CLAUSE: Readonly<Record<EntryKind, string>> = {
  file: 'is a file, not a folder.',
  folder: 'is a folder, not a file.',
  link: 'is a symbolic link, and links are not followed.',
  pipe: 'is a pipe, not a file.',
  socket: 'is a socket, not a file.',
  device: 'is a device, not a file.',
  moved: 'was replaced while it was being opened.',
}

/** Whether two looks saw the same file in the same state. */
export function isUnchanged(a: BigIntStats, b: BigIntStats): boolean {
  return isSameEntry(a, b) && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs
}

export function isSameEntry(a: BigIntStats, b: BigIntStats): boolean {
  return a.dev === b.dev && a.ino === b.ino
}
