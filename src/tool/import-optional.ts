import { createRequire } from 'node:module'
import { ConfigurationError } from './errors/configuration-error.ts'

/** Imports an optional package when it is needed; when it is not installed the error names it. */
export async function importOptional<T>(packageName: string, purpose: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    if (!isMissing(cause, packageName)) throw cause
    throw new ConfigurationError('missing_package', `Install '${packageName}' ${purpose}: npm install ${packageName}`, { cause })
  }
}

/** Whether the package itself was not found, and not one that it asks for. */
function isMissing(cause: unknown, packageName: string): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND' && cause.message.includes(`'${packageName}'`)
}

const require = createRequire(import.meta.url)

/** Loads an optional package on first use; when it is not installed, or cannot be loaded, the error names it. */
export function loadOptional<T>(packageName: string, purpose: string): T {
  try {
    return require(packageName) as T
  } catch (cause) {
    throw new ConfigurationError('missing_package', `Install '${packageName}' ${purpose}: npm install ${packageName}`, { cause })
  }
}
