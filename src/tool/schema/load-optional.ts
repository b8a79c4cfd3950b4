import { createRequire } from 'node:module'
import { ConfigurationError } from '../errors/configuration-error.ts'

const require = createRequire(import.meta.url)

/** Loads an optional package on first use; when it is not installed, or cannot be loaded, the error names it. */
export function loadOptional<T>(packageName: string, purpose: string): T {
  try {
    return require(packageName) as T
  } catch (cause) {
    throw new ConfigurationError('missing_package', `Install '${packageName}' ${purpose}: npm install ${packageName}`, { cause })
  }
}
