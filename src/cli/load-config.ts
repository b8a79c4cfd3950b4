import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { ToolwrightConfig } from '../runtime/define-config.ts'
import { isRecord } from '../schema/json-schema.ts'
import { quote } from '../schema/quote.ts'
import { isTool } from '../tool/agent-tool.ts'
import { isReviewers } from '../tool/deciders.ts'
import { type Duration, toMilliseconds } from '../tool/duration.ts'
import { STORES } from '../tool/engine/check-call-options.ts'
import { didYouMean } from '../schema/did-you-mean.ts'
import { nearestNames } from '../schema/nearest-names.ts'
import { CliError } from './cli-error.ts'
import { loadModule, shortPath } from './load-module.ts'

/** The requirement on a field of the configuration, in words and as a test. */
interface ConfigField {
  readonly what: string
  readonly fits: (value: unknown) => boolean
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isFunction = (value: unknown): boolean => typeof value === 'function'

const TEXT: ConfigField = { what: 'a text', fits: isText }
const FUNCTION: ConfigField = { what: 'a function', fits: isFunction }

/** Every field that a configuration may have. */
const CONFIG_FIELDS: Readonly<Record<keyof ToolwrightConfig, ConfigField>> = {
  name: TEXT,
  version: TEXT,
  auth: {
    what: 'a function, or what bearerAuth(...) gives',
    fits: (value) => isFunction(value) || hasMethods(value, 'authenticate'),
  },
  tools: { what: 'a list of tools', fits: Array.isArray },
  mcpServers: { what: "an object with MCP servers, such as { files: { command: 'npx', args: [...] } }", fits: isRecord },
  peers: { what: 'a list of peers', fits: listOf((each) => hasMethods(each, 'recognises', 'adopt')) },
  deadline: { what: "milliseconds, a duration such as '5s' or '2m', or a date", fits: isDeadline },
  stepDeadline: { what: "milliseconds, or a duration such as '5s' or '2m'", fits: isDuration },
  retryReads: { what: 'false, or an object such as { attempts: 5 }', fits: (value) => value === false || isRecord(value) },
  unknownOutcome: { what: "'fail' or 'ask'", fits: (value) => value === 'fail' || value === 'ask' },
  principal: { what: 'an object with an id and a list of permissions, such as { id: "ada", permissions: [] }', fits: isPrincipal },
  review: { what: 'a review handler, such as consoleReview()', fits: (value) => hasMethods(value, 'review') },
  unattended: { what: "'approve' or 'refuse'", fits: (value) => value === 'approve' || value === 'refuse' },
  reviewers: {
    what: 'an object such as { identify: ({ name, user }) => (name === user ? staff.get(name) : undefined) }',
    fits: isReviewers,
  },
  policy: FUNCTION,
  services: { what: 'an object with the services by name', fits: isRecord },
  secrets: { what: "an object with a function 'get', such as environmentSecrets([...])", fits: (value) => hasMethods(value, 'get') },
  model: { what: "an object with a function 'generate'", fits: (value) => hasMethods(value, 'generate') },
  log: { what: 'a logger, such as pino()', fits: (value) => hasMethods(value, 'trace', 'debug', 'info', 'warn', 'error') },
  on: { what: 'a listener, or a list of them', fits: (value) => isListener(value) || listOf(isListener)(value) },
  agent: TEXT,
  task: TEXT,
  session: TEXT,
  tokenBudget: { what: 'a number that is not negative', fits: (value) => typeof value === 'number' && value >= 0 },
  clock: { what: 'a clock', fits: (value) => hasMethods(value, 'now', 'tick', 'timer', 'soon') },
  alert: FUNCTION,
  database: {
    what: "an object such as { url: 'postgres://...' } or { home: './data' }, or a store that is open",
    fits: (value) => isRecord(value) && [value['url'], value['home']].every((each) => each === undefined || isText(each)),
  },
  app: {
    what: "a text such as 'orders' or 'orders:production', or an object such as { name: 'orders', environment: 'production' }",
    fits: (value) => isText(value) || isRecord(value),
  },
  worker: { what: 'false, or an object such as { concurrency: 10 }', fits: (value) => value === false || isRecord(value) },
  stores: {
    what: 'an object with stores, such as { idempotency: memoryIdempotency() }',
    fits: (value) =>
      isRecord(value) &&
      Object.entries(STORES).every(([name, { functions }]) => value[name] === undefined || hasMethods(value[name], ...functions)),
  },
  ids: FUNCTION,
  random: FUNCTION,
  overrides: {
    what: 'an object with tools or functions by name',
    fits: (value) => isRecord(value) && Object.values(value).every((each) => isFunction(each) || isTool(each)),
  },
}

function isDeadline(value: unknown): boolean {
  return value instanceof Date ? !Number.isNaN(value.getTime()) : isDuration(value)
}

function isDuration(value: unknown): boolean {
  try {
    toMilliseconds(value as Duration, 'It')
    return true
  } catch {
    return false
  }
}

function isPrincipal(value: unknown): boolean {
  return isRecord(value) && isText(value['id']) && listOf(isText)(value['permissions'])
}

function isListener(value: unknown): boolean {
  return isFunction(value) || hasMethods(value, 'onEvent')
}

function hasMethods(value: unknown, ...names: readonly string[]): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  return names.every((name) => isFunction(Reflect.get(value, name)))
}

function listOf(fits: (each: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(fits)
}

const EXAMPLE = 'Write `export default defineConfig({ tools: [...] })`, with defineConfig from toolwright.'

/** Loads a configuration file and checks every field that can be checked before a call. */
export async function loadConfig(file: string): Promise<ToolwrightConfig> {
  const exported = await loadModule(file, 'invalid_config')
  const name = shortPath(file)
  if (!('default' in exported)) throw invalid(`${name} has no default export.`)
  const config = exported['default']
  if (Array.isArray(config) || isTool(config)) throw invalid(`${name} exports tools, where a configuration should be.`)
  if (!isRecord(config)) throw invalid(`The default export of ${name} is ${kindOf(config)}, and no configuration.`)
  for (const key of Object.keys(config)) checkName(key, name)
  const entries = Object.entries(CONFIG_FIELDS).map(([key, field]) => [key, fieldOf(config, key, { ...field, name })] as const)
  return withHome(Object.fromEntries(entries.filter(([, value]) => value !== undefined)), dirname(resolve(file)))
}

/** A path in a configuration is that of its file: a command finds the same data from every working directory. */
function withHome(config: ToolwrightConfig, folder: string): ToolwrightConfig {
  const { database } = config
  if (database === undefined || 'close' in database || database.home === undefined || database.home === '') return config
  return { ...config, database: { ...database, home: resolve(folder, database.home) } }
}

function checkName(key: string, name: string): void {
  const known = Object.keys(CONFIG_FIELDS)
  if (known.includes(key)) return
  throw new CliError('invalid_config', `${name} says '${key}', which is no option.`, {
    hint: didYouMean(nearestNames(key, known), `The options are: ${known.join(', ')}.`),
  })
}

interface NamedField extends ConfigField {
  /** The file, for messages. */
  readonly name: string
}

/** Reads a field once. A value is shown where it cannot be a secret. */
function fieldOf(config: Readonly<Record<string, unknown>>, key: string, { name, what, fits }: NamedField): unknown {
  let value: unknown
  let isRight: boolean
  try {
    value = config[key]
    isRight = value === undefined || fits(value)
  } catch (cause) {
    const why = cause instanceof Error ? `${cause.name}: ${cause.message}` : quote(cause)
    throw new CliError('invalid_config', `'${key}' in ${name} could not be read. ${why}`, { cause, hint: `It must be ${what}.` })
  }
  if (isRight) return value
  const shown = key === 'deadline' ? quote(value) : kindOf(value)
  throw new CliError('invalid_config', `'${key}' in ${name} must be ${what}, not ${shown}.`)
}

function invalid(message: string): CliError {
  return new CliError('invalid_config', message, { hint: EXAMPLE })
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** The names of a configuration file; where several lie in one folder, the first counts. */
const CONFIG_NAMES = ['toolwright.config.ts', 'toolwright.config.mts', 'toolwright.config.js', 'toolwright.config.mjs'] as const

/** The nearest configuration file, from a folder upwards. */
export function findConfig(folder: string): string | undefined {
  const found = CONFIG_NAMES.map((name) => join(folder, name)).find((file) => existsSync(file))
  if (found !== undefined) return found
  const above = dirname(folder)
  return above === folder ? undefined : findConfig(above)
}
