import { type BigIntStats, closeSync, constants, fsync as fsyncWithCallback, linkSync, openSync, renameSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Interruptible } from './file-bytes.ts'
import { changed, exists, expectState, isStill } from './file-state.ts'
import type { Place } from './place.ts'
import { systemCode } from './system-code.ts'
import { removeTemporary, writeTemporary } from './temporary-file.ts'

const fsync = promisify(fsyncWithCallback)

export interface Writing {
  readonly bytes: Uint8Array
  /** Write only to a file in this state. */
  readonly ifHash?: string | undefined
  readonly signal: Interruptible
  readonly random: () => number
}

/**
 * Puts a file in its place at one stroke: readers find the old content or the new, never a part. An abort before the stroke leaves the old file as it was.
 * With `onlyNew` a file that is there already wins, however late it came. Gives whether there was no file before.
 */
export async function replaceFile(place: Place, writing: Writing, onlyNew: boolean): Promise<boolean> {
  const { folder, name, path } = place
  const { ifHash, signal } = writing
  const before = onlyNew ? place.look() : writable(place)
  if (onlyNew && before !== undefined) throw exists(path)
  const temporary = await writeTemporary(folder, { ...writing, like: before })
  try {
    const expected = ifHash === undefined ? undefined : await expectState(place, ifHash, signal)
    // Nothing is awaited from here to the stroke: nobody aborts in between, and no other call of this process writes.
    signal.throwIfAborted()
    if (ifHash !== undefined && expected !== undefined && !isStill(place, expected)) throw changed(path, ifHash)
    if (onlyNew) giveNewName(place, temporary)
    else renameSync(folder.at(temporary), folder.at(name))
  } catch (error) {
    removeTemporary(folder, temporary)
    throw error
  }
  await syncFolder(place)
  return before === undefined
}

/** A file that may not be written is not replaced either, though its folder would let it be. */
function writable(place: Place): BigIntStats | undefined {
  const file = place.open(constants.O_WRONLY)
  if (file !== undefined) closeSync(file.descriptor)
  return file?.stats
}

/** What file systems say that have no hard links. */
const WITHOUT_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** A link is made only under a name that is free; a rename would take any. Where there are no links, the look before must do. */
function giveNewName(place: Place, temporary: string): void {
  const { folder, name, path } = place
  try {
    linkSync(folder.at(temporary), folder.at(name))
  } catch (error) {
    const code = systemCode(error)
    if (code === 'EEXIST' || (WITHOUT_LINKS.has(code) && folder.look(name) !== undefined)) throw exists(path)
    if (!WITHOUT_LINKS.has(code)) throw error
    renameSync(folder.at(temporary), folder.at(name))
    return
  }
  removeTemporary(folder, temporary)
}

/** The new name survives a crash, where the system lets folders be synced. */
async function syncFolder({ folder }: Place): Promise<void> {
  let descriptor: number | undefined
  try {
    descriptor = openSync(folder.at('.'), constants.O_RDONLY)
    await fsync(descriptor)
  } catch {
    // The file is in its place already.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
