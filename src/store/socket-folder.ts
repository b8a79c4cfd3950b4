import { lchown, lstat, mkdir } from 'node:fs/promises'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { ServerUser } from './server-user.ts'

/** Makes the folder of the socket, for the server's user alone. */
export async function makeSocketFolder(folder: string, user: ServerUser | undefined): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const made = await lstat(folder)
  if (user !== undefined && made.isDirectory() && made.uid === 0) await lchown(folder, user.uid, user.gid)
  await checkSocketFolder(folder, user)
}

/** Whoever else could write there could pose as the server. The folder may lie in one that everybody shares, under a name that can be guessed. */
export async function checkSocketFolder(folder: string, user: ServerUser | undefined): Promise<void> {
  const found = await lstat(folder).catch(() => undefined)
  if (found === undefined) return
  const owner = user?.uid ?? process.getuid?.()
  if (found.isDirectory() && found.uid === owner && (found.mode & 0o077) === 0) return
  throw new ConfigurationError(
    'invalid_option',
    `The socket of the embedded database belongs into ${folder}, which is not a folder of user ${owner} alone. ` +
      'Remove it, or set TOOLWRIGHT_HOME to another folder.',
  )
}
