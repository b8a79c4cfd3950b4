import { expect, test } from 'vitest'
import { z } from 'zod'
import { anthropicProblems } from '../../../test/dialects/vendor-rules.ts'
import { connectInProcess } from '../../../test/fixtures/mcp/in-process.ts'
import { tool } from '../../tool/tool.ts'
import { createMcpServer } from './create-mcp-server.ts'

const place = tool({
  name: 'place',
  description: 'Places.',
  inputSchema: z.object({ at: z.tuple([z.number(), z.number()]), labels: z.record(z.string(), z.string()) }),
  effect: 'read',
  execute: (input) => input,
})

test('a client is shown the dialect that the server is told, and is understood in it', async () => {
  const client = await connectInProcess(await createMcpServer({ tools: [place], dialect: 'anthropic-strict' }), '2025-11-25', {})
  const { tools } = await client.listTools()
  expect(anthropicProblems(tools[0]?.inputSchema)).toEqual([])
  const given = { at: { item_1: 1, item_2: 2 }, labels: [{ key: 'a', value: 'x' }] }
  expect(await client.callTool({ name: 'place', arguments: given })).toMatchObject({
    content: [{ text: '{"at":[1,2],"labels":{"a":"x"}}' }],
  })
  expect(await client.callTool({ name: 'place', arguments: { ...given, labels: [{ key: 'a', value: 7 }] } })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("'labels.0.value'") }],
  })
})

test('without one, tuples are spelled so that a reader of draft-07 does not take them for empty lists', async () => {
  const closed = tool({
    name: 'closed',
    description: 'Takes a pair.',
    inputSchema: {
      type: 'object',
      properties: { at: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], items: false, minItems: 2 } },
      required: ['at'],
    },
    effect: 'read',
    execute: (input) => input,
  })
  const client = await connectInProcess(await createMcpServer({ tools: [closed] }), '2025-11-25', {})
  const { tools } = await client.listTools()
  expect(tools[0]?.inputSchema.properties?.['at']).toMatchObject({
    items: { anyOf: [{ type: 'number' }, { type: 'string' }] },
    maxItems: 2,
  })
  expect(await client.callTool({ name: 'closed', arguments: { at: [1, 'x'] } })).toMatchObject({ content: [{ text: '{"at":[1,"x"]}' }] })
})
