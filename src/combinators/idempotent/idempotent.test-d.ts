import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Claimed, IdempotencyStore } from '../../tool/ports/idempotency-store.ts'
import { tool } from '../../tool/tool.ts'
import { idempotent } from './idempotent.ts'
import { memoryIdempotency } from './memory-idempotency.ts'

const pay = tool({
  name: 'pay',
  description: 'd',
  inputSchema: z.object({ order: z.string() }),
  effect: 'write',
  execute: ({ order }) => order.length,
})

test('an idempotent tool is of the type of the tool [G4]', () => {
  const once = idempotent(pay, {
    key: (input) => {
      expectTypeOf(input).toEqualTypeOf<{ order: string }>()
      return input.order
    },
    keepFor: '7d',
    lease: '30s',
    store: memoryIdempotency(),
  })
  expectTypeOf(once).toEqualTypeOf<AgentTool<{ order: string }, number, 'pay'>>()
  expectTypeOf(idempotent(pay)).toEqualTypeOf<AgentTool<{ order: string }, number, 'pay'>>()
})

test('a key is a text that comes from the input', () => {
  // @ts-expect-error not a text
  idempotent(pay, { key: ({ order }) => order.length })
  // @ts-expect-error no such field
  idempotent(pay, { key: ({ name }) => name })
  // @ts-expect-error a key that has to be waited for
  idempotent(pay, { key: async ({ order }) => order })
  // @ts-expect-error not a duration
  idempotent(pay, { keepFor: '7 days' })
})

test('a store says which state a key is in, and a caller must look', () => {
  expectTypeOf(memoryIdempotency()).toEqualTypeOf<IdempotencyStore>()
  const read = (claimed: Claimed): number => {
    // @ts-expect-error only a claim of one's own has a fence
    const wrong = claimed.fence
    return claimed.state === 'mine' ? claimed.fence : wrong
  }
  expectTypeOf(read).returns.toBeNumber()
  // @ts-expect-error no store
  void pay.call({ order: 'a' }, { stores: { idempotency: {} } })
})
