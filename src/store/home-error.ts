import { ConfigurationError, isConfigurationError } from '../tool/errors/configuration-error.ts'
import { isToolError } from '../tool/errors/tool-error.ts'
import { storeError } from './store-error.ts'

const REFUSED: ReadonlyMap<unknown, string> = new Map([
  ['EACCES', 'this user may not write there'],
  ['EPERM', 'this user may not write there'],
  ['EROFS', 'it is read-only'],
  ['ENOTDIR', 'something on the way to it is not a folder'],
  ['EEXIST', 'something on the way to it is not a folder'],
  ['ELOOP', 'its links lead nowhere'],
  ['ENAMETOOLONG', 'its path is too long'],
])

/** What the system refuses in the home of the embedded database, as an error that says where and what to do. */
export function homeError(cause: unknown, home: string): Error {
  if (cause instanceof Error && (isConfigurationError(cause) || isToolError(cause))) return cause
  const reason = REFUSED.get((cause as { readonly code?: unknown }).code)
  if (reason === undefined) return storeError(cause, `the embedded database in ${home}`)
  return new ConfigurationError(
    'invalid_option',
    `The embedded database cannot use ${home}: ${reason} (${(cause as Error).message}). ` +
      'Set TOOLWRIGHT_HOME to a folder that this user may write, or DATABASE_URL to a PostgreSQL that runs elsewhere.',
    { cause },
  )
}
