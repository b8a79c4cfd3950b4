import { createRuntime, namesDatabase } from '../../runtime/create-runtime.ts'
import type { Command, CommonOptions } from '../command.ts'
import { dialectTarget } from '../dialect-target.ts'
import { EXIT } from '../exit-code.ts'
import { Interruption } from '../interruption.ts'
import { packageVersion } from '../package-version.ts'
import { openWorkspace, pickTool } from '../workspace.ts'

interface ServeOptions extends CommonOptions {
  readonly tool?: readonly string[] | undefined
  readonly dialect?: string | undefined
}

/** `toolwright serve`: serves the tools over MCP to the client that started it, until the client disconnects. */
export const serve: Command<ServeOptions> = async ({ options, output }) => {
  const workspace = await openWorkspace(options)
  const { tools, config } = workspace
  const chosen = options.tool === undefined ? tools.tools : options.tool.map((name) => pickTool(workspace, name))
  const { serveStdio } = await import('../../bridges/mcp/index.ts')
  const dialect = options.dialect === undefined ? undefined : dialectTarget(options.dialect)
  const interruption = new Interruption(output)
  output.lendStream()
  const { name, version = packageVersion(), database = {}, ...shared } = config
  const served = { name, version, tools: [...new Set(chosen)], dialect }
  // The worker of this process carries on the runs of all tools, not only of those that are served.
  const runtime = namesDatabase(config.database) ? createRuntime({ ...shared, database, tools: tools.tools }) : undefined
  const serving = await serveStdio(runtime === undefined ? { ...config, ...served } : { ...served, runtime })
  interruption.signal.addEventListener('abort', () => void serving.close(), { once: true })
  output.note(`Serving ${chosen.length} ${chosen.length === 1 ? 'tool' : 'tools'} of ${workspace.from} over MCP.`)
  await Promise.race([serving.closed, interruption.overdue])
  await runtime?.close()
  return interruption.code ?? EXIT.ok
}
