import type { DatabaseOptions } from '../run/database-options.ts'
import type { OpenStore } from '../store/store-options.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import type { McpAuth, McpAuthenticate } from '../tool/ports/mcp-auth.ts'
import { checkEntryNames, type McpServerEntries } from './mcp-server-entry.ts'
import { RUNTIME_NAMES, type RuntimeOptions } from './create-runtime.ts'

/** The content of `toolwright.config.ts`: the tools, and the options that their calls share. */
export interface ToolwrightConfig extends Omit<RuntimeOptions, 'database'> {
  /** Where durable runs are kept. Every command is a process of its own, so it is a PostgreSQL, by its `url` or embedded. */
  readonly database?: DatabaseOptions | OpenStore | undefined
  /** MCP servers whose tools stand beside the others, in the format of desktop clients. `toolwright pin` accepts what they say. */
  readonly mcpServers?: McpServerEntries | undefined
  /** The name of the server that `toolwright serve` starts. The default is `toolwright`. */
  readonly name?: string | undefined
  /** The version that goes with the name. */
  readonly version?: string | undefined
  /** Who calls over HTTP, for `toolwright serve --http`: `bearerAuth(...)` of `toolwright/mcp`, or a function of your own. */
  readonly auth?: McpAuth | McpAuthenticate | undefined
}

const NAMES = optionNames<ToolwrightConfig>({ ...RUNTIME_NAMES, mcpServers: true, name: true, version: true, auth: true })

/**
 * Gives a configuration its type. The command line looks for it as the default export of `toolwright.config.ts`, from the current folder upwards.
 * @example
 * const config = defineConfig({ tools: [orders, issueRefund], deadline: '30s' })
 * console.log(config.tools?.length) // 2
 */
export function defineConfig(config: ToolwrightConfig): ToolwrightConfig {
  checkOptionNames(config, NAMES, 'The options of defineConfig')
  checkEntryNames(config.mcpServers)
  return config
}
