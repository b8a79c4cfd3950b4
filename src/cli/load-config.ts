import type { ToolwrightConfig } from '../define-config.ts'
import { isTool } from '../tool/agent-tool.ts'
import { nearestNames } from '../tool/resolve/nearest-names.ts'
import { isRecord } from '../tool/schema/json-schema.ts'
import { CliError } from './cli-error.ts'
import { loadModule, shortPath } from './load-module.ts'

const KNOWN: Readonly<Record<keyof ToolwrightConfig, true>> = {
  name: true,
  version: true,
  tools: true,
  peers: true,
  deadline: true,
  principal: true,
  review: true,
  policy: true,
  services: true,
  secrets: true,
  model: true,
  log: true,
  on: true,
  agent: true,
  task: true,
  session: true,
  tokenBudget: true,
  clock: true,
  ids: true,
  random: true,
  overrides: true,
}

const EXAMPLE = 'Write `export default defineConfig({ tools: [...] })`, with defineConfig from toolwright.'

/** Loads a configuration file and checks what it says as far as that can be told before a call. */
export async function loadConfig(file: string): Promise<ToolwrightConfig> {
  const exported = await loadModule(file, 'invalid_config')
  const name = shortPath(file)
  if (!('default' in exported)) throw invalid(`${name} has no default export.`)
  const config = exported['default']
  if (Array.isArray(config) || isTool(config)) throw invalid(`${name} exports tools, where a configuration should be.`)
  if (!isRecord(config)) throw invalid(`The default export of ${name} is ${kindOf(config)}, and no configuration.`)
  for (const key of Object.keys(config)) {
    if (Object.hasOwn(KNOWN, key)) continue
    const near = nearestNames(key, Object.keys(KNOWN))
    throw new CliError('invalid_config', `${name} says '${key}', which is no option.`, {
      hint: near.length > 0 ? `Did you mean '${near.join("' or '")}'?` : `The options are: ${Object.keys(KNOWN).join(', ')}.`,
    })
  }
  if (config['tools'] !== undefined && !Array.isArray(config['tools']))
    throw invalid(`'tools' in ${name} is ${kindOf(config['tools'])}, and no list.`)
  return config
}

function invalid(message: string): CliError {
  return new CliError('invalid_config', message, { hint: EXAMPLE })
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
