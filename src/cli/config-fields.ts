import type { ToolwrightConfig } from '../define-config.ts'
import { isRecord } from '../schema/json-schema.ts'
import { isTool } from '../tool/agent-tool.ts'
import { toMilliseconds, type Duration } from '../tool/duration.ts'

/** What a field of the configuration must be, in words and as a test. */
export interface ConfigField {
  readonly what: string
  readonly fits: (value: unknown) => boolean
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isFunction = (value: unknown): boolean => typeof value === 'function'

const TEXT: ConfigField = { what: 'a text', fits: isText }
const FUNCTION: ConfigField = { what: 'a function', fits: isFunction }

/** Every field that a configuration may have. */
export const CONFIG_FIELDS: Readonly<Record<keyof ToolwrightConfig, ConfigField>> = {
  name: TEXT,
  version: TEXT,
  tools: { what: 'a list of tools', fits: Array.isArray },
  peers: { what: 'a list of peers', fits: listOf((each) => hasMethods(each, 'recognises', 'adopt')) },
  deadline: { what: "milliseconds, a duration such as '5s' or '2m', or a date", fits: isDeadline },
  stepDeadline: { what: "milliseconds, or a duration such as '5s' or '2m'", fits: isDuration },
  principal: { what: 'an object with an id and a list of permissions, such as { id: "ada", permissions: [] }', fits: isPrincipal },
  review: { what: 'a review handler, such as consoleReview()', fits: (value) => hasMethods(value, 'review') },
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
  worker: { what: 'false, or an object such as { concurrency: 10 }', fits: (value) => value === false || isRecord(value) },
  idempotency: {
    what: 'a store of idempotency keys, such as memoryIdempotency()',
    fits: (value) => hasMethods(value, 'claim', 'renew', 'settle'),
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
