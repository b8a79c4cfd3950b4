import type { ClientConfig } from 'pg'
import type { ToolwrightConfig } from '../../runtime/define-config.ts'
import { isRecord } from '../../schema/json-schema.ts'
import { schemasOf } from '../../store/app.ts'
import { type AgentTool, isTool } from '../../tool/agent-tool.ts'
import { findConfig, loadConfig } from '../load-config.ts'
import { durablePlace } from '../open-database.ts'
import { builtInTools, toolsOfModule } from '../workspace.ts'
import type { Candidate, Completion } from './complete-words.ts'

const CONNECT_MS = 10_000
const MOST_IDS = 50

/** The names that a project knows. No server of MCP and no database is started for them: a stopped one gives none. */
export async function lookUpNames({ wanted, options }: Pick<Completion, 'wanted' | 'options'>): Promise<readonly Candidate[]> {
  const modules = options['--tools'] ?? []
  const configFile = options['--config']?.at(-1) ?? (modules.length > 0 ? undefined : findConfig(process.cwd()))
  const config = configFile === undefined ? {} : await loadConfig(configFile)
  if (wanted?.of === 'run' || wanted?.of === 'request') return idsOf(wanted.of, { options, config, configFile })
  const tools = await toolsIn(config, { modules, isBuiltIn: configFile === undefined && modules.length === 0 })
  if (wanted?.of === 'field') return fieldsOf(tools.find(({ name }) => name === wanted.tool))
  return tools.map(({ name, description }) => ({ word: name, about: description }))
}

async function toolsIn(
  { tools = [] }: ToolwrightConfig,
  { modules, isBuiltIn }: { readonly modules: readonly string[]; readonly isBuiltIn: boolean },
): Promise<readonly AgentTool[]> {
  const listed = isBuiltIn ? await builtInTools() : [...tools, ...(await Promise.all(modules.map(toolsOfModule))).flat()]
  return [...new Set(listed.flat(3).filter(isTool))]
}

/** `email=` and so on: the pairs that `call` and `run` take. */
function fieldsOf(tool: AgentTool | undefined): readonly Candidate[] {
  const properties = tool?.specification.parameters['properties']
  if (!isRecord(properties)) return []
  return Object.entries(properties).map(([name, schema]) => {
    const about = isRecord(schema) ? schema['description'] : undefined
    return { word: `${name}=`, about: typeof about === 'string' ? about : undefined }
  })
}

interface IdPlace {
  readonly options: Completion['options']
  readonly config: ToolwrightConfig
  readonly configFile: string | undefined
}

async function idsOf(of: 'run' | 'request', { options, config, configFile }: IdPlace): Promise<readonly Candidate[]> {
  const flags = { databaseUrl: options['--database-url']?.at(-1), home: options['--home']?.at(-1), app: options['--app']?.at(-1) }
  const { database, app } = await durablePlace(flags, { config, configFile })
  const connection = await connectionTo(database)
  if (connection === undefined) return []
  const { loadPg } = await import('../../store/load-pg.ts')
  const { Client } = await loadPg()
  const client = new Client({ ...connection, connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS })
  client.on('error', () => {})
  await client.connect()
  try {
    const { tables } = schemasOf(app)
    const { rows } = await client.query<{ id: string; about: string }>(
      of === 'run'
        ? `SELECT id, tool || ', ' || status AS about FROM ${tables}.run ORDER BY created_at DESC LIMIT ${MOST_IDS}`
        : `SELECT id, tool AS about FROM ${tables}.approval WHERE status = 'open' ORDER BY requested_at LIMIT ${MOST_IDS}`,
    )
    return rows.map(({ id, about }) => ({ word: id, about }))
  } finally {
    await client.end()
  }
}

type Place = Awaited<ReturnType<typeof durablePlace>>['database']

/** How to reach the database, if it runs. */
async function connectionTo({ url, home, store }: Place): Promise<ClientConfig | undefined> {
  if (store !== undefined) return undefined
  const address = url ?? (home === undefined ? process.env['DATABASE_URL'] : undefined)
  if (address !== undefined) return { connectionString: address }
  if (home === undefined) return undefined
  const [{ embeddedFolders }, { probeServer }, { serverUser }] = await Promise.all([
    import('../../store/embedded-folders.ts'),
    import('../../store/probe-server.ts'),
    import('../../store/server-user.ts'),
  ])
  const folders = embeddedFolders(home)
  const state = await probeServer(folders, serverUser(folders.data), CONNECT_MS)
  return state.is === 'ready' ? state.connection : undefined
}
