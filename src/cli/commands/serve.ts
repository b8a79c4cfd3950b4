import { createRuntime, namesDatabase } from '../../runtime/create-runtime.ts'
import type { Command, CommonOptions } from '../command.ts'
import { dialectTarget } from '../dialect-target.ts'
import { EXIT } from '../exit-code.ts'
import { Interruption } from '../interruption.ts'
import { durablePlace } from '../open-database.ts'
import { packageVersion } from '../package-version.ts'
import { openWorkspace, pickTool } from '../workspace.ts'

interface ServeOptions extends CommonOptions {
  readonly tool?: readonly string[] | undefined
  readonly dialect?: string | undefined
}

/** `toolwright serve`: serves the tools over MCP to the client that started it, until the client disconnects. */
export const serve: Command<ServeOptions> = async ({ options, output }) => {
  const workspace = await openWorkspace(options, output)
  const { tools, config } = workspace
  const chosen = options.tool === undefined ? tools.tools : options.tool.map((name) => pickTool(workspace, name))
  const { serveStdio } = await import('../../bridges/mcp/index.ts')
  const dialect = options.dialect === undefined ? undefined : dialectTarget(options.dialect)
  const place = namesDatabase(config.database) ? await durablePlace({}, workspace) : undefined
  const interruption = new Interruption(output)
  output.lendStream()
  const { name, version = packageVersion(), ...shared } = config
  const served = { name, version, tools: [...new Set(chosen)], dialect }
  // The worker of this process carries on the runs of all tools, not only of those that are served.
  const runtime = place === undefined ? undefined : createRuntime({ ...shared, ...place, tools: tools.tools })
  const serving = await serveStdio(runtime === undefined ? { ...config, ...served } : { ...served, runtime })
  interruption.signal.addEventListener('abort', () => void serving.close(), { once: true })
  output.note(`Serving ${chosen.length} ${chosen.length === 1 ? 'tool' : 'tools'} of ${workspace.from} over MCP.`)
  await Promise.race([serving.closed, interruption.overdue])
  await runtime?.close()
  return interruption.code ?? EXIT.ok
}
