import type { RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { listening, statelessRequest } from '../../../test/fixtures/mcp/over-http.ts'
import { recordedLog } from '../../../test/fixtures/recorded-log.ts'
import { tool } from '../../tool/tool.ts'
import { connectMcp } from './client/connect-mcp.ts'
import type { ConnectMcpOptions } from './client/connect-options.ts'
import { mcpHandler } from './http/mcp-handler.ts'

const SECRET = 'LEDGER-INTERNAL-7'

/** A server that serves the tool `pay` of another one again, and what its clients and its log are told. */
async function gateway(target: ConnectMcpOptions) {
  const { log, lines } = recordedLog()
  const up = await connectMcp(target)
  onTestFinished(() => up.close())
  const mcp = await mcpHandler({ tools: [up], log })
  onTestFinished(() => mcp.close())
  const url = await listening(mcp.node)
  const pay = async (): Promise<string> => (await statelessRequest(url, 'tools/call', { name: 'pay', arguments: {} })).text
  return { pay, lines }
}

/** Answers until it is called, and then dies with words on stderr. */
const DIES = `
const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'up', version: '1' } })
  else if (method === 'tools/list') say(id, { tools: [{ name: 'pay', description: 'Pays.', inputSchema: { type: 'object' } }] })
  else if (method === 'tools/call') { console.error('customer ${SECRET} of another tenant'); process.exit(3) }
  else if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }) + '\\n')
})`

test('clients of a gateway do not read the last lines of a program behind it, and the log does [T10]', async () => {
  const { pay, lines } = await gateway({ name: 'bank', command: process.execPath, args: ['-e', DIES] })
  for (let at = 0; at < 3; at++) {
    const told = await pay()
    expect(told).toContain('service_unavailable')
    expect(told).not.toContain(SECRET)
  }
  expect(lines.some((line) => line.includes(SECRET))).toBe(true)
})

const broken: readonly (readonly [string, RequestListener])[] = [
  ['a failure of the server', (_, response) => void response.writeHead(500).end(`stack at ${SECRET}.js:1`)],
  ['a redirect', (_, response) => void response.writeHead(307, { location: `http://${SECRET}.corp:8080/x` }).end()],
  ['a lost connection', (request) => void request.socket.destroy()],
]

test.each(broken)('clients of a gateway do not learn of the way to an upstream: %s [T10]', async (_, breaks) => {
  const pays = tool({ name: 'pay', description: 'Pays.', inputSchema: z.object({}), effect: 'write', execute: () => 'paid' })
  const first = await mcpHandler({ tools: [pays] })
  onTestFinished(() => first.close())
  let isBroken = false
  const url = await listening((request, response) => (isBroken ? breaks(request, response) : void first.node(request, response)))
  const { pay, lines } = await gateway({ name: 'bank', url })
  expect(await pay()).toContain('paid')
  isBroken = true
  const told = await pay()
  expect(told).toContain('failed inside the server')
  expect(told).not.toMatch(new RegExp(`${SECRET}|${new URL(url).port}|fetch failed`))
  expect(lines.some((line) => line.includes("MCP server 'bank'"))).toBe(true)
})

test('the words of a tool behind a gateway reach its clients', async () => {
  const fails = tool({
    name: 'pay',
    description: 'Pays.',
    inputSchema: z.object({}),
    effect: 'write',
    execute: (): string => {
      throw new Error('Account 17 is closed.')
    },
  })
  const first = await mcpHandler({ tools: [fails] })
  onTestFinished(() => first.close())
  const { pay } = await gateway({ name: 'bank', url: await listening(first.node) })
  expect(await pay()).toContain('Account 17 is closed.')
})
