import {
  type BigIntStats,
  close as closeWithCallback,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsync as fsyncWithCallback,
  linkSync,
  openSync,
  renameSync,
  unlinkSync,
  write as writeWithCallback,
} from 'node:fs'
import { promisify } from 'node:util'
import { systemCode } from '../../../files/explain-failure.ts'
import type { Interruptible } from './file-bytes.ts'
import { changed, exists, expectState, isStill } from './file-state.ts'
import type { OpenFolder } from '../../../files/open-folder.ts'
import type { Place } from '../../../files/place.ts'

const fsync = promisify(fsyncWithCallback)

export interface Writing {
  readonly bytes: Uint8Array
  /** Write only to a file in this state. */
  readonly ifHash?: string | undefined
  readonly signal: Interruptible
  readonly random: () => number
}

/**
 * Replaces a file atomically: readers find the old content or the new, never a part. An abort before the replacement leaves the old file unchanged.
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
    // Nothing is awaited from here to the replacement: no abort and no other call of this process can come in between.
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

/** The codes of file systems without hard links. */
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

const write = promisify(writeWithCallback)
const close = promisify(closeWithCallback)

const CHUNK = 256 * 1024
const MOST_NAMES = 10

interface TemporaryContent {
  readonly bytes: Uint8Array
  /** The file whose place it shall take: its mode and, where the system allows, its owner are kept. */
  readonly like: BigIntStats | undefined
  readonly signal: Interruptible
  readonly random: () => number
}

/** Writes a file under a name of its own beside the one that it shall become, down to the disk. Gives the name; leaves nothing behind if it fails. */
async function writeTemporary(folder: OpenFolder, content: TemporaryContent): Promise<string> {
  const { name, descriptor } = createTemporary(folder, content)
  try {
    try {
      await fill(descriptor, content)
      await fsync(descriptor)
    } finally {
      await close(descriptor)
    }
    return name
  } catch (error) {
    removeTemporary(folder, name)
    throw error
  }
}

/** Best effort: a temporary file that cannot be removed remains inside the root. */
function removeTemporary(folder: OpenFolder, name: string): void {
  try {
    unlinkSync(folder.at(name))
  } catch {}
}

function createTemporary(folder: OpenFolder, { like, random }: TemporaryContent): { readonly name: string; readonly descriptor: number } {
  for (let attempt = 1; ; attempt++) {
    const name = `.toolwright-${Math.floor(random() * 2 ** 48).toString(16)}-${attempt}.tmp`
    try {
      // Others must not read in the meantime what they may not read in the end.
      return { name, descriptor: folder.create(name, like === undefined ? 0o644 : 0o600) }
    } catch (error) {
      if (systemCode(error) !== 'EEXIST' || attempt === MOST_NAMES) throw error
    }
  }
}

async function fill(descriptor: number, { bytes, like, signal }: TemporaryContent): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    signal.throwIfAborted()
    const { bytesWritten } = await write(descriptor, bytes, done, Math.min(CHUNK, bytes.length - done))
    done += bytesWritten
  }
  if (like === undefined) return
  try {
    fchownSync(descriptor, Number(like.uid), Number(like.gid))
  } catch {
    // Only a privileged process may give files away.
  }
  // Without the bits that would let the new content run as another user.
  fchmodSync(descriptor, Number(like.mode) & 0o777)
}
