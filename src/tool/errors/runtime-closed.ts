import { ConfigurationError, isConfigurationError } from './configuration-error.ts'

const MESSAGE =
  'The runtime is closed: it starts no run, looks at none and opens no inbox any more. Its runs go on in other processes, or in the next runtime with the same database: make another one.'

/** For whoever still holds a run, an inbox or the runs of a runtime that is closed. */
export function runtimeClosed(cause?: unknown): ConfigurationError {
  return new ConfigurationError('runtime_closed', MESSAGE, cause === undefined ? undefined : { cause })
}

export function isRuntimeClosed(error: unknown): boolean {
  return isConfigurationError(error) && error.code === 'runtime_closed'
}
