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

const Ask = z.object({ symbol: z.string() })
const Quote = z.object({ symbol: z.string(), price: z.number(), at: z.iso.datetime(), lots: z.array(z.number()) })
const feed = { description: 'd', effect: 'read', inputSchema: Ask, outputSchema: Quote, execute: () => Quote.parse({}) } as const
const a = tool({ ...feed, name: 'a' })
const b = tool({ ...feed, name: 'b' })
const c = tool({
  ...{ name: 'c', description: 'd', effect: 'read', inputSchema: Ask },
  outputSchema: z.object({ price: z.number().optional(), venue: z.string() }),
  execute: () => ({ venue: 'x' }),
})
const near = { ...bare, fields: { price: { within: 1 } } } as const
const decides = { name: 'judge', description: 'd', effect: 'read', outputSchema: z.object({ price: z.number() }) } as const
const Values = z.record(z.string(), z.unknown())

test('a tool whose input schema is an ordinary one can be the arbiter [V2]', () => {
  const execute = () => ({ price: 1 })
  const conflicts = z.array(z.object({ field: z.string(), values: Values }))
  const whole = tool({ ...decides, inputSchema: z.object({ input: Ask, conflicts, answers: z.record(z.string(), Quote) }), execute })
  corroborate({ a, b }, { ...near, resolve: whole })
  corroborate({ a, b }, { ...near, resolve: [byMajority(), whole] })
  corroborate({ a, b }, { ...near, inputSchema: Ask, resolve: whole })
  corroborate({ a, b, other: a }, { ...near, resolve: whole })
  const some = tool({ ...decides, inputSchema: z.object({ answers: z.record(z.string(), Quote) }), execute })
  corroborate({ a, b }, { ...near, resolve: some })
  const byLabel = tool({ ...decides, inputSchema: z.object({ answers: z.object({ a: Quote, b: Quote }) }), execute })
  corroborate({ a, b }, { ...near, resolve: byLabel })
  const numbers = tool({
    ...decides,
    inputSchema: z.object({ conflicts: z.array(z.object({ field: z.literal('price'), values: z.record(z.string(), z.number()) })) }),
    execute,
  })
  corroborate({ a, c }, { ...near, resolve: numbers })
  const loose = tool({ ...decides, inputSchema: z.looseObject({ answers: Values }), execute })
  corroborate({ a, b }, { ...near, resolve: loose })
  const anything = tool({ ...decides, inputSchema: Values, execute })
  corroborate({ a, b }, { ...near, resolve: anything })
  const fixed = tool({
    ...decides,
    inputSchema: z.object({ conflicts: conflicts.readonly(), answers: Values.readonly() }).readonly(),
    execute,
  })
  corroborate({ a, b }, { ...near, resolve: fixed })
})

test('an arbiter that asks for something else is an error of the compiler [V2]', () => {
  const execute = () => ({ price: 1 })
  const text = tool({ name: 'text', description: 'd', effect: 'read', execute })
  // @ts-expect-error the question is no text
  corroborate({ a, b }, { ...near, resolve: text })
  const others = tool({ ...decides, inputSchema: z.object({ answers: z.record(z.string(), z.object({ venue: z.string() })) }), execute })
  // @ts-expect-error the answers have no venue
  corroborate({ a, b }, { ...near, resolve: others })
  const unasked = tool({ ...decides, inputSchema: z.object({ answers: z.object({ z: Quote }) }), execute })
  // @ts-expect-error there is no such source
  corroborate({ a, b }, { ...near, resolve: unasked })
  const all = tool({ ...decides, inputSchema: z.object({ answers: z.object({ a: Quote, b: Quote, d: Quote }) }), execute })
  // @ts-expect-error two of three sources are enough, and one may not be there
  corroborate({ a, b, d: a }, { ...near, resolve: all })
  corroborate({ a, b, d: a }, { ...near, atLeast: 3, resolve: all })
  const elsewhere = tool({ ...decides, inputSchema: z.object({ input: z.object({ pair: z.string() }) }), execute })
  // @ts-expect-error the input of the whole is another one
  corroborate({ a, b }, { ...near, resolve: elsewhere })
  const wrong = tool({ ...decides, outputSchema: z.object({ price: z.string() }), inputSchema: Values, execute: () => ({ price: 'x' }) })
  // @ts-expect-error a price is a number
  corroborate({ a, b }, { ...near, resolve: wrong })
})

test('a function knows the answer of each source [V2]', () => {
  corroborate(
    { a, b },
    {
      ...near,
      resolve: ({ answers, conflicts, input }) => {
        expectTypeOf(input).toEqualTypeOf<{ symbol: string }>()
        expectTypeOf(answers).toEqualTypeOf<{ a: z.output<typeof Quote>; b: z.output<typeof Quote> }>()
        for (const each of conflicts) if (each.field === 'price') expectTypeOf(each.values).toEqualTypeOf<{ a: number; b: number }>()
        return { price: answers.a.price }
      },
    },
  )
  corroborate(
    { a, b },
    { ...near, atLeast: 1, resolve: ({ answers }) => (expectTypeOf(answers.a).toEqualTypeOf<z.output<typeof Quote> | undefined>(), {}) },
  )
  corroborate(
    { a, b, c },
    {
      ...near,
      resolve: [
        ({ answers, conflicts }) => {
          expectTypeOf(answers.c).toEqualTypeOf<{ price?: number | undefined; venue: string } | undefined>()
          expectTypeOf(conflicts).toEqualTypeOf<{ field: 'price'; values: { a?: number; b?: number; c?: number } }[]>()
          return {}
        },
      ],
    },
  )
  const foreign: AgentTool<{ symbol: string }> = a
  corroborate(
    { a, foreign },
    { ...bare, fields: { anything: {} }, resolve: [byFreshness('when'), ({ answers }) => ({ anything: answers.foreign })] },
  )
})

test('sources without a common field have nothing to compare [V1]', () => {
  const cost = tool({ name: 'cost', description: 'd', effect: 'read', inputSchema: Ask, execute: () => ({ cost: 1 }) })
  const text = tool({ name: 'text', description: 'd', effect: 'read', inputSchema: Ask, execute: () => 'x' })
  // @ts-expect-error neither of them is a field of both
  corroborate({ a, cost }, { ...bare, fields: { price: { within: 1 }, nonsense: {} } })
  // @ts-expect-error only one source gives it
  corroborate({ a, cost }, { ...bare, fields: { cost: {} } })
  // @ts-expect-error a text has no fields
  corroborate({ a, text }, { ...bare, fields: { price: {} } })
  const shaped = source(cost, { output: ({ value }) => ({ price: value.cost }) })
  corroborate({ a, shaped }, { ...bare, fields: { price: {} } })
})
