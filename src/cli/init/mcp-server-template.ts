import type { Template } from './template.ts'

/** The pipeline as a tool of MCP clients. */
export const mcpServerTemplate: Template = {
  summary: 'an MCP server for Claude, Cursor, VS Code and other clients',
  dependencies: { '@modelcontextprotocol/server': '2.4.0' },
  devDependencies: { '@modelcontextprotocol/client': '2.4.0' },
  scripts: { serve: 'toolwright serve', 'serve:http': 'toolwright serve --http' },
  files: () => ({ 'src/main.ts': MAIN, 'test/server.test.ts': TEST }),
  readme:
    () => `\`npm start\` starts the server as a client would, lists its tools, calls one and ends. A client's user is asked at the gate; here, the program answers yes.

\`npm run serve\` is the server itself, over standard input and output: it waits for a client, which usually starts it. \`npm run serve:http\` serves at http://127.0.0.1:3000/mcp.
`,
}

const MAIN = `import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const project = join(import.meta.dirname, '..')

/** A client as small as can be: its user approves everything. */
const client = new Client({ name: 'first-look', version: '0.1.0' }, { capabilities: { elicitation: {} } })
client.setRequestHandler('elicitation/create', ({ params }) => {
  console.log(params.message)
  return { action: 'accept', content: { decision: 'approve' } }
})
const server = join(project, 'node_modules', 'toolwright', 'dist', 'cli', 'main.js')
const config = join(project, 'toolwright.config.ts')
await client.connect(new StdioClientTransport({ command: process.execPath, args: [server, 'serve', '--config', config] }))

const { tools } = await client.listTools()
console.log(\`The server offers: \${tools.map(({ name }) => name).join(', ')}\`)
const result = await client.callTool({ name: 'refund_latest_order', arguments: { email: 'ada@example.com' } })
console.log(result.content)
await client.close()
if (result.isError) process.exitCode = 1
`

const TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { createMcpServer } from 'toolwright/mcp'
import config from '../toolwright.config.ts'

test('a client lists the tools, and its user can refuse a refund', async () => {
  const { newServer, close } = await createMcpServer({ tools: config.tools ?? [] })
  const client = new Client({ name: 'test', version: '0.1.0' }, { capabilities: { elicitation: {} } })
  client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }))
  const [near, far] = InMemoryTransport.createLinkedPair()
  await newServer().connect(far)
  await client.connect(near)
  const { tools } = await client.listTools()
  assert.deepEqual(tools.map(({ name }) => name), ['find_order', 'refund_latest_order'])
  const result = await client.callTool({ name: 'refund_latest_order', arguments: { email: 'ada@example.com' } })
  assert.equal(result.isError, true)
  await client.close()
  await close()
})
`
