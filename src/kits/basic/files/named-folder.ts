import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, realpathSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { CLAUSE, type EntryKind, isSameEntry, kindOf } from './entry-kind.ts'
import type { OpenFile, OpenFolder } from './open-folder.ts'
import { pathRefused } from './path-refused.ts'

const { O_CREAT, O_EXCL, O_WRONLY } = constants

/** Windows knows neither of them. */
const CAREFULLY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * A folder by its path, for systems without `/proc/self/fd`. Every name is looked at before it is used, and what was opened is compared
 * with what stands under the path before a byte is read or written. That leaves a gap for whoever changes a folder into a link and back
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
