import { brand, hasBrand } from './brand.ts'
import type { ConfigurationCode } from './error-codes.ts'

/** A mistake in the program, not in the input: it passes every layer and rejects the promise of `call`. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly code: ConfigurationCode

  constructor(code: ConfigurationCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    brand(this, 'configuration')
  }
}

/** Recognises a ConfigurationError of any copy of the package. */
export function isConfigurationError(value: unknown): value is ConfigurationError {
  return hasBrand(value, 'configuration')
}
