import { describe, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { ToolResult, ToolSuccess } from '../../tool/result/result.ts'
import { success } from '../../tool/result/returned.ts'
import { tool } from '../../tool/tool.ts'
import { pipe } from '../pipe/pipe.ts'
import { all, best, first, partial, quorum } from './join.ts'
import { parallel } from './parallel.ts'

interface Page {
  readonly url: string
}

const web = tool({
  name: 'web',
  description: 'd',
  inputSchema: z.object({ query: z.string() }),
  effect: 'read',
  execute: ({ query }): Page => ({ url: query }),
})
const news = tool({
  name: 'news',
  description: 'd',
  inputSchema: z.object({ query: z.string(), days: z.number().default(3) }),
  effect: 'read',
  execute: ({ days }) => days,
})
const shout = tool({ name: 'shout', description: 'd', effect: 'read', execute: (input) => `${input}!` })

type InputOf<T> = T extends AgentTool<infer I, unknown> ? I : never
type OutputOf<T> = T extends AgentTool<never, infer O> ? O : never

describe('the value', () => {
  test('follows the join', () => {
    const byDefault = parallel({ web, news })
    expectTypeOf<OutputOf<typeof byDefault>>().toEqualTypeOf<{ readonly web: Page; readonly news: number }>()
    const joined = parallel({ web, news }, { join: all() })
    expectTypeOf<OutputOf<typeof joined>>().toEqualTypeOf<{ readonly web: Page; readonly news: number }>()
    const some = parallel({ web, news }, { join: quorum(0.5) })
    expectTypeOf<OutputOf<typeof some>>().toEqualTypeOf<{ readonly web?: Page; readonly news?: number }>()
    const there = parallel({ web, news }, { join: partial({ after: '1s' }) })
    expectTypeOf<OutputOf<typeof there>>().toEqualTypeOf<{ readonly web?: Page; readonly news?: number }>()
    const fastest = parallel({ web, news }, { join: first() })
    expectTypeOf<OutputOf<typeof fastest>>().toEqualTypeOf<Page | number>()
    const highest = parallel({ web, news }, { join: best((value) => (typeof value === 'number' ? value : value.url.length)) })
    expectTypeOf<OutputOf<typeof highest>>().toEqualTypeOf<Page | number>()
  })

  test('is what a merge gives', () => {
    const merged = parallel({ web, news }, { merge: ({ web: page, news: days }) => `${page.value.url} ${days.value}` })
    expectTypeOf<OutputOf<typeof merged>>().toEqualTypeOf<string>()
    const worded = parallel({ web, news }, { merge: ({ news: days }) => success({ days: days.value }, { text: 'some' }) })
    expectTypeOf<OutputOf<typeof worded>>().toEqualTypeOf<{ days: number }>()
    const handedOn = parallel({ web, news }, { merge: (results) => results.web })
    expectTypeOf<OutputOf<typeof handedOn>>().toEqualTypeOf<Page>()
  })

  test('goes on into a pipeline', () => {
    const next = tool({
      name: 'next',
      description: 'd',
      inputSchema: z.object({ web: z.object({ url: z.string() }), news: z.number() }),
      execute: () => 1,
    })
    expectTypeOf(pipe(parallel({ web, news }), next)).toEqualTypeOf<
      AgentTool<{ query: string; days?: number | undefined } & { query: string }, number>
    >()
    // @ts-expect-error a quorum may lack the branch that the next step needs
    pipe(parallel({ web, news }, { join: quorum(0.5) }), next)
  })
})

describe('the input', () => {
  test('is what all branches take', () => {
    const both = parallel({ web, news })
    expectTypeOf<{ query: string; days: number }>().toExtend<InputOf<typeof both>>()
    expectTypeOf<{ query: string }>().toExtend<InputOf<typeof both>>()
    expectTypeOf<{ days: number }>().not.toExtend<InputOf<typeof both>>()
    const texts = parallel({ shout, again: shout })
    expectTypeOf<InputOf<typeof texts>>().toEqualTypeOf<string>()
    // @ts-expect-error the query is missing
    void both.call({ days: 3 })
    // @ts-expect-error a text is not what the branches take
    void both.call('ada')
  })

  test('cannot be a text for one branch and fields for another', () => {
    // @ts-expect-error 'shout' takes a text, and 'web' does not
    parallel({ web, shout })
    // @ts-expect-error the same with another join
    parallel({ web, news, shout }, { join: first() })
    const anything = tool({ name: 'anything', description: 'd', inputSchema: z.any(), execute: () => 1 })
    const word = tool({ name: 'word', description: 'd', inputSchema: z.enum(['yes', 'no']), execute: () => 1 })
    const several: Readonly<Record<string, AgentTool>> = { web, shout }
    parallel({ web, anything })
    parallel({ shout, word })
    parallel(several)
  })

  test('is not asked of a branch with an input of its own', () => {
    const mixed = parallel({ web, shout }, { inputs: { shout: ({ query }) => query } })
    expectTypeOf<InputOf<typeof mixed>>().toEqualTypeOf<{ query: string }>()
    const own = parallel({ web, news }, { inputs: { web: (query) => ({ query }), news: (query) => ({ query }) } })
    expectTypeOf<InputOf<typeof own>>().toEqualTypeOf<string>()
  })

  test('is the declared one', () => {
    const declared = parallel(
      { web, shout },
      {
        inputSchema: z.object({ query: z.string(), times: z.number().default(1) }),
        inputs: { shout: ({ query, times }) => query.repeat(times) },
      },
    )
    expectTypeOf<InputOf<typeof declared>>().toEqualTypeOf<{ query: string; times?: number | undefined }>()
    const raw = parallel({ web }, { inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] } })
    expectTypeOf<InputOf<typeof raw>>().toEqualTypeOf<{ query: string }>()
  })

  test('a declared one that a branch does not take does not compile', () => {
    const inputSchema = z.object({ question: z.string() })
    // @ts-expect-error web takes a query, not a question
    parallel({ web }, { inputSchema })
    parallel({ web }, { inputSchema, inputs: { web: ({ question }) => ({ query: question }) } })
    // @ts-expect-error shout takes a text
    parallel({ shout }, { inputSchema })
  })
})

describe('wrong use', () => {
  test('of an input of its own does not compile', () => {
    // @ts-expect-error web takes a query
    parallel({ web, news }, { inputs: { web: () => ({ question: 'x' }) } })
    // @ts-expect-error there is no such branch
    parallel({ web, news }, { inputs: { nobody: () => 1 } })
    // @ts-expect-error the input of the whole has no title
    parallel({ web, news }, { inputs: { web: ({ title }) => ({ query: title }) } })
    // @ts-expect-error an input is made at once
    parallel({ web, news }, { inputs: { web: async () => ({ query: 'x' }) } })
  })

  test('of a merge does not compile', () => {
    // @ts-expect-error there is no such branch
    parallel({ web, news }, { merge: ({ nobody }) => nobody })
    // @ts-expect-error with a quorum a branch may be missing
    parallel({ web, news }, { join: quorum(0.5), merge: (results) => results.web.text })
    // @ts-expect-error with best a branch may have failed
    parallel({ web, news }, { join: best(() => 1), merge: (results) => results.web.value })
    // @ts-expect-error a merge does not wait
    parallel({ web, news }, { merge: async ({ web: page }) => page.value })
  })

  test('of a join does not compile', () => {
    // @ts-expect-error a join is called
    parallel({ web, news }, { join: all })
    // @ts-expect-error the value may be a number
    parallel({ web, news }, { join: best((value: Page) => value.url.length) })
    // @ts-expect-error a score is a number
    parallel({ web, news }, { join: best(() => 'high') })
    // @ts-expect-error a quorum is a share or a count
    quorum({ share: 0.5 })
    // @ts-expect-error a partial needs a time
    partial({ atLeast: 1 })
  })

  test('of branches does not compile', () => {
    // @ts-expect-error a function is not a tool
    parallel({ web, plain: (input: string) => input })
    // @ts-expect-error branches have labels
    parallel([web, news])
  })
})

describe('what a merge is given', () => {
  test('follows the join', () => {
    parallel(
      { web, news },
      {
        merge: (results) => {
          expectTypeOf(results).toEqualTypeOf<{ readonly web: ToolSuccess<Page>; readonly news: ToolSuccess<number> }>()
          return 1
        },
      },
    )
    parallel(
      { web, news },
      {
        join: best(() => 1),
        merge: (results) => {
          expectTypeOf(results).toEqualTypeOf<{ readonly web: ToolResult<Page>; readonly news: ToolResult<number> }>()
          return 1
        },
      },
    )
    parallel(
      { web, news },
      {
        join: first(),
        merge: (results) => {
          expectTypeOf(results).toEqualTypeOf<{ readonly web?: ToolResult<Page>; readonly news?: ToolResult<number> }>()
          return 1
        },
      },
    )
  })
})
