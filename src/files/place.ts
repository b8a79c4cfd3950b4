import { type BigIntStats, opendirSync } from 'node:fs'
import { ToolError } from '../tool/errors/tool-error.ts'
import { nearestNames } from '../schema/nearest-names.ts'
import { CLAUSE, type EntryKind, kindOf } from './entry-kind.ts'
import { pathRefused, shownPath, systemCode } from './explain-failure.ts'
import type { OpenFile, OpenFolder } from './open-folder.ts'

const MOST_LISTED = 500

/** A name in a folder that is held open: the entry there may change, the folder cannot. */
export class Place {
  readonly folder: OpenFolder
  readonly name: string
  /** From the root, without `.` and `..`. */
  readonly path: string

  constructor(folder: OpenFolder, name: string, path: string) {
    this.folder = folder
    this.name = name
    this.path = path
  }

  /** Opens the file that is there; undefined where there is none. Anything but a regular file is refused. */
  open(flags: number): OpenFile | undefined {
    try {
      const opened = this.folder.open(this.name, flags)
      if (typeof opened === 'string') throw this.#wrongKind(opened)
      return opened
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined
      throw error
    }
  }

  /** The facts of the file, without opening it; undefined where there is none. Anything but a regular file is refused. */
  look(): BigIntStats | undefined {
    const stats = this.folder.look(this.name)
    const kind = stats === undefined ? 'file' : kindOf(stats)
    if (kind !== 'file') throw this.#wrongKind(kind)
    return stats
  }

  #wrongKind(kind: EntryKind): ToolError {
    return pathRefused(this.path, `it ${CLAUSE[kind]}`)
  }

  /** The failure of a call that needs a file here. */
  missing(): ToolError {
    const near = nearestNames(this.name, this.#neighbours()).map((name) => shownPath(this.path.slice(0, -this.name.length) + name))
    return new ToolError(`There is no file ${shownPath(this.path)}.`, {
      code: 'not_found',
      ...(near.length === 0 ? {} : { hint: `In the same folder there is: ${near.join(', ')}.` }),
    })
  }

  /** Some names beside this one; none where the folder may not be listed. */
  #neighbours(): readonly string[] {
    try {
      const names: string[] = []
      const listing = opendirSync(this.folder.at('.'))
      try {
        for (let entry = listing.readSync(); entry !== null && names.length < MOST_LISTED; entry = listing.readSync())
          names.push(entry.name)
      } finally {
        listing.closeSync()
      }
      return names
    } catch {
      return []
    }
  }

  close(): void {
    this.folder.close()
  }
}
