import { ConfigurationError } from './errors/configuration-error.ts'

const NAME = /^[A-Za-z0-9_]{1,64}$/
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

/** Names are what models write: letters, digits and `_`, at most 64. */
export function checkName(name: unknown): asserts name is string {
  if (typeof name !== 'string' || name.trim() === '') {
    throw new ConfigurationError('invalid_name', `A tool needs a name that is not blank, not ${JSON.stringify(name)}.`)
  }
  if (!NAME.test(name)) {
    throw new ConfigurationError('invalid_name', `Tool name '${name}' must be 1 to 64 letters, digits or '_'.`)
  }
}

export function checkVersion(version: unknown, name: string): asserts version is string {
  if (typeof version !== 'string' || !VERSION.test(version)) {
    throw new ConfigurationError(
      'invalid_definition',
      `Version ${JSON.stringify(version)} of tool '${name}' is not a semantic version such as '1.2.0'.`,
    )
  }
}
