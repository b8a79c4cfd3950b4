import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { PEER_RANGES } from '../../src/tool/missing-package.ts'
import { shellWord } from '../../src/tool/shell-word.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Each package of a bridge or a database: what loads it, and the modules of it that are imported. */
const PEERS: readonly (readonly [name: string, load: string, expression: string, modules: readonly string[]])[] = [
  ['@modelcontextprotocol/server', 'bridges/mcp/load-mcp.ts', 'loadMcp()', ['.', './stdio']],
  ['@modelcontextprotocol/server', 'bridges/mcp/load-mcp.ts', 'loadMcpStdio()', ['.', './stdio']],
  ['@modelcontextprotocol/client', 'bridges/mcp/client/load-mcp-client.ts', 'loadMcpClient()', ['.']],
  ['@openai/agents', 'bridges/openai-agents/load-openai-agents.ts', 'loadOpenAiAgents()', ['.']],
  ['@langchain/core', 'bridges/langchain/load-lang-chain.ts', 'loadLangChain()', ['./tools', './messages', './utils/json_schema']],
  ['@langchain/core', 'bridges/langchain/load-lang-chain.ts', 'loadAdopting()', ['./tools', './messages', './utils/json_schema']],
  ['@langchain/langgraph', 'bridges/langchain/load-lang-chain.ts', 'loadLangGraph()', ['.']],
  ['ai', 'bridges/ai-sdk/ai-sdk-model.ts', "aiSdkModel('some/model').generate({ prompt: 'Hi.' })", ['.']],
  ['ai', 'agent/language-model.ts', "callableModel('some/model')", ['.']],
  [
    'jose',
    'bridges/mcp/http/bearer-auth.ts',
    "bearerAuth({ issuer: 'https://a.example', resource: 'https://b.example', jwksUri: 'https://a.example/keys' }).authenticate(new Request('https://b.example', { headers: { authorization: 'Bearer a.b.c' } }))",
    ['.'],
  ],
  ['pg', 'store/load-pg.ts', 'loadPg()', ['.']],
  ['pg-boss', 'run/postgres/load-queue.ts', 'loadQueue()', ['.']],
]

let home = ''

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'peers-'))
  await cp(join(ROOT, 'src'), join(home, 'src'), { recursive: true, filter: (path) => !/\.test(-d)?\.ts$/.test(path) })
  return () => rm(home, { recursive: true, force: true })
})

/** A package of this version whose modules export nothing. */
async function install(name: string, modules: readonly string[], version: string): Promise<void> {
  const folder = join(home, 'node_modules', name)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(folder, { recursive: true })
  const exported = Object.fromEntries(modules.map((each) => [each, './index.js']))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name, version, type: 'module', exports: exported }))
  await writeFile(join(folder, 'index.js'), 'export default {}\n')
}

async function told(): Promise<readonly string[]> {
  const loads = PEERS.map(([, file, expression]) => {
    const module = pathToFileURL(join(home, 'src', file)).href
    const [, called = ''] = /^(\w+)/.exec(expression) ?? []
    return `async () => { const { ${called} } = await import('${module}'); await ${expression} }`
  })
  const program = `for (const load of [${loads.join(',\n')}]) await load().then(() => console.log('-'), (error) => console.log(error.code, error.message))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { cwd: home })
  return stdout.trim().split('\n')
}

const commandOf = (name: string): string => `npm install ${shellWord(`${name}@${PEER_RANGES[name] ?? ''}`)}`

describe('a package of a bridge', () => {
  test('that is missing is named with the versions that fit, and the command [T10]', async () => {
    for (const [at, line] of (await told()).entries()) {
      const [name = ''] = PEERS[at] ?? []
      expect(line).toMatch(new RegExp(`^missing_package Install '${name}' `))
      expect(line.endsWith(`: ${commandOf(name)}`), line).toBe(true)
    }
  })

  test.each([
    ['of an old version', '0.0.1', 'is 0.0.1'],
    ['of a later major version', '99.0.0', 'is 99.0.0'],
    ['that exports nothing', undefined, "has no '"],
  ])('%s is named with its version or what it lacks, the versions that fit, and the command [T10]', async (_what, version, problem) => {
    for (const [name, , , modules] of PEERS) await install(name, modules, version ?? fitting(name))
    for (const [at, line] of (await told()).entries()) {
      const [name = ''] = PEERS[at] ?? []
      expect(line).toContain(`missing_package The installed '${name}' ${problem}`)
      expect(line).toContain(`Install a version of ${PEER_RANGES[name] ?? ''}`)
      expect(line.endsWith(`: ${commandOf(name)}`), line).toBe(true)
    }
  })

  test('has the versions of package.json', async () => {
    const { peerDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
      readonly peerDependencies: Readonly<Record<string, string>>
    }
    for (const [name, range] of Object.entries(PEER_RANGES)) expect([name, range]).toEqual([name, peerDependencies[name]])
  })
})

function fitting(name: string): string {
  return /\d+\.\d+\.\d+/.exec(PEER_RANGES[name] ?? '')?.[0] ?? ''
}
