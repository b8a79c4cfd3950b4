import { constants, lstatSync, renameSync } from 'node:fs'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { ServerUser } from './server-user.ts'

/** Kept in two files: the one that is written, and the one before. */
export const LARGEST_LOG = 2_000_000
const LINES_SHOWN = 12

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants

/** Opens the log for a server that starts. Never through a link: root may open it in a folder of somebody else. */
export async function openLog(path: string, user: ServerUser | undefined): Promise<FileHandle> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found !== undefined && found.size > LARGEST_LOG) renameSync(path, `${path}.1`)
  const log = await open(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600)
  try {
    const made = await log.stat()
    if (!made.isFile() || made.nlink !== 1)
      throw new ConfigurationError(
        'unsafe_home',
        `The log of the embedded database, ${path}, is not a file of its own. Remove it: rm ${path}`,
      )
    if (user !== undefined) await log.chown(user.uid, user.gid)
    return log
  } catch (cause) {
    await log.close()
    throw cause
  }
}

/** The last lines that were written behind `start`. */
export async function endOfLog(path: string, start = 0): Promise<string> {
  const text = await readFile(path).catch(() => Buffer.alloc(0))
  return text.subarray(start).toString('utf8').trim().split('\n').slice(-LINES_SHOWN).join('\n')
}
