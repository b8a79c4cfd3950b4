import { describe, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import { fallback } from './fallback.ts'
import { byPerson } from '../../tool/seam/by-person.ts'
import { level } from './level.ts'

const Pair = z.object({ pair: z.string() })
const Rate = z.object({ rate: z.number() })
const bare = { name: 'rate', description: 'The rate of a pair.' } as const

const live = tool({ name: 'live', description: 'd', inputSchema: Pair, outputSchema: Rate, execute: () => ({ rate: 1 }) })
const quote = tool({ name: 'quote', description: 'd', inputSchema: z.object({ symbol: z.string() }), execute: () => ({ mid: 1 }) })
const text = tool({ name: 'text', description: 'd', execute: (input) => input })

describe('a fallback', () => {
  test('takes what its first level takes and gives what any level gives [F1]', () => {
    const rate = fallback(bare, [live, level(live, { name: 'again', output: ({ value }) => value.rate })])
    expectTypeOf(rate).toEqualTypeOf<AgentTool<{ pair: string }, { rate: number } | number, 'rate'>>()
    expectTypeOf(fallback(bare, [text])).toEqualTypeOf<AgentTool<string, string, 'rate'>>()
  })

  test('takes and gives what its schemas say; adapters know both sides [F1]', () => {
    const rate = fallback({ ...bare, inputSchema: Pair, outputSchema: Rate }, [
      live,
      level(quote, {
        input: (given) => {
          expectTypeOf(given).toEqualTypeOf<{ pair: string }>()
          return { symbol: given.pair }
        },
        output: ({ value, input, text: said }) => {
          expectTypeOf(value).toEqualTypeOf<{ mid: number }>()
          expectTypeOf(input).toEqualTypeOf<{ pair: string }>()
          expectTypeOf(said).toEqualTypeOf<string>()
          return { rate: value.mid }
        },
      }),
      byPerson({ urgency: 'high' }),
    ])
    expectTypeOf(rate).toEqualTypeOf<AgentTool<{ pair: string }, { rate: number }, 'rate'>>()
  })

  test('may have a person who answers in a schema of their own [F3]', () => {
    const rate = fallback(bare, [live, byPerson({ answerSchema: z.object({ note: z.string() }) })])
    expectTypeOf(rate).toEqualTypeOf<AgentTool<{ pair: string }, { rate: number } | { note: string }, 'rate'>>()
  })

  test('refuses levels that take something else, or give what the schema does not take', () => {
    // @ts-expect-error quote takes a symbol
    fallback(bare, [live, quote])
    // @ts-expect-error quote takes a symbol
    fallback({ ...bare, inputSchema: Pair }, [live, quote])
    // @ts-expect-error quote gives no rate
    fallback({ ...bare, inputSchema: Pair, outputSchema: Rate }, [level(quote, { input: ({ pair }) => ({ symbol: pair }) })])
    // @ts-expect-error an adapter must give what the tool takes
    fallback({ ...bare, inputSchema: Pair }, [level(quote, { input: ({ pair }) => ({ sign: pair }) })])
    // @ts-expect-error a name that is no option
    level(live, { accuracy: 0.5 })
  })
})
