import type { ToolwrightConfig } from '../define-config.ts'
import type { DatabaseOptions } from '../run/database-options.ts'
import { CliError } from './cli-error.ts'

/** Which database to use, as said on the command line. */
export interface DatabaseFlags {
  readonly databaseUrl?: string | undefined
  readonly home?: string | undefined
}

/** The database to open: as said here, else as configured, else as the environment says. A key for values stays the configured one. */
export function chosenDatabase(
  { databaseUrl: url, home }: DatabaseFlags,
  configured: ToolwrightConfig['database'],
): ToolwrightConfig['database'] {
  if (url !== undefined && home !== undefined)
    throw new CliError('usage', '--database-url and --home exclude each other.', {
      hint: '--database-url names a PostgreSQL, --home the folder of the embedded one.',
    })
  if (url === undefined && home === undefined) return configured
  const {
    url: _url,
    home: _home,
    store: _store,
    ...kept
  }: DatabaseOptions = configured === undefined || 'close' in configured ? {} : configured
  return url === undefined ? { ...kept, home } : { ...kept, url }
}
