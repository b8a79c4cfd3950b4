import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { loadPg } from './load-pg.ts'

/** A database by URL, with the parts that may be shown. */
export interface DatabaseUrl {
  readonly connectionString: string
  readonly host: string
  readonly port: number
  readonly user: string | undefined
  readonly database: string | undefined
}

/** Reads the URL of a database. An error never repeats the URL: a password may be anywhere in it. */
export async function readDatabaseUrl(text: unknown, what: string): Promise<DatabaseUrl> {
  const url = typeof text === 'string' ? URL.parse(text.trim()) : null
  if (url === null || typeof text !== 'string') throw unreadable(what, 'it is not a URL')
  if (!['postgres:', 'postgresql:'].includes(url.protocol)) throw unreadable(what, 'it does not begin with postgres://')
  // Else a part of the password would be taken for the host or the path, and shown.
  const misread = url.hash !== '' || `${url.pathname}${url.search}`.includes('@')
  if (misread) throw unreadable(what, 'it has a #, /, ? or @ that is not percent-encoded')
  const connectionString = text.trim()
  const { Client } = await loadPg()
  try {
    const { host, port, user, database } = new Client({ connectionString })
    return { connectionString, host, port, user, database }
  } catch (error) {
    const missing =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'a file that it names does not exist' : 'it has a part that cannot be read'
    throw unreadable(what, missing)
  }
}

/** `user 'ada' at db.example.com:5432, database 'orders'` */
export function placeOf({ host, port, user, database }: DatabaseUrl): string {
  return `the database '${database ?? ''}' at ${host.startsWith('/') ? host : `${host}:${port}`} for user '${user ?? ''}'`
}

function unreadable(what: string, reason: string): ConfigurationError {
  return new ConfigurationError(
    'invalid_option',
    `${what} cannot be used: ${reason}. Write postgres://user:password@host:port/database, with special characters of user and password percent-encoded.`,
  )
}
