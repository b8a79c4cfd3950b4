import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { connectMcp, type McpConnection } from './connect-mcp.ts'
import type { ConnectMcpOptions } from './connect-options.ts'
import type { McpInput } from './mcp-input.ts'

declare const up: Awaited<ReturnType<typeof typed>>

function typed() {
  return connectMcp({
    command: 'x',
    metadata: {
      read: { effect: 'read', outputSchema: z.object({ content: z.string() }) },
      write: { requireApproval: ({ path }) => path === '/' },
    },
  })
}

test('an output schema of the user gives the output its type; another tool gives anything', () => {
  expectTypeOf(up.tool('read').call).parameter(0).toEqualTypeOf<McpInput>()
  expectTypeOf<Extract<Awaited<ReturnType<ReturnType<typeof readCall>>>, { ok: true }>['value']>().toEqualTypeOf<{ content: string }>()
  expectTypeOf<Extract<Awaited<ReturnType<ReturnType<typeof otherCall>>>, { ok: true }>['value']>().toEqualTypeOf<unknown>()
  expectTypeOf(up).toExtend<McpConnection>()
})

const readCall = () => up.tool('read').call
const otherCall = () => up.tool('other').call

test('a program and an address exclude each other, and metadata are checked', () => {
  // @ts-expect-error Either a command or a url.
  const both: ConnectMcpOptions = { command: 'x', url: 'http://a' }
  // @ts-expect-error Headers are for an address.
  const headers: ConnectMcpOptions = { command: 'x', headers: {} }
  // @ts-expect-error There is no such effect.
  const effect: ConnectMcpOptions = { command: 'x', metadata: { a: { effect: 'reads' } } }
  expectTypeOf([both, headers, effect]).toBeArray()
})
