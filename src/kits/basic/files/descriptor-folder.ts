import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs'
import { type EntryKind, kindOf } from './entry-kind.ts'
import type { OpenFile, OpenFolder } from './open-folder.ts'

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants

/** Linux: takes hold of an entry without opening it, so that a pipe does not hang and a device does nothing. Node has no name for it. */
const O_PATH = 0o10000000

/**
 * A folder by its descriptor. The system walks from there through `/proc/self/fd`, never from the root again: whatever is moved or
 * linked meanwhile, a name leads to an entry of this very folder or to nothing.
 */
export class DescriptorFolder implements OpenFolder {
  readonly #descriptor: number

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  /** The root itself may be given by a link: whoever made the tool chose it. */
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

  /** What is held is looked at first, and then opened itself, whatever stands under its name by then. */
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
