import { ConfigurationError } from './errors/configuration-error.ts'

/**
 * The error to throw when an optional package could not be loaded: one that names it if it is not installed, else the cause itself. The name may
 * hold the version that works, `linkedom@0.18.12`, where the newest does not.
 * The import stands as a literal inside a `try` where it is used: a bundler then finds the package, and goes on if it is not there.
 */
export function missingPackage(cause: unknown, given: string, purpose: string): unknown {
  const name = given.replace(/(?<=.)@.*$/, '')
  if (!isMissing(cause, name)) return cause
  return new ConfigurationError('missing_package', `Install '${name}' ${purpose}: npm install ${given}`, { cause })
}

/** Whether the package itself was not found, and not one that it asks for. Each runtime and bundler has its own words. */
function isMissing(cause: unknown, name: string): boolean {
  if (!(cause instanceof Error)) return false
  if (cause.cause !== undefined) return isMissing(cause.cause, name)
  return cause.message.includes(name) && /cannot find|not find|failed to resolve|could not resolve|not supported/i.test(cause.message)
}
