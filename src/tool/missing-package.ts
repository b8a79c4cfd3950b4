import { ConfigurationError } from './errors/configuration-error.ts'
import { inRange } from './in-range.ts'
import { shellWord } from './shell-word.ts'

/** Which versions of the packages of bridges and databases fit: the peers of package.json. A later or earlier one has other exports, or acts in another way. */
export const PEER_RANGES: Readonly<Record<string, string>> = {
  '@langchain/core': '^1.2.0',
  '@langchain/langgraph': '^1.4.0',
  '@modelcontextprotocol/client': '^2.4.0',
  '@modelcontextprotocol/server': '^2.4.0',
  '@openai/agents': '>=0.20.0 <1.0.0',
  ai: '^7.0.0',
  jose: '^6.2.0',
  pg: '^8.23.0',
  'pg-boss': '>=12.35.0 <13.0.0',
}

/**
 * The error to throw when an optional package could not be loaded: one that names it and the versions that fit if it is not installed or not of
 * one of them, else the cause itself. The name may hold the version that works, `linkedom@0.18.12`, where the newest does not.
 * The import stands as a literal inside a `try` where it is used: a bundler then finds the package, and goes on if it is not there.
 */
export function missingPackage(cause: unknown, given: string, purpose: string): unknown {
  const name = given.replace(/(?<=.)@.*$/, '')
  if (cause instanceof ConfigurationError) return cause
  if (isMissing(cause, name))
    return new ConfigurationError('missing_package', `Install '${name}' ${purpose}: ${installCommand(given)}`, { cause })
  const version = installedVersion(name)
  return isUnfit(name, version) ? unfit(given, { purpose, what: `is ${version}`, cause }) : cause
}

/** How a loaded package is used. */
interface PackageUse {
  readonly purpose: string
  /** What is used of it. A version that lacks one of them would fail later, with a word that helps nobody. */
  readonly needs: readonly string[]
}

/** The package as it was loaded. Throws if it is of a version that does not fit, or lacks what is used of it. */
export function usablePackage<T extends object>(loaded: T, name: string, { purpose, needs }: PackageUse): T {
  const version = installedVersion(name)
  const lacking = needs.find((each) => (loaded as Readonly<Record<string, unknown>>)[each] === undefined)
  const what = isUnfit(name, version) ? `is ${version}` : lacking === undefined ? undefined : `has no '${lacking}'`
  if (what !== undefined) throw unfit(name, { purpose, what })
  return loaded
}

interface Unfit {
  readonly purpose: string
  readonly what: string
  readonly cause?: unknown
}

function unfit(given: string, { purpose, what, cause }: Unfit): ConfigurationError {
  const name = given.replace(/(?<=.)@.*$/, '')
  const range = PEER_RANGES[name]
  const fitting = range === undefined ? 'another version' : `a version of ${range}`
  return new ConfigurationError(
    'missing_package',
    `The installed '${name}' ${what}, and cannot be used. Install ${fitting} ${purpose}: ${installCommand(given)}`,
    cause === undefined ? {} : { cause },
  )
}

/** A range has characters that a shell takes for its own. */
function installCommand(given: string): string {
  const range = PEER_RANGES[given]
  return `npm install ${range === undefined ? given : shellWord(`${given}@${range}`)}`
}

function isUnfit(name: string, version: string | undefined): version is string {
  const range = PEER_RANGES[name]
  return version !== undefined && range !== undefined && !inRange(version, range)
}

/**
 * The version that an import from here finds; undefined where that is not known. In a bundle this file is no longer a file of its own: the packages
 * are in the bundle then, and those of the folder around it say nothing.
 */
function installedVersion(name: string): string | undefined {
  const node = globalThis.process as { readonly getBuiltinModule?: typeof process.getBuiltinModule } | undefined
  if (!/\/missing-package\.[jt]s$/.test(import.meta.url)) return undefined
  try {
    const file = node?.getBuiltinModule?.('node:module').findPackageJSON(name, import.meta.url)
    const text = file === undefined ? undefined : node?.getBuiltinModule?.('node:fs').readFileSync(file, 'utf8')
    const { version } = JSON.parse(text ?? '{}') as { readonly version?: unknown }
    return typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}

/** Whether the package itself was not found, and not one that it asks for. Each runtime and bundler has its own words. */
function isMissing(cause: unknown, name: string): boolean {
  if (!(cause instanceof Error)) return false
  if (cause.cause !== undefined) return isMissing(cause.cause, name)
  return cause.message.includes(name) && /cannot find|not find|failed to resolve|could not resolve|not supported/i.test(cause.message)
}
