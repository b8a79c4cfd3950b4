import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { cliCommand, FIXTURE, folderWith, runCli } from './run-cli.ts'

async function connect(flags: readonly string[]): Promise<{ readonly client: Client; readonly errors: readonly Error[] }> {
  const { command, args, env } = cliCommand(['serve', ...flags])
  const transport = new StdioClientTransport({ command, args, env, cwd: FIXTURE, stderr: 'ignore' })
  const client = new Client({ name: 'test', version: '1.0.0' })
  const errors: Error[] = []
  Object.assign(client, { onerror: (error: Error) => errors.push(error) })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return { client, errors }
}

test('serve speaks MCP on standard output and nothing else, though the tools print there [T10]', async () => {
  const { client, errors } = await connect([])
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['find_order', 'refund_latest_order', 'echo', 'anything', 'fails', 'wait_forever'])
  expect(await client.callTool({ name: 'echo', arguments: { input: 'hello' } })).toMatchObject({
    content: [{ type: 'text', text: 'hello' }],
  })
  expect(errors).toEqual([])
})

test('serve can be told which tools, and what the configuration says holds: the principal, and nobody to ask [T14]', async () => {
  const { client } = await connect(['--tool', 'refund_latest_order', '--tool', 'find_order'])
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['refund_latest_order', 'find_order'])
  expect(await client.callTool({ name: 'find_order', arguments: { email: 'a' } })).toMatchObject({ structuredContent: { amount: 120 } })
  expect(await client.callTool({ name: 'refund_latest_order', arguments: { email: 'a' } })).toMatchObject({ isError: true })
})

test('serve --select lists two tools, by which the others are found and called [S3]', async () => {
  const { client } = await connect(['--select'])
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['search_tools', 'call_tool'])
  const found = await client.callTool({ name: 'search_tools', arguments: { query: 'find the order of a customer' } })
  expect(found).toMatchObject({ content: [{ text: expect.stringContaining('find_order: ') }] })
  expect(await client.callTool({ name: 'call_tool', arguments: { name: 'echo', arguments: { input: 'hello' } } })).toMatchObject({
    content: [{ type: 'text', text: 'hello' }],
  })
})

test('serve ends without a word when its client no longer reads [T10]', async () => {
  const hello = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } },
  }
  const { code, stderr } = await runCli(['serve'], {
    stdin: `${JSON.stringify(hello)}\n`,
    keepsOpen: true,
    neverReads: true,
    mostMs: 10_000,
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'Serving 6 tools of toolwright.config.ts over MCP.\n' })
})

test('serve ends well when its client hangs up, with 130 for Ctrl-C, and with 2 when there is nothing to serve', async () => {
  const noisy = await folderWith({ 'toolwright.config.ts': 'console.log(1); process.stdout.write("2\\n"); export default { tools: [] }' })
  const [gone, printing, interrupted, unknown] = await Promise.all([
    runCli(['serve']),
    runCli(['serve'], { cwd: noisy }),
    runCli(['serve'], {
      keepsOpen: true,
      onStderr: (text, child) => void (text === 'Serving 6 tools of toolwright.config.ts over MCP.\n' && child.kill('SIGINT')),
    }),
    runCli(['serve', '--json', '--tool', 'find_orders']),
  ])
  expect(gone).toEqual({ code: 0, stdout: '', stderr: 'Serving 6 tools of toolwright.config.ts over MCP.\n' })
  expect(printing).toEqual({ code: 0, stdout: '', stderr: '1\n2\nServing 0 tools of toolwright.config.ts over MCP.\n' })
  expect(interrupted).toMatchObject({ code: 130, stdout: '' })
  expect(unknown).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining("Did you mean 'find_order'?") })
})

test('serve offers the schemas in the dialect that it is told', async () => {
  const { client } = await connect(['--tool', 'find_order', '--dialect', 'openai-strict'])
  const { tools } = await client.listTools()
  expect(tools[0]?.inputSchema).toMatchObject({ additionalProperties: false })
})

test('check says what a dialect cannot express, and which dialects there are', async () => {
  const [text, data, wrong] = await Promise.all([
    runCli(['check', '--dialect', 'openai-strict'], { cwd: FIXTURE }),
    runCli(['check', '--dialect', 'anthropic-strict', '--json'], { cwd: FIXTURE }),
    runCli(['check', '--dialect', 'cohere'], { cwd: FIXTURE }),
  ])
  expect(text).toMatchObject({ code: 0, stdout: expect.stringContaining('6 tools in openai-strict, 6 strict.') })
  expect(JSON.parse(data.stdout)).toMatchObject({
    target: 'anthropic-strict',
    tools: [{ tool: 'find_order', strict: true }, {}, {}, {}, {}, {}],
  })
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('openai-strict, anthropic-strict, gemini, mcp') })
})
