import type pg from 'pg'
import { checkSocketFolder, type EmbeddedFolders } from './embedded-folders.ts'
import { loadPg } from './load-pg.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import { isServer, readPostmasterFile } from './read-postmaster-file.ts'
import { readPassword, ROLE } from './server-password.ts'
import type { ServerUser } from './server-user.ts'
import { WATCHER } from './start-watcher.ts'
import { storeError } from './store-error.ts'

interface WatchState {
  /** No watcher will stop the server when it is idle. */
  readonly unwatched: boolean
  /** As decided when the server was started. */
  readonly idleStopMs: number
}

export type ServerState =
  | { readonly is: 'absent' }
  /** It runs and does not answer yet, or no longer. */
  | { readonly is: 'busy'; readonly pid: number; readonly reason: string }
  | { readonly is: 'ready'; readonly pid: number; readonly connection: pg.ClientConfig; readonly watch: WatchState }

/** A server that has just been started has its watcher on the way. */
const WATCH = `select current_setting('toolwright.idle_stop_ms', true) as idle, pg_postmaster_start_time() < now() - interval '10 seconds'
  and not exists (select from pg_stat_activity where application_name = '${WATCHER}') as unwatched`

/** Looks for the server of this data. Only a server that answers counts. */
export async function probeServer(folders: EmbeddedFolders, user: ServerUser | undefined, timeoutMs: number): Promise<ServerState> {
  const file = await readPostmasterFile(folders.data)
  if (file === undefined) return { is: 'absent' }
  const { pid, sockets = folders.sockets } = file
  if (!file.ready) return isServer(pid, folders) ? { is: 'busy', pid, reason: 'It is starting or stopping.' } : { is: 'absent' }
  await checkSocketFolder(sockets, user)
  const password = await readPassword(folders.data)
  if (password === undefined) {
    if (isServer(pid, folders)) throw withoutPassword(folders, pid)
    return { is: 'absent' }
  }
  const connection = embeddedConnection(sockets, password)
  const { Client } = await loadPg()
  const client = new Client({ ...connection, connectionTimeoutMillis: Math.max(1, timeoutMs) })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ unwatched: boolean; idle: string | null }>(WATCH)
    const { unwatched, idle } = rows[0] ?? { unwatched: false, idle: null }
    return { is: 'ready', pid, connection, watch: { unwatched, idleStopMs: Number(idle ?? Infinity) } }
  } catch (error) {
    const cause = storeError(error, 'the embedded database')
    if (cause.code !== 'store_unavailable') throw cause
    // A server in another container cannot be seen here, yet it answers: so it is asked first, and looked for then.
    return isServer(pid, folders) ? { is: 'busy', pid, reason: cause.message } : { is: 'absent' }
  } finally {
    await client.end().catch(() => {})
  }
}

/** The server of an earlier version, or one whose password was removed. */
function withoutPassword({ home }: EmbeddedFolders, pid: number): ToolError {
  return new ToolError(
    `The embedded database in ${home} runs as process ${pid}, and its password cannot be read: it was started by an earlier version, or the file of its password was changed. ` +
      `Stop it with stopEmbedded(home), or with: kill -INT ${pid}. The next start sets a new password.`,
    { code: 'store_credentials', outcome: 'not_started' },
  )
}

function embeddedConnection(sockets: string, password: string): pg.ClientConfig {
  // All that the environment could set otherwise is set.
  return { host: sockets, port: 5432, user: ROLE, password, database: 'postgres', ssl: false }
}
