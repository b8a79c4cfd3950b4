import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import { warn } from '../tool/warn.ts'
import { checkHome } from './check-home.ts'
import type { EmbeddedFolders } from './embedded-folders.ts'
import { formerHome } from './home-folder.ts'
import { endOfLog } from './open-log.ts'
import { makeRoot } from './prepare-data.ts'
import { probeServer, type ServerState } from './probe-server.ts'
import { serverUser } from './server-user.ts'
import { startServer } from './start-server.ts'
import { startWatcher } from './start-watcher.ts'
import { homeError } from './store-error.ts'
import { withStartLock } from './with-start-lock.ts'

export interface EmbeddedServer {
  readonly folders: EmbeddedFolders
  readonly idleStopMs: number
  readonly timeoutMs: number
}

const POLL_MS = 20

/** Finds the server of this home, or starts it. Any number of processes may do so at once. */
export async function ensureServer(server: EmbeddedServer): Promise<pg.ClientConfig> {
  if (process.platform === 'win32') {
    throw new ConfigurationError(
      'invalid_option',
      'The embedded database runs on Linux and macOS. Set DATABASE_URL to a PostgreSQL that runs elsewhere.',
    )
  }
  try {
    return await untilReady(server)
  } catch (cause) {
    throw homeError(cause, server.folders.home)
  }
}

async function untilReady({ folders, idleStopMs, timeoutMs }: EmbeddedServer): Promise<pg.ClientConfig> {
  const end = performance.now() + timeoutMs
  await checkHome(folders)
  const user = serverUser(folders.data)
  let started = false
  for (;;) {
    const state = await probeServer(folders, user, end - performance.now())
    if (state.is === 'ready') {
      const { connection, watch } = state
      if (started || watch.unwatched) await startWatcher({ folders, user, idleStopMs: watch.idleStopMs, connection })
      return state.connection
    }
    if (performance.now() > end) throw await tooLate(folders, state, timeoutMs)
    if (state.is === 'absent') {
      await makeRoot(folders, user)
      const isNew = !existsSync(folders.data)
      const alone = await withStartLock(folders.lock, () => startServer({ folders, user, idleStopMs, end }))
      started ||= alone
      if (alone && isNew) warnOfFormer(folders.home)
      if (alone) continue
    }
    await pause(POLL_MS)
  }
}

/** Told once, when the database of a project is made. */
function warnOfFormer(home: string): void {
  const former = formerHome(home)
  if (former === undefined) return
  warn(
    undefined,
    `This project has a database of its own now, in ${home}. Runs from before, and from outside of projects, are in ${former}. ` +
      `To go on using that one, set TOOLWRIGHT_HOME=${former}.`,
  )
}

async function tooLate(folders: EmbeddedFolders, state: ServerState, timeoutMs: number): Promise<ToolError> {
  const seen = state.is === 'busy' ? `A server runs there as process ${state.pid}. ${state.reason}` : 'No server came up.'
  return new ToolError(
    `The embedded database in ${folders.home} was not ready within ${timeoutMs} ms. ${seen} ` +
      `The end of ${folders.log}:\n${await endOfLog(folders.log)}`,
    { code: 'store_unavailable', outcome: 'not_started' },
  )
}
