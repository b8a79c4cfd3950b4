import { ConfigurationError } from '../tool/errors/configuration-error.ts'

export function unknownRun(id: string): ConfigurationError {
  return new ConfigurationError('unknown_run', `No run '${id}' is known in this database. It may have been removed by its retention.`)
}
