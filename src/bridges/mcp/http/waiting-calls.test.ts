import { expect, onTestFinished, test } from 'vitest'
import { listening, statelessRequest } from '../../../../test/fixtures/mcp/over-http.ts'
import { z } from 'zod'
import { gate } from '../../../combinators/gate/gate.ts'
import { tool } from '../../../tool/tool.ts'
import type { McpWaitingLimits } from '../waiting-limits.ts'
import { mcpHandler } from './mcp-handler.ts'

const pay = gate(tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: (to) => `Paid ${to.slice(0, 10)}.` }))

/** An endpoint whose callers name themselves. */
async function tenants(waiting: McpWaitingLimits = {}) {
  const mcp = await mcpHandler({
    tools: [pay],
    waiting,
    auth: (request) => ({ principal: { id: request.headers.get('x-tenant') ?? 'nobody', permissions: [] } }),
  })
  onTestFinished(() => mcp.close())
  const url = await listening(mcp.node)
  const call = async (tenant: string, input: string, more: object = {}) =>
    (await statelessRequest(url, 'tools/call', { name: 'pay', arguments: { input }, ...more }, { 'x-tenant': tenant })).message
  return { call }
}

const approved = (result: Record<string, unknown> = {}): object => ({
  requestState: result['requestState'],
  inputResponses: Object.fromEntries(
    Object.keys(result['inputRequests'] as object).map((id) => [id, { action: 'accept', content: { decision: 'approve' } }]),
  ),
})

test('a tenant whose calls wait takes no places of others [T10]', async () => {
  const { call } = await tenants({ maxCalls: 8 })
  const first = await call('ada', 'Ada')
  for (let index = 0; index < 20; index++) expect((await call('bob', `Bob ${index}`))?.result?.['resultType']).toBe('input_required')
  expect(JSON.stringify(await call('ada', 'Ada', approved(first?.result)))).toContain('Paid Ada.')
})

test('a tenant whose calls hold much is refused, with what to do [T10]', async () => {
  const { call } = await tenants({ maxBytes: 40_000 })
  const large = 'x'.repeat(8000)
  expect((await call('bob', large))?.result?.['resultType']).toBe('input_required')
  expect(JSON.stringify(await call('bob', `${large}y`))).toMatch(/hold too much already. Call again with a smaller input/)
  expect((await call('ada', large))?.result?.['resultType']).toBe('input_required')
})

test('limits that make no sense are refused', async () => {
  await expect(mcpHandler({ tools: [pay], waiting: { maxCalls: 0 } })).rejects.toThrow("'maxCalls' of 'waiting' of an MCP server")
  // @ts-expect-error misspelt
  await expect(mcpHandler({ tools: [pay], waiting: { maxCall: 1 } })).rejects.toThrow("Did you mean 'maxCalls'")
})

test('arguments with more values than a person can look at are refused before they cost time', async () => {
  const note = tool({ name: 'note', description: 'Notes.', inputSchema: z.looseObject({}), effect: 'write', execute: () => 'noted' })
  const mcp = await mcpHandler({ tools: [gate(note), tool({ ...FREE, execute: () => 'taken' })], waiting: { maxValues: 100 } })
  onTestFinished(() => mcp.close())
  const url = await listening(mcp.node)
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`k${index}`, {}]))
  const refused = await statelessRequest(url, 'tools/call', { name: 'note', arguments: many })
  expect(refused.text).toContain('nobody can look at arguments with more than 100 values')
  expect(refused.message?.result?.['_meta']).toMatchObject({ 'toolwright/error': { code: 'input_not_showable', outcome: 'not_started' } })
  const few = await statelessRequest(url, 'tools/call', { name: 'note', arguments: { a: 1 } })
  expect(few.message?.result?.['resultType']).toBe('input_required')
  expect((await statelessRequest(url, 'tools/call', { name: 'free', arguments: many })).text).toContain('taken')
})

const FREE = { name: 'free', description: 'Takes all.', inputSchema: z.looseObject({}), effect: 'read' } as const
