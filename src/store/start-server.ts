import { spawn } from 'node:child_process'
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type EmbeddedFolders, makeSocketFolder } from './embedded-folders.ts'
import { endOfLog, openLog } from './open-log.ts'
import { endOrphans, isTaken, readPostmasterFile } from './read-postmaster-file.ts'
import { makeRoot, prepareData } from './prepare-data.ts'
import { findPrograms, preparePrograms, type Programs } from './programs.ts'
import { ROLE } from './server-password.ts'
import { serverEnvironment, type ServerUser } from './server-user.ts'
import { startFailure } from './store-error.ts'

const POLL_MS = 5
/** Another server is on the data, or the remains of one are. Both pass. */
const TAKEN = /lock file "(postmaster\.pid|.*\.s\.PGSQL\.\d+\.lock)" already exists/
const ORPHANED = /pre-existing shared memory block/

interface ServerStart {
  readonly folders: EmbeddedFolders
  readonly user: ServerUser | undefined
  readonly idleStopMs: number
  /** When to stop waiting, on the clock of `performance.now`. */
  readonly end: number
}

/** Starts a server when none runs; makes the data first where there are none. Comes back when it is ready, gave way to another, or the time is over. */
export async function startServer(start: ServerStart): Promise<void> {
  const { folders, user } = start
  const found = findPrograms()
  await makeRoot(folders, user)
  const programs = await preparePrograms(found, folders.root, user)
  await prepareData(folders, programs, user)
  await makeSocketFolder(folders.sockets, user)
  await removeMistakenFiles(folders)
  await writeAccess(folders)
  const log = await openLog(folders.log, user)
  try {
    const { size } = await log.stat()
    const failure = await launch(start, programs, log.fd)
    if (failure === undefined) return
    const logged = await endOfLog(folders.log, size)
    if (TAKEN.test(logged)) return
    if (ORPHANED.test(logged)) return endOrphans(folders, user?.uid ?? process.getuid?.())
    throw startFailure(folders.home, `the server ended at once (${failure}). The end of ${folders.log}:\n${logged}`)
  } finally {
    await log.close()
  }
}

/** In a session of its own: it outlives us, and no key pressed in our terminal reaches it. Returns how it ended, if it did. */
async function launch({ folders, user, idleStopMs, end }: ServerStart, programs: Programs, log: number): Promise<string | undefined> {
  const settings = Object.entries(serverSettings(folders, idleStopMs)).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(programs.folder, 'bin', 'postgres'), ['-D', folders.data, ...settings], {
    ...user,
    cwd: '/',
    detached: true,
    env: serverEnvironment(),
    stdio: ['ignore', log, log],
  })
  server.unref()
  let ended: string | undefined
  server.on('error', (error) => (ended = error.message))
  server.on('exit', (code, signal) => (ended = signal ?? `code ${code}`))
  while (ended === undefined && performance.now() < end) {
    const file = await readPostmasterFile(folders.data)
    if (file?.ready === true && file.pid === server.pid) break
    await pause(POLL_MS)
  }
  return ended
}

/** PostgreSQL takes the files of a killed server for those of a live one when another process has its number now. */
async function removeMistakenFiles({ data, sockets }: EmbeddedFolders): Promise<void> {
  const file = await readPostmasterFile(data)
  if (file !== undefined && isTaken(file.pid)) await rm(join(data, 'postmaster.pid'), { force: true })
  const lock = join(sockets, '.s.PGSQL.5432.lock')
  const pid = Number((await readFile(lock, 'utf8').catch(() => '')).split('\n', 1)[0])
  if (pid > 0 && isTaken(pid)) await rm(lock, { force: true })
}

/** One role may connect, with its password. All may read the file: nothing in it is secret. */
async function writeAccess({ access }: EmbeddedFolders): Promise<void> {
  const beside = `${access}.${process.pid}`
  await rm(beside, { force: true })
  await writeFile(beside, `local all ${ROLE} scram-sha-256\n`, { flag: 'wx', mode: 0o644 })
  await chmod(beside, 0o644)
  await rename(beside, access)
}

/** Given at every start and not kept in the data, so that a newer version of this package can change them. */
function serverSettings({ sockets, title, access }: EmbeddedFolders, idleStopMs: number): Readonly<Record<string, string>> {
  return {
    // The one way in is a socket in a folder that only the server's user can enter, and a password: that user may be shared.
    listen_addresses: '',
    unix_socket_directories: `"${sockets.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    hba_file: access,
    port: '5432',
    cluster_name: title,
    fsync: 'on',
    synchronous_commit: 'on',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    max_wal_size: '256MB',
    max_connections: '100',
    shared_buffers: '64MB',
    // Short statements on few rows: workers, compiled queries and the shared memory that they need would not pay.
    max_parallel_workers_per_gather: '0',
    io_method: 'sync',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    // The client gets the error of a statement. Statements and their values stay out of the log.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    // A setting of our own, which a later watcher reads.
    'toolwright.idle_stop_ms': String(idleStopMs),
  }
}
