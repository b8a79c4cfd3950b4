import type { ToolwrightConfig } from '../define-config.ts'
import { isRecord } from '../schema/json-schema.ts'
import { quote } from '../schema/quote.ts'
import { isTool } from '../tool/agent-tool.ts'
import { didYouMean } from '../tool/resolve/did-you-mean.ts'
import { nearestNames } from '../tool/resolve/nearest-names.ts'
import { CliError } from './cli-error.ts'
import { CONFIG_FIELDS, type ConfigField } from './config-fields.ts'
import { loadModule, shortPath } from './load-module.ts'

const EXAMPLE = 'Write `export default defineConfig({ tools: [...] })`, with defineConfig from toolwright.'

/** Loads a configuration file and checks what it says as far as that can be told before a call. */
export async function loadConfig(file: string): Promise<ToolwrightConfig> {
  const exported = await loadModule(file, 'invalid_config')
  const name = shortPath(file)
  if (!('default' in exported)) throw invalid(`${name} has no default export.`)
  const config = exported['default']
  if (Array.isArray(config) || isTool(config)) throw invalid(`${name} exports tools, where a configuration should be.`)
  if (!isRecord(config)) throw invalid(`The default export of ${name} is ${kindOf(config)}, and no configuration.`)
  for (const key of Object.keys(config)) checkName(key, name)
  const entries = Object.entries(CONFIG_FIELDS).map(([key, field]) => [key, fieldOf(config, key, { ...field, name })] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
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
