import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import { loop } from './loop.ts'

const double = tool({ name: 'double', description: 'd', inputSchema: z.number(), execute: (n) => n * 2 })
const Page = z.object({ cursor: z.string(), size: z.number().optional() })
const page = tool({ name: 'page', description: 'd', inputSchema: Page, execute: ({ cursor }) => ({ rows: [cursor], next: cursor }) })

test('a loop takes and gives what its tool does [C4]', () => {
  const grow = loop(double, {
    maxTurns: 3,
    until: (value, count) => {
      expectTypeOf(value).toEqualTypeOf<number>()
      expectTypeOf(count).toEqualTypeOf<number>()
      return value > 9
    },
  })
  expectTypeOf(grow).toEqualTypeOf<AgentTool<number, number>>()
})

test('a loop needs a next where what a turn gives is not what it takes', () => {
  const all = loop(page, {
    maxTurns: 3,
    until: ({ next }) => next === '',
    next: ({ next }, input, count) => {
      expectTypeOf(input).toEqualTypeOf<z.input<typeof Page>>()
      expectTypeOf(count).toEqualTypeOf<number>()
      return { ...input, cursor: next }
    },
  })
  expectTypeOf(all).toEqualTypeOf<AgentTool<z.input<typeof Page>, { rows: string[]; next: string }>>()
  // @ts-expect-error what a page gives is not what it takes
  loop(page, { maxTurns: 3, until: () => true })
  // @ts-expect-error that is not what a page takes
  loop(page, { maxTurns: 3, until: () => true, next: ({ next }) => ({ next }) })
})

test('a loop is bounded, and ends by a predicate', () => {
  // @ts-expect-error how often at most
  loop(double, { until: () => true })
  // @ts-expect-error until when
  loop(double, { maxTurns: 3 })
  // @ts-expect-error a predicate waits for nothing
  loop(double, { maxTurns: 3, until: async () => true })
  // @ts-expect-error neither fail nor last
  loop(double, { maxTurns: 3, until: () => true, whenExhausted: 'first' })
})
