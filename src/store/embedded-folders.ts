import { createHash } from 'node:crypto'
import { lchown, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { ServerUser } from './server-user.ts'

/** The files of an embedded PostgreSQL. */
export interface EmbeddedFolders {
  readonly home: string
  /** Holds all that follows, except sockets whose path would be too long here. */
  readonly root: string
  readonly data: string
  readonly sockets: string
  readonly log: string
  readonly lock: string
  /** Who may connect, and how. Not among the data, so that the server's user cannot change it when that is not ours. */
  readonly access: string
  /** Part of the titles of the server's processes: it identifies them. */
  readonly title: string
}

/** The system allows a little over 100 characters. */
const LONGEST_SOCKET_PATH = 99
const SOCKET = '.s.PGSQL.5432'

export function embeddedFolders(home: string): EmbeddedFolders {
  const root = join(home, 'postgres')
  const name = `toolwright-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`
  const near = join(root, 'run')
  const fits = Buffer.byteLength(join(near, SOCKET)) <= LONGEST_SOCKET_PATH
  return {
    home,
    root,
    data: join(root, 'data'),
    sockets: fits ? near : join(tmpdir(), name),
    log: join(root, 'server.log'),
    lock: join(root, 'start.lock'),
    access: join(root, 'access.conf'),
    title: name,
  }
}

/** Makes the folder of the socket, for the server's user alone. */
export async function makeSocketFolder(folder: string, user: ServerUser | undefined): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const made = await lstat(folder)
  if (user !== undefined && made.isDirectory() && made.uid === 0) await lchown(folder, user.uid, user.gid)
  await checkSocketFolder(folder, user)
}

/** Another user who can write there could pretend to be the server. The folder may be in a shared one, under a name that can be guessed. */
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
