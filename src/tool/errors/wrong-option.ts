import { ConfigurationError } from './configuration-error.ts'

/** `wrongOption('minCalls', "breaker for 'rates'", 'at least 1')`. */
export function wrongOption(option: string, what: string, needed: string): ConfigurationError {
  return new ConfigurationError('invalid_option', `'${option}' of ${what} must be ${needed}.`)
}
