import {
  checkToolMetadata,
  IMPORT_NAMES,
  type McpEndpoint,
  type McpImportOptions,
  type McpProgram,
  TARGET_NAMES,
} from '../../../runtime/mcp-server-entry.ts'
import { isRecord } from '../../../schema/json-schema.ts'
import { quote } from '../../../schema/quote.ts'
import { toMilliseconds } from '../../../tool/duration.ts'
import { ConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../../../tool/option-names.ts'
import { type Clock, systemClock } from '../../../tool/ports/clock.ts'
import type { Logger } from '../../../tool/ports/logger.ts'
import { systemRandom } from '../../../tool/ports/randomness.ts'
import type { ConnectMcpOptions, McpConnectionSetting } from './connect-options.ts'
import type { LinkSetting, McpRoot, McpSampling } from './open-link.ts'
import { targetSecrets } from './target-secrets.ts'

/** The options of a connection, each of them checked. */
export interface CheckedConnection {
  readonly name: string
  readonly target: LinkSetting['target']
  readonly rules: McpImportOptions
  readonly toolsFile: string | undefined
  readonly connectMs: number
  readonly maxTools: number
  readonly maxBytes: number
  readonly log: Logger | undefined
  readonly sampling: McpSampling | undefined
  readonly roots: readonly McpRoot[] | undefined
  readonly elicitation: boolean
  /** The server is known to speak the older revision. */
  readonly isLegacy: boolean
  readonly clock: Clock
  readonly random: () => number
  /** Values that appear in no log: any of the environment and the headers may be a secret. */
  readonly secrets: readonly string[]
}

/** Which names the setting of a connection has. */
export const SETTING_NAMES: Readonly<Record<keyof McpConnectionSetting, true>> = {
  log: true,
  sampling: true,
  roots: true,
  clock: true,
  random: true,
}

/** Every option, of programs and of addresses. */
const NAMES = Object.keys({ ...IMPORT_NAMES, ...TARGET_NAMES, ...SETTING_NAMES, name: true, auth: true })
const ROOT_NAMES = optionNames<McpRoot>({ uri: true, name: true })

const LEGACY = '2025-11-25'
const MOST_TOOLS = 1000
const MOST_BYTES = 10 * 1024 * 1024

export function checkConnection(options: ConnectMcpOptions): CheckedConnection {
  const what = `The options of ${typeof options.name === 'string' ? `MCP server '${options.name}'` : 'connectMcp'}`
  checkOptionNames(options, NAMES, what)
  const { name, include, exclude, prefix, metadata, trustAnnotations, pins, toolsFile } = options
  if (name !== undefined && (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name)))
    throw wrong(what, `'name' must be 1 to 64 letters, digits, '_', '-' or '.', not ${quote(name)}`)
  if (prefix !== undefined && (typeof prefix !== 'string' || prefix.length > 40))
    throw wrong(what, `'prefix' must be a text of at most 40 characters, not ${quote(prefix)}`)
  if (trustAnnotations !== undefined && typeof trustAnnotations !== 'boolean') throw wrong(what, "'trustAnnotations' must be true or false")
  for (const [key, choice] of [['include', include] as const, ['exclude', exclude] as const])
    if (choice !== undefined && typeof choice !== 'function' && !isListOfTexts(choice))
      throw wrong(what, `'${key}' must be a list of names or a function, not ${quote(choice)}`)
  if (metadata !== undefined && !isRecord(metadata)) throw wrong(what, "'metadata' must be an object by the names of tools")
  checkToolMetadata(metadata)
  checkRoots(options.roots, what)
  if (options.elicitation !== undefined && typeof options.elicitation !== 'boolean')
    throw wrong(what, "'elicitation' must be true or false")
  if (options.revision !== undefined && (options.revision as unknown) !== LEGACY)
    throw wrong(what, `'revision' must be '${LEGACY}', or be left out, so that the server is asked`)
  if (pins !== undefined && (!isRecord(pins) || !isListOfTexts(Object.values(pins))))
    throw wrong(what, "'pins' must be an object with the hash of each tool, as the pins() of a connection gives it")
  if (toolsFile !== undefined && (!isPlainText(toolsFile) || toolsFile === ''))
    throw wrong(what, `'toolsFile' must be the path of a file, not ${quote(toolsFile)}`)
  const target = targetOf(options, what)
  return {
    name: name ?? 'mcp',
    target,
    rules: { include, exclude, prefix, metadata, trustAnnotations, pins },
    toolsFile,
    connectMs: toMilliseconds(options.connectTimeout ?? '30s', `'connectTimeout' of ${what}`),
    maxTools: wholeNumber(options.maxTools ?? MOST_TOOLS, 'maxTools', what),
    maxBytes: wholeNumber(options.maxBytes ?? MOST_BYTES, 'maxBytes', what),
    log: options.log,
    sampling: options.sampling,
    roots: options.roots,
    elicitation: options.elicitation ?? true,
    isLegacy: options.revision === LEGACY,
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    secrets: [...Object.values({ ...(target.command === undefined ? target.headers : target.env) }), ...targetSecrets(target)],
  }
}

export function checkRoots(roots: unknown, what: string): void {
  if (roots === undefined) return
  if (!Array.isArray(roots)) throw wrong(what, "'roots' must be a list")
  for (const each of roots as readonly unknown[]) {
    checkOptionNames(each, ROOT_NAMES, 'The options of a root')
    if (!isRecord(each) || typeof each['uri'] !== 'string' || !each['uri'].startsWith('file://'))
      throw wrong(what, `each of 'roots' must have a 'uri' that begins with file://, not ${quote(each)}`)
  }
}

function targetOf(options: ConnectMcpOptions, what: string): LinkSetting['target'] {
  const { type, command, url } = options as { type?: unknown; command?: unknown; url?: unknown }
  if ((command === undefined) === (url === undefined)) throw wrong(what, "say either 'command', to start a program, or 'url'")
  if (type === 'sse')
    throw wrong(what, "type 'sse' is the transport of 2024, which is not spoken here. Use the streamable HTTP address of the server")
  const types = command === undefined ? ['http', 'streamable-http'] : ['stdio']
  if (type !== undefined && !types.includes(String(type)))
    throw wrong(what, `'type' must be ${types.map((each) => `'${each}'`).join(' or ')} here, not ${quote(type)}`)
  return options.command === undefined ? endpointOf(options, what) : programOf(options, what)
}

function programOf({ command, args, env, cwd, ...others }: McpProgram, what: string): McpProgram {
  if ('headers' in others || 'auth' in others) throw wrong(what, "'headers' and 'auth' are for a server with a 'url'")
  if (!isPlainText(command) || command.trim() === '')
    throw wrong(what, `'command' must be the name or path of a program, not ${quote(command)}`)
  if (args !== undefined && !(Array.isArray(args) && args.every(isPlainText)))
    throw wrong(what, "'args' must be a list of texts without NUL")
  checkTexts(env, 'env', what)
  if (Object.keys(env ?? {}).some((key) => key === '' || key.includes('='))) throw wrong(what, "a name in 'env' is empty or has '=' in it")
  if (cwd !== undefined && (!isPlainText(cwd) || cwd === '')) throw wrong(what, `'cwd' must be a path, not ${quote(cwd)}`)
  return {
    command,
    ...(args === undefined ? {} : { args: [...args] }),
    ...(env === undefined ? {} : { env: { ...env } }),
    ...(cwd === undefined ? {} : { cwd }),
  }
}

function endpointOf({ url, headers, auth, ...others }: McpEndpoint & { readonly auth?: unknown }, what: string): LinkSetting['target'] {
  if ('args' in others || 'env' in others || 'cwd' in others) throw wrong(what, "'args', 'env' and 'cwd' are for a server with a 'command'")
  const address = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
  if (address === undefined || !/^https?:$/.test(address.protocol))
    throw wrong(what, "'url' must be an address that begins with http:// or https://")
  if (address.username !== '' || address.password !== '')
    throw wrong(what, "'url' must not hold a user or a password. Use 'headers' or 'auth'")
  checkTexts(headers, 'headers', what)
  try {
    void new Headers({ ...headers })
  } catch {
    throw wrong(what, "'headers' has a name or a value that cannot be sent")
  }
  if (auth !== undefined && !isRecord(auth)) throw wrong(what, "'auth' must be a provider of tokens, such as { token: async () => key }")
  return { url, ...(headers === undefined ? {} : { headers: { ...headers } }), ...(auth === undefined ? {} : { auth: auth as never }) }
}

/** Values may be secrets: they are not repeated. */
function checkTexts(given: unknown, key: string, what: string): void {
  if (given === undefined) return
  if (!isRecord(given)) throw wrong(what, `'${key}' must be an object with texts`)
  const odd = Object.entries(given).find(([, value]) => !isPlainText(value))
  if (odd !== undefined) throw wrong(what, `${quote(odd[0])} in '${key}' must be a text without NUL`)
}

function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0')
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function wholeNumber(value: unknown, key: string, what: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value
  throw wrong(what, `'${key}' must be a whole number of at least 1, not ${quote(value)}`)
}

function wrong(what: string, why: string): ConfigurationError {
  return new ConfigurationError('invalid_option', `${what}: ${why}.`)
}
