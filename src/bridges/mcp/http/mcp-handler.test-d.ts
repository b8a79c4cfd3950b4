import type { createServer } from 'node:http'
import { expectTypeOf, test } from 'vitest'
import { bearerAuth } from './bearer-auth.ts'
import { mcpHandler, type McpHandler } from './mcp-handler.ts'

test('a handler fits servers of both kinds', () => {
  expectTypeOf<McpHandler['node']>().toExtend<NonNullable<Parameters<typeof createServer>[1]>>()
  expectTypeOf<McpHandler['fetch']>().toExtend<(request: Request) => Promise<Response>>()
})

test('auth is a function of the request or what bearerAuth gives; others are refused', () => {
  void mcpHandler({
    tools: [],
    auth: async ({ headers }) => (headers.has('x') ? { principal: { id: 'ada', permissions: [] } } : undefined),
  })
  void mcpHandler({
    tools: [],
    auth: bearerAuth({ issuer: 'https://a.example', jwksUri: 'https://a.example', resource: 'https://b.example' }),
  })
  // @ts-expect-error -- a caller has a principal
  void mcpHandler({ tools: [], auth: () => ({ id: 'ada' }) })
  // @ts-expect-error -- there is no such limit
  void mcpHandler({ tools: [], limits: { bodyByte: 7 } })
  // @ts-expect-error -- the audience alone names no endpoint
  bearerAuth({ issuer: 'https://a.example', jwksUri: 'https://a.example', audience: 'https://b.example' })
})
