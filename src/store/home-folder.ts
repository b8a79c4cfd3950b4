import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'

/**
 * Where the embedded database lives: what is given, else `TOOLWRIGHT_HOME`, else by the platform's convention. A server started by root runs as
 * another user, who cannot enter the home of root: on Linux, root's data lie where services keep theirs.
 */
export function homeFolder(given?: string): string {
  if (given !== undefined) return resolve(checked(given))
  const { TOOLWRIGHT_HOME: fromEnvironment, XDG_DATA_HOME: shared, LOCALAPPDATA: local } = process.env
  if (fromEnvironment !== undefined && fromEnvironment !== '') return resolve(checked(fromEnvironment))
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'toolwright')
  if (process.platform === 'win32') return join(local || join(homedir(), 'AppData', 'Local'), 'toolwright')
  if (shared !== undefined && isAbsolute(shared)) return join(shared, 'toolwright')
  return process.getuid?.() === 0 ? '/var/lib/toolwright' : join(homedir(), '.local', 'share', 'toolwright')
}

function checked(home: unknown): string {
  // Making folders there is tried for ever, and in vain.
  if (typeof home === 'string' && /^\/(proc|sys)(\/|$)/.test(resolve(home)))
    throw new ConfigurationError('invalid_option', `The home of the store cannot be ${resolve(home)}: nothing can be kept there.`)
  if (typeof home === 'string' && home !== '' && !/[\0\r\n]/.test(home)) return home
  throw new ConfigurationError(
    'invalid_option',
    'The home of the store must be the path of a folder: a text that is not empty and has one line.',
  )
}
