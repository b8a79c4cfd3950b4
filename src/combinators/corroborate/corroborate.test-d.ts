import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { byPerson } from '../../tool/seam/by-person.ts'
import { tool } from '../../tool/tool.ts'
import { corroborate } from './corroborate.ts'
import { type ArbiterQuestion, byAuthority, byFreshness, byMajority } from './resolution.ts'
import { source } from './source.ts'

const Pair = z.object({ pair: z.string() })
const bank = tool({
  name: 'bank',
  description: 'd',
  inputSchema: Pair,
  effect: 'read',
  execute: () => ({ rate: 1, at: '2026-01-01', bank: 'x' }),
})
const market = tool({ name: 'market', description: 'd', inputSchema: Pair, effect: 'read', execute: () => ({ rate: 1, at: '2026-01-01' }) })
const broker = tool({
  name: 'broker',
  description: 'd',
  inputSchema: z.object({ symbol: z.string() }),
  effect: 'read',
  execute: () => ({ mid: 1 }),
})
const judge = tool({
  name: 'judge',
  description: 'd',
  inputSchema: z.custom<ArbiterQuestion>(),
  effect: 'read',
  execute: () => ({ rate: 1 }),
})
const bare = { name: 'rate', description: 'd' } as const
const sources = { bank, market }

test('a corroborated tool takes what its sources take, and gives the answer of one of them [V1]', () => {
  const rate = corroborate(sources, { ...bare, fields: { rate: { within: 0.01 }, at: { severity: 'warning' } } })
  expectTypeOf(rate).toEqualTypeOf<
    AgentTool<{ pair: string }, { rate: number; at: string; bank: string } | { rate: number; at: string }, 'rate'>
  >()
})

test('adapters know both sides [V1]', () => {
  const adapted = source(broker, {
    input: ({ pair }: { pair: string }) => ({ symbol: pair }),
    output: ({ value, text }) => {
      expectTypeOf(value).toEqualTypeOf<{ mid: number }>()
      expectTypeOf(text).toEqualTypeOf<string>()
      return { rate: value.mid }
    },
  })
  const rate = corroborate({ bank, broker: adapted }, { ...bare, fields: { rate: { withinShare: 0.01 } } })
  expectTypeOf(rate).toExtend<AgentTool<{ pair: string }, { readonly rate: number }, 'rate'>>()
  const declared = corroborate(
    { bank, broker: adapted },
    { ...bare, inputSchema: Pair, fields: { rate: {} }, resolve: ({ input }) => ({ rate: input.pair.length }) },
  )
  expectTypeOf(declared).toExtend<AgentTool<{ pair: string }, { readonly rate: number }, 'rate'>>()
})

test('all sources may be reshaped [V1]', () => {
  const one = tool({ name: 'one', description: 'd', execute: (input) => input })
  const two = tool({ name: 'two', description: 'd', execute: () => 5 })
  const said = corroborate(
    { one: source(one, { output: ({ value }) => ({ said: value }) }), two: source(two, { output: ({ value }) => ({ said: `${value}` }) }) },
    { ...bare, fields: { said: {} }, resolve: byMajority() },
  )
  expectTypeOf(said).toExtend<AgentTool<string, { readonly said: string }, 'rate'>>()
})

test('resolutions know sources, fields and the input [V2]', () => {
  corroborate(sources, {
    ...bare,
    fields: { rate: {} },
    resolve: [
      byAuthority('market'),
      byFreshness('at'),
      byMajority(),
      ({ input, conflicts }) => {
        expectTypeOf(input).toEqualTypeOf<{ pair: string }>()
        return { rate: conflicts.length }
      },
      judge,
      byPerson({ urgency: 'high' }),
    ],
  })
  corroborate(sources, { ...bare, fields: { rate: {} }, resolve: byMajority() })
})

test('mistakes are errors of the compiler [V1] [V2]', () => {
  // @ts-expect-error no source gives it
  corroborate(sources, { ...bare, fields: { rat: {} } })
  // @ts-expect-error only one source gives it
  corroborate(sources, { ...bare, fields: { bank: {} } })
  // @ts-expect-error no such tolerance
  corroborate(sources, { ...bare, fields: { rate: { epsilon: 1 } } })
  // @ts-expect-error no such source
  corroborate(sources, { ...bare, fields: { rate: {} }, resolve: byAuthority('broker') })
  // @ts-expect-error no such field
  corroborate(sources, { ...bare, fields: { rate: {} }, resolve: byFreshness('date') })
  // @ts-expect-error a rate is a number
  corroborate(sources, { ...bare, fields: { rate: {} }, resolve: () => ({ rate: 'high' }) })
  // @ts-expect-error the tool takes a symbol
  source(broker, { input: ({ pair }: { pair: string }) => ({ sign: pair }) })
  // @ts-expect-error the output has no such field
  source(broker, { output: ({ value }) => ({ rate: value.middle }) })
  // @ts-expect-error no such option
  source(broker, { name: 'x' })
})
