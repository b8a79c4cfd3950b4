import type { McpServerOptions, McpServers } from '../../bridges/mcp/index.ts'
import { createRuntime, namesDatabase } from '../../runtime/create-runtime.ts'
import { CliError } from '../cli-error.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { ToolProvider } from '../../tool/resolve/resolve.ts'
import { printable } from '../../tool/printable.ts'
import type { Command, CommonOptions } from '../command.ts'
import { dialectTarget } from '../dialect-target.ts'
import { EXIT } from '../exit-code.ts'
import { Interruption } from '../interruption.ts'
import { tellChanges } from '../mcp-servers.ts'
import { durablePlace } from '../open-database.ts'
import { jsonText, type Output } from '../output.ts'
import { packageVersion } from '../package-version.ts'
import type { HttpFlags } from '../serve-http.ts'
import { callOptions, openWorkspace, pickTool, type Workspace } from '../workspace.ts'

interface ServeOptions extends CommonOptions, HttpFlags {
  readonly tool?: readonly string[] | undefined
  readonly dialect?: string | undefined
  readonly select?: boolean | undefined
}

const DRAINING = 'Taking no more requests. What is under way may end; once more to end at once.'
const OF_HTTP = ['host', 'port', 'path', 'allowHost', 'allowOrigin', 'tokenEnv', 'withoutAuth', 'drain'] as const

/** `toolwright serve`: serves the tools over MCP to the client that started it, until the client disconnects; with `--http`, to all that may come. */
export const serve: Command<ServeOptions> = async ({ options, output }) => {
  const stray = options.http === undefined ? OF_HTTP.find((each) => options[each] !== undefined) : undefined
  if (stray !== undefined) throw new CliError('usage', `--${stray.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} needs --http.`)
  const workspace = await openWorkspace(options, output)
  const { tools, config } = workspace
  const chosen = options.tool === undefined ? tools.tools : options.tool.map((name) => pickTool(workspace, name))
  const dialect = options.dialect === undefined ? undefined : dialectTarget(options.dialect)
  const place = namesDatabase(config.database) ? await durablePlace({}, workspace) : undefined
  const interruption = options.http === undefined ? new Interruption(output) : new Interruption(output, DRAINING)
  const { name, version = packageVersion(), auth: _auth, ...shared } = config
  // The worker of this process carries on the runs of all tools, not only of those that are served.
  const runtime = place === undefined ? undefined : createRuntime({ ...shared, ...place, tools: followedTools(workspace, tools.tools) })
  const names = options.tool === undefined ? undefined : new Set(chosen.map((each) => each.name))
  const offered = { name, version, tools: followedTools(workspace, chosen, names), dialect, select: options.select }
  if (workspace.mcp !== undefined) tellChanges(workspace.mcp.servers, output)
  const served = runtime === undefined ? { ...callOptions(config), peers: config.peers, ...offered } : { ...offered, runtime }
  const what = `Serving ${chosen.length} ${chosen.length === 1 ? 'tool' : 'tools'} of ${printable(workspace.from)} over MCP${options.select === true ? ', found by search_tools' : ''}`
  const serving = { workspace, options, output, interruption, served, what }
  await (options.http === undefined ? overStdio(serving) : overHttp(serving))
  await runtime?.close()
  return interruption.code ?? EXIT.ok
}

/** The tools of MCP servers stand there as a whole, or those of them with these names, so that their changes are followed. */
function followedTools({ mcp }: Workspace, chosen: readonly AgentTool[], names?: ReadonlySet<string>): readonly unknown[] {
  if (mcp === undefined) return [...new Set(chosen)]
  const { servers } = mcp
  const theirs = new Set(servers.tools())
  return [...new Set(chosen.filter((each) => !theirs.has(each))), names === undefined ? servers : onlyOf(servers, names)]
}

function onlyOf({ tools, onChange, refresh, lookFor }: McpServers, names: ReadonlySet<string>): ToolProvider {
  return {
    tools: () => tools().filter(({ name }) => names.has(name)),
    onChange,
    refresh,
    lookFor: async (name) => (names.has(name) ? lookFor(name) : undefined),
  }
}

interface Serving {
  readonly workspace: Workspace
  readonly options: ServeOptions
  readonly output: Output
  readonly interruption: Interruption
  readonly served: McpServerOptions
  readonly what: string
}

async function overStdio({ output, interruption, served, what }: Serving): Promise<void> {
  const { serveStdio } = await import('../../bridges/mcp/index.ts')
  output.lendStream()
  const { closed, close } = await serveStdio(served)
  interruption.signal.addEventListener('abort', () => void close(), { once: true })
  output.note(`${what}.`)
  await Promise.race([closed, interruption.overdue])
}

async function overHttp({ workspace: { config }, options, output, interruption, served, what }: Serving): Promise<void> {
  const { serveHttp } = await import('../serve-http.ts')
  const { url, close } = await serveHttp({ flags: options, config, served, output })
  output.note(`${what} at ${url}`)
  // The token itself stands in no output.
  const headers = options.tokenEnv === undefined ? '' : `, "headers": { "Authorization": "Bearer \${${options.tokenEnv}}" }`
  const entry = `{ "type": "http", "url": "${url}"${headers} }`
  output.note(`Clients connect with { "mcpServers": { ${jsonText(served.name ?? 'toolwright')}: ${entry} } }`)
  await new Promise<void>((resolve) => {
    if (interruption.signal.aborted) resolve()
    else interruption.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await close()
}
