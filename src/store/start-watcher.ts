import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { EmbeddedFolders } from './embedded-folders.ts'
import { openLog } from './open-log.ts'
import { serverEnvironment, type ServerUser } from './server-user.ts'

/** The name under which the watcher of an idle server connects. */
export const WATCHER = 'toolwright watcher'

/** The argument of the watcher process. */
export interface Watch {
  /** Without the password, which the command line of a process must not show: the watcher reads it. */
  readonly connection: Omit<pg.ClientConfig, 'password'>
  readonly data: string
  readonly idleStopMs: number
  readonly user: ServerUser | undefined
}

interface WatcherOptions extends Omit<Watch, 'data' | 'connection'> {
  readonly connection: pg.ClientConfig
  readonly folders: EmbeddedFolders
}

/** Starts the process that stops the server when nobody has been connected for some time, since no process of ours may be left then. */
export async function startWatcher({ folders, connection, ...rest }: WatcherOptions): Promise<void> {
  if (rest.idleStopMs === Number.POSITIVE_INFINITY) return
  // Beside this file, and just as far from the chunks that the published package is made of. Not as `new URL(..., import.meta.url)`, which bundlers take for a file of theirs.
  const here = fileURLToPath(import.meta.url)
  const program = join(dirname(here), '..', 'store', `idle-watcher${extname(here)}`)
  if (!existsSync(program)) {
    process.emitWarning(`The embedded database in ${folders.home} will not stop by itself: ${program} is missing.`)
    return
  }
  const { host, port, user, database, ssl } = connection
  const watch: Watch = { ...rest, connection: { host, port, user, database, ssl }, data: folders.data }
  const log = await openLog(folders.log, rest.user)
  try {
    const watcher = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, JSON.stringify(watch)], {
      cwd: '/',
      detached: true,
      env: serverEnvironment(),
      stdio: ['ignore', 'ignore', log.fd],
    })
    watcher.on('error', (error) =>
      process.emitWarning(`The embedded database in ${folders.home} will not stop by itself: ${error.message}`),
    )
    watcher.unref()
  } finally {
    await log.close()
  }
}
