import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installFolder, versionsIn } from '../../scripts/install-folder.ts'
import { root, runProgram } from '../../scripts/run-program.ts'
import { inRange } from '../../src/tool/in-range.ts'
import { startPostgres, type StartedPostgres } from '../fixtures/postgres/start-postgres.ts'
import { type InstalledPackage, installPackage, succeeded } from '../package/installed-package.ts'
import { DURABLE_PRINTED, DURABLE_RUN } from '../package/user-programs.ts'

const TELEMETRY = `import { tool } from 'toolwright'
import { startTelemetry } from 'toolwright/telemetry'
const spans = []
const traces = {
  export: (batch, done) => { spans.push(...batch); done({ code: 0 }) },
  forceFlush: async () => {},
  shutdown: async () => {},
}
const telemetry = await startTelemetry({ prometheus: { port: 0 }, traces, serviceName: 'peers' })
const greet = tool({ name: 'greet', description: 'Greets.', effect: 'read', execute: (who) => 'Hello, ' + who + '!' })
await greet.call('Ada', { on: telemetry.observer })
const metrics = await (await fetch(telemetry.metricsUrl)).text()
await telemetry.shutdown()
console.log(metrics.split('\\n').some((line) => !line.startsWith('#') && line.includes('"greet"')))
console.log(spans.map(({ name }) => name).join())
`

const GREET = `const name = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const greet = tool({ name: 'greet', description: 'Greets.', effect: 'read', inputSchema: jsonSchema(name), execute: ({ name }) => 'Hello, ' + name + '!' })
const careful = gate(greet, { approval: true, why: 'Somebody is greeted.' })
`

/** A call, and a gate that interrupts a graph and is resumed. */
const LANGCHAIN = `import { AIMessage } from '@langchain/core/messages'
import { Command, MemorySaver, MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { gate, jsonSchema, tool } from 'toolwright'
import { toLangChain } from 'toolwright/langchain'
${GREET}
const { named } = await toLangChain({ greet })
console.log(await named.greet.invoke({ name: 'Ada' }))
const { tools } = await toLangChain([careful])
const graph = new StateGraph(MessagesAnnotation)
  .addNode('model', () => ({ messages: [new AIMessage({ content: '', tool_calls: [{ id: 'call_1', name: 'greet', args: { name: 'Bob' } }] })] }))
  .addNode('tools', new ToolNode(tools))
  .addEdge('__start__', 'model')
  .addEdge('model', 'tools')
  .compile({ checkpointer: new MemorySaver() })
const thread = { configurable: { thread_id: 'one' } }
await graph.invoke({ messages: [] }, thread)
const { tasks } = await graph.getState(thread)
const { id, request } = tasks[0].interrupts[0].value
console.log(request.why)
const { messages } = await graph.invoke(new Command({ resume: { id, action: 'approve', by: 'ann' } }), thread)
console.log(messages.at(-1).content)
`

/** A call, and a gate that interrupts a run and is approved. */
const OPENAI_AGENTS = `import { Agent, RunContext, Runner, Usage } from '@openai/agents'
import { gate, jsonSchema, tool } from 'toolwright'
import { toOpenAiAgents } from 'toolwright/openai-agents'
${GREET}
const { named } = await toOpenAiAgents({ greet })
console.log(await named.greet.invoke(new RunContext(), '{"name":"Ada"}'))
const told = []
const model = {
  async getResponse({ input }) {
    const results = typeof input === 'string' ? [] : input.filter((item) => item.type === 'function_call_result')
    told.push(...results.map(({ output }) => output.text ?? String(output)))
    const call = { type: 'function_call', callId: 'call_1', name: 'greet', arguments: '{"name":"Bob"}' }
    const text = { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Done.' }] }
    return { usage: new Usage(), output: [results.length === 0 ? call : text] }
  },
  async *getStreamedResponse() {},
}
const { tools, reviews } = await toOpenAiAgents([careful], { session: 'one' })
const agent = new Agent({ name: 'Desk', model, tools })
const runner = new Runner({ tracingDisabled: true })
const { state, interruptions } = await runner.run(agent, 'Greet Bob.')
const [request] = await reviews.requests(interruptions[0], state)
console.log(request.why)
state.approve(interruptions[0])
await runner.run(agent, state)
console.log(told.at(-1))
`

/** A call of a tool of ours, and one of a tool of the SDK. */
const AI_SDK = `import { jsonSchema as aiSchema, tool as aiTool } from 'ai'
import { gate, jsonSchema, tool } from 'toolwright'
import { fromAiSdk, toAiSdk } from 'toolwright/ai-sdk'
${GREET}
const { tools } = toAiSdk([greet])
console.log(await tools.greet.execute({ name: 'Ada' }, { toolCallId: 'call_1', messages: [] }))
const theirs = aiTool({ description: 'Greets.', inputSchema: aiSchema(name), execute: ({ name }) => 'Hi, ' + name + '!' })
console.log((await fromAiSdk({ theirs }).theirs.call({ name: 'Bob' })).text)
`

/** Tools of a server that asks for a token, used by a client of ours. */
const MCP = `import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { autoReview, gate, jsonSchema, tool } from 'toolwright'
import { bearerAuth, connectMcp, mcpHandler } from 'toolwright/mcp'
${GREET}
const { publicKey, privateKey } = await generateKeyPair('ES256')
const server = createServer((request, response) => handler.node(request, response)).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const url = 'http://127.0.0.1:' + server.address().port + '/mcp'
const auth = bearerAuth({ issuer: 'https://login.example.com', jwks: { keys: [await exportJWK(publicKey)] }, resource: url })
const handler = await mcpHandler({ tools: [careful], auth })
const sign = () => new SignJWT({ scope: '' }).setProtectedHeader({ alg: 'ES256' }).setIssuer('https://login.example.com').setAudience(url).setSubject('ada').setExpirationTime('5m').sign(privateKey)
const refused = await connectMcp({ url }).catch((error) => error)
console.log(refused.class)
const connection = await connectMcp({ url, auth: { token: sign } })
const review = autoReview(({ why }) => (console.log(why.includes('Somebody is greeted.')), { action: 'answer', value: { decision: 'approve' } }))
console.log((await connection.tool('greet').call({ name: 'Bob' }, { review })).text)
await connection.close()
await handler.close()
server.closeAllConnections()
server.close()
`

interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest
const OLDEST = versionsIn(import.meta.dirname)

let installed: InstalledPackage
let postgres: StartedPostgres
let url: string

beforeAll(async () => {
  const problem = await installFolder(import.meta.dirname, 'the oldest peers')
  if (problem !== undefined) throw new Error(problem)
  installed = await installPackage()
  postgres = await startPostgres({ tcp: true })
  const { user, password = '', host, port, database } = postgres.config
  url = `postgres://${user}:${password}@${host}:${port}/${database}`
}, 600_000)
afterAll(async () => {
  await postgres.stop()
  await rm(installed.folder, { recursive: true, force: true })
})

test.each(Object.entries(OLDEST))(
  'the range of %s begins with the version that is tried, and holds the one of the other tests',
  (name, oldest) => {
    const range = manifest.peerDependencies[name] ?? ''
    expect(/^(?:>=|\^)(\d+\.\d+\.\d+)/.exec(range)?.[1]).toBe(oldest)
    expect(inRange(oldest, range)).toBe(true)
    expect(inRange(manifest.devDependencies[name] ?? '', range)).toBe(true)
  },
)

const ENDS = [
  { end: 'oldest', packages: join(import.meta.dirname, 'node_modules') },
  { end: 'newest', packages: join(root, 'node_modules') },
]

describe.each(ENDS)('with the $end peers', ({ end, packages }) => {
  let app: string

  beforeAll(async () => {
    app = join(installed.folder, end)
    await cp(installed.app, app, { recursive: true, verbatimSymlinks: true })
    for (const name of Object.keys(OLDEST)) {
      await mkdir(join(app, 'node_modules', name, '..'), { recursive: true })
      await symlink(join(packages, name), join(app, 'node_modules', name))
    }
  })

  const run = async (program: string): Promise<string> => {
    await writeFile(join(app, 'program.js'), program)
    return succeeded(await runProgram('node', ['program.js'], { cwd: app, env: { DATABASE_URL: url } })).stdout
  }

  test('durable runs run', async () => {
    expect(await run(DURABLE_RUN)).toBe(DURABLE_PRINTED)
  }, 60_000)

  test('LangChain calls a tool, and a graph is interrupted and resumed', async () => {
    expect(await run(LANGCHAIN)).toBe('Hello, Ada!\nSomebody is greeted.\nHello, Bob!\n')
  }, 60_000)

  test('OpenAI Agents call a tool, and a run is interrupted and goes on', async () => {
    expect(await run(OPENAI_AGENTS)).toBe('Hello, Ada!\nSomebody is greeted.\nHello, Bob!\n')
  }, 60_000)

  test('the AI SDK calls a tool, and its tools are called', async () => {
    expect(await run(AI_SDK)).toBe('Hello, Ada!\nHi, Bob!\n')
  }, 60_000)

  test('a server of MCP checks a token, and a client passes its question on', async () => {
    expect(await run(MCP)).toBe('authorization\ntrue\nHello, Bob!\n')
  }, 60_000)

  test('metrics and spans are reported', async () => {
    expect(await run(TELEMETRY)).toBe('true\nexecute_tool greet\n')
  }, 60_000)
})
