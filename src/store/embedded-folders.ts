import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The files of an embedded PostgreSQL. */
export interface EmbeddedFolders {
  readonly home: string
  /** Holds all that follows, except sockets whose path would be too long here. */
  readonly root: string
  readonly data: string
  readonly sockets: string
  readonly log: string
  readonly lock: string
  /** In the titles of the server's processes, which tell by it whose they are. */
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
    title: name,
  }
}
