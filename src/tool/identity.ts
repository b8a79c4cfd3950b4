import { excerpt, quote } from '../schema/quote.ts'
import { ConfigurationError } from './errors/configuration-error.ts'
import { digest } from './journal/hash.ts'

/** For people, who read it in a list. */
export const LONGEST_TITLE = 100

const NAME = /^[A-Za-z0-9_]{1,64}$/
const NUMBER = '(?:0|[1-9]\\d*)'
const LABEL = `(?:${NUMBER}|\\d*[A-Za-z-][0-9A-Za-z-]*)`
const VERSION = new RegExp(`^${NUMBER}(?:\\.${NUMBER}){2}(?:-${LABEL}(?:\\.${LABEL})*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`)

/** Names are what models write: letters, digits and `_`, at most 64. */
export function checkName(name: unknown): asserts name is string {
  if (typeof name !== 'string' || name.trim() === '') {
    throw new ConfigurationError('invalid_name', `A tool needs a name that is not blank, not ${quote(name)}.`)
  }
  if (!NAME.test(name)) {
    throw new ConfigurationError('invalid_name', `Tool name '${excerpt(name, 80)}' must be 1 to 64 letters, digits or '_'.`)
  }
}

/** Versions are semantic: `1.2.0`, `2.0.0-rc.1`. */
export function checkVersion(version: unknown, name: string): asserts version is string {
  if (typeof version !== 'string' || !VERSION.test(version)) {
    throw new ConfigurationError(
      'invalid_definition',
      `Version ${quote(version)} of tool '${name}' is not a semantic version such as '1.2.0'.`,
    )
  }
}

const LONGEST = 64
const SUFFIX = 8

/** A name that was put together; one that grew too long keeps its beginning and gets a suffix made of the whole, the same every time. */
export function shortName(name: string): string {
  if (name.length <= LONGEST) return name
  const suffix = digest(name)
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, SUFFIX)
  return `${name.slice(0, LONGEST - SUFFIX - 1)}_${suffix}`
}
