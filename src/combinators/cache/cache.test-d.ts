import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { ToolContext } from '../../tool/context.ts'
import { tool } from '../../tool/tool.ts'
import { cache } from './cache.ts'

const look = tool({
  name: 'look',
  description: 'd',
  inputSchema: z.object({ id: z.string() }),
  effect: 'read',
  execute: ({ id }) => id.length,
})

test('a cached tool is of the type of the tool [C4]', () => {
  const cached = cache(look, {
    ttl: '5m',
    key: (input, context) => {
      expectTypeOf(input).toEqualTypeOf<{ id: string }>()
      expectTypeOf(context).toEqualTypeOf<ToolContext>()
      return input.id
    },
  })
  expectTypeOf(cached).toEqualTypeOf<AgentTool<{ id: string }, number, 'look'>>()
})

test('a cache knows for how long', () => {
  // @ts-expect-error for how long
  cache(look, {})
  // @ts-expect-error not a duration
  cache(look, { ttl: 'a while' })
  // @ts-expect-error no such field
  cache(look, { ttl: 1, key: ({ name }) => name })
})
