import { expect, onTestFinished, test } from 'vitest'
import { tool } from '../../../tool/tool.ts'
import { mcpHandler } from './mcp-handler.ts'

test('a request that its client has given up leaves its place, though nobody reads the answer', async () => {
  const begun = Promise.withResolvers<void>()
  const wait = tool({
    name: 'wait',
    description: 'Waits.',
    effect: 'read',
    execute: (_input, { signal, progress }) => {
      progress('waiting')
      begun.resolve()
      return new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('over')))
    },
  })
  const mcp = await mcpHandler({ tools: [wait], limits: { concurrency: 1 } })
  onTestFinished(() => mcp.close())
  const post = (method: string, params: object, signal?: AbortSignal) => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...meta, progressToken: 1 } } })
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...('name' in params ? { 'mcp-name': String(params.name) } : {}),
    }
    return mcp.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body, ...(signal === undefined ? {} : { signal }) }))
  }
  const controller = new AbortController()
  const given = post('tools/call', { name: 'wait', arguments: { input: '' } }, controller.signal)
  await begun.promise
  expect((await post('tools/list', {})).status).toBe(429)
  controller.abort()
  await given.catch(() => undefined)
  expect((await post('tools/list', {})).status).toBe(200)
})
