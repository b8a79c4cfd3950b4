import {
  type BigIntStats,
  close as closeWithCallback,
  fchmodSync,
  fchownSync,
  fsync as fsyncWithCallback,
  unlinkSync,
  write as writeWithCallback,
} from 'node:fs'
import { promisify } from 'node:util'
import type { Interruptible } from './file-bytes.ts'
import type { OpenFolder } from './open-folder.ts'
import { systemCode } from './system-code.ts'

const write = promisify(writeWithCallback)
const fsync = promisify(fsyncWithCallback)
const close = promisify(closeWithCallback)

const CHUNK = 256 * 1024
const MOST_NAMES = 10

export interface TemporaryContent {
  readonly bytes: Uint8Array
  /** The file whose place it shall take: its mode and, where the system allows, its owner are kept. */
  readonly like: BigIntStats | undefined
  readonly signal: Interruptible
  readonly random: () => number
}

/** Writes a file under a name of its own beside the one that it shall become, down to the disk. Gives the name; leaves nothing behind if it fails. */
export async function writeTemporary(folder: OpenFolder, content: TemporaryContent): Promise<string> {
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

/** Best effort: what cannot be removed is a file that nobody asked for, inside the root. */
export function removeTemporary(folder: OpenFolder, name: string): void {
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
