import { storeError } from '../store/store-error.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'

export function unknownRun(id: string): ConfigurationError {
  return new ConfigurationError('unknown_run', `No run '${id}' is known in this database. It may have been removed by its retention.`)
}

const STORE_CODES: ReadonlySet<string> = new Set(['store_unavailable', 'store_credentials', 'store_full'])

/** The same functions; where the database is away, full or closed to us, their promises reject with the coded error that says so. */
export function inStoreWords<T extends object>(given: T): T {
  return Object.fromEntries(
    Object.entries(given).map(([name, member]) => [name, typeof member === 'function' ? told(member as Work) : member]),
  ) as T
}

type Work = (...given: readonly unknown[]) => unknown

function told(work: Work): Work {
  return (...given) => {
    const outcome = work(...given)
    return outcome instanceof Promise ? outcome.catch(tell) : outcome
  }
}

function tell(error: unknown): never {
  const known = storeError(error)
  throw STORE_CODES.has(known.code) ? known : error
}
