import { createHash } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { embeddedFolders } from './embedded-folders.ts'
import { nearestProject } from './project.ts'

const LONGEST_NAME = 20
const DIGITS = 8

/**
 * The folder of the embedded database: the given one, else `TOOLWRIGHT_HOME`, else the folder of the project among the data of this user, else
 * the one of this user for all that is outside projects. The project is looked for from `from`, by default from the working directory. A
 * relative path is one from the folder of the project: the processes of a project find one database, wherever they are started.
 */
export function homeFolder(given?: string, from?: string): string {
  const { TOOLWRIGHT_HOME: fromEnvironment = '' } = process.env
  const named = given ?? (fromEnvironment === '' ? undefined : fromEnvironment)
  if (named !== undefined && isAbsolute(checked(named))) return resolve(named)
  const project = nearestProject(from)
  if (named !== undefined) return resolve(project === undefined ? (from ?? '') : realpathSync(project.folder), named)
  return project === undefined ? userFolder() : join(userFolder(), folderName(project.name, realpathSync(project.folder)))
}

/** Short, since the path of a socket has a limit. A project that is moved or copied has another folder. */
function folderName(name: string, folder: string): string {
  const readable = name.replaceAll(/[^\w.]+/g, '-').replaceAll(/^[-.]+/g, '')
  return `${readable.slice(0, LONGEST_NAME)}-${createHash('sha256').update(folder).digest('hex').slice(0, DIGITS)}`
}

/**
 * By the platform's convention. A server started by root runs as another user, who cannot enter the home of root: on Linux, root's data lie
 * where services keep theirs.
 */
function userFolder(): string {
  const { XDG_DATA_HOME: shared, LOCALAPPDATA: local } = process.env
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'toolwright')
  if (process.platform === 'win32') return join(local || join(homedir(), 'AppData', 'Local'), 'toolwright')
  if (shared !== undefined && isAbsolute(shared)) return join(shared, 'toolwright')
  return process.getuid?.() === 0 ? '/var/lib/toolwright' : join(homedir(), '.local', 'share', 'toolwright')
}

/** Whether a home has a database already. A folder that may not be read may have one. */
export function hasDatabase(home: string): boolean {
  try {
    return statSync(join(embeddedFolders(home).data, 'PG_VERSION'), { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

/**
 * The folder of this user, if it has a database and the folder in use is that of a project: before every project had its own, all of them
 * were in there.
 */
export function formerHome(home: string): string | undefined {
  const former = userFolder()
  return home !== former && home.startsWith(join(former, '/')) && hasDatabase(former) ? former : undefined
}

function checked(home: unknown): string {
  // Making folders there is tried for ever, and in vain.
  if (typeof home === 'string' && /^\/(proc|sys)(\/|$)/.test(resolve(home)))
    throw new ConfigurationError('invalid_option', `The home of the store cannot be ${resolve(home)}: nothing can be kept there.`)
  if (typeof home === 'string' && ADDRESS.test(home))
    throw new ConfigurationError(
      'invalid_option',
      'The home of the store must be the path of a folder, and not an address. The address of a database belongs into DATABASE_URL, --database-url or the option url.',
    )
  if (typeof home === 'string' && home !== '' && !/[\0\r\n]/.test(home)) return home
  throw new ConfigurationError(
    'invalid_option',
    'The home of the store must be the path of a folder: a text that is not empty and has one line.',
  )
}

/** Also one that was resolved like a path. As a path it would be shown, with the password in it. */
const ADDRESS = /(?:^|[\\/])[a-z][a-z\d+.-]+:[\\/]/i
