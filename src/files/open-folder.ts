import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, realpathSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { CLAUSE, type EntryKind, isSameEntry, kindOf } from './entry-kind.ts'
import { pathRefused } from './explain-failure.ts'

/** A regular file that is open, and what it was when it was opened. */
export interface OpenFile {
  readonly descriptor: number
  readonly stats: BigIntStats
}

/**
 * One folder under the root, held while something is done in it. A name is a single name: no `/`, no `.`, no `..`.
 * `enter` and `open` return the kind of an entry that they do not take; a missing entry is thrown as `ENOENT`.
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

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants

/** Linux: takes hold of an entry without opening it, so that a pipe does not hang and a device does nothing. Node has no name for it. */
const O_PATH = 0o10000000

/**
 * A folder by its descriptor. The system walks from there through `/proc/self/fd`, never from the root again: when something is moved or
 * linked meanwhile, a name leads to an entry of this very folder or to nothing.
 */
export class DescriptorFolder implements OpenFolder {
  readonly #descriptor: number

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  /** The root itself may be a link: the author of the tool chose it. */
  static root(path: string): DescriptorFolder {
    return new DescriptorFolder(openSync(path, O_PATH | O_DIRECTORY))
  }

  at(name: string): string {
    return `/proc/self/fd/${this.#descriptor}/${name}`
  }

  look(name: string): BigIntStats | undefined {
    return lstatSync(this.at(name), { bigint: true, throwIfNoEntry: false })
  }

  enter(name: string): OpenFolder | Exclude<EntryKind, 'folder'> {
    const held = openSync(this.at(name), O_PATH | O_NOFOLLOW)
    const kind = kindHeld(held)
    if (kind === 'folder') return new DescriptorFolder(held)
    closeSync(held)
    return kind
  }

  /** The held entry is checked first and then opened through its descriptor, so that its name does not matter any more. */
  open(name: string, flags: number): OpenFile | Exclude<EntryKind, 'file'> {
    const held = openSync(this.at(name), O_PATH | O_NOFOLLOW)
    try {
      const kind = kindHeld(held)
      if (kind !== 'file') return kind
      const descriptor = openSync(`/proc/self/fd/${held}`, flags)
      return { descriptor, stats: fstatSync(descriptor, { bigint: true }) }
    } finally {
      closeSync(held)
    }
  }

  create(name: string, mode: number): number {
    return openSync(this.at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

function kindHeld(descriptor: number): EntryKind {
  return kindOf(fstatSync(descriptor, { bigint: true }))
}

/** Whether this system can hold folders in this way. */
export function holdsDescriptors(root: string): boolean {
  if (process.platform !== 'linux') return false
  try {
    const folder = DescriptorFolder.root(root)
    try {
      return folder.look('.')?.isDirectory() === true
    } finally {
      folder.close()
    }
  } catch {
    return false
  }
}

/** Windows knows neither of them. */
const CAREFULLY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * A folder by its path, for systems without `/proc/self/fd`. Every name is looked at before it is used, and what was opened is compared
 * with the entry under the path before a byte is read or written. That leaves a gap for a process that changes a folder into a link and back
 * at the right moments: weaker than a `DescriptorFolder`.
 */
export class NamedFolder implements OpenFolder {
  readonly #path: string

  /** A path without any link in it. */
  constructor(path: string) {
    this.#path = path
  }

  static root(path: string): NamedFolder {
    return new NamedFolder(realpathSync(path))
  }

  at(name: string): string {
    return join(this.#path, name)
  }

  look(name: string): BigIntStats | undefined {
    return lstatSync(this.at(name), { bigint: true, throwIfNoEntry: false })
  }

  enter(name: string): OpenFolder | Exclude<EntryKind, 'folder'> {
    const kind = kindOf(lstatSync(this.at(name), { bigint: true }))
    return kind === 'folder' ? new NamedFolder(this.at(name)) : kind
  }

  open(name: string, flags: number): OpenFile | Exclude<EntryKind, 'file'> {
    const kind = kindOf(lstatSync(this.at(name), { bigint: true }))
    if (kind !== 'file') return kind
    const descriptor = openSync(this.at(name), flags | CAREFULLY)
    const stats = fstatSync(descriptor, { bigint: true })
    if (stats.isFile() && this.#isAt(name, stats)) return { descriptor, stats }
    closeSync(descriptor)
    return 'moved'
  }

  create(name: string, mode: number): number {
    const descriptor = openSync(this.at(name), O_WRONLY | O_CREAT | O_EXCL | CAREFULLY, mode)
    if (this.#isAt(name, fstatSync(descriptor, { bigint: true }))) return descriptor
    closeSync(descriptor)
    unlinkSync(this.at(name))
    throw pathRefused(name, `its folder ${CLAUSE.moved}`)
  }

  /** Whether the path still leads, without a link, to what is open. */
  #isAt(name: string, stats: BigIntStats): boolean {
    const path = this.at(name)
    const now = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return now !== undefined && isSameEntry(now, stats) && realpathSync(path) === path
  }

  close(): void {}
}
