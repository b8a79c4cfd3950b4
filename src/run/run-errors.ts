import { storeError } from '../store/store-error.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'

export function unknownRun(id: string): ConfigurationError {
  return new ConfigurationError('unknown_run', `No run '${id}' is known in this database. It may have been removed by its retention.`)
}

const STORE_CODES: ReadonlySet<string> = new Set(['store_unavailable', 'store_credentials', 'store_full'])

/** The database is away, full or closed to us. */
export function isStoreTrouble(error: unknown): boolean {
  return STORE_CODES.has(storeError(error).code)
}

/** Where the database is in trouble, the coded error that says so; else the error itself. */
export function toldOf(error: unknown): unknown {
  const known = storeError(error)
  return STORE_CODES.has(known.code) ? known : error
}
