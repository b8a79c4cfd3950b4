import { describe, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { pick } from '../../tool/given/pick.ts'
import { from } from '../../tool/given/reference.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { fill } from './fill.ts'
import { into } from './into.ts'
import { pipe } from './pipe.ts'
import { ToolPipeline } from './tool-pipeline.ts'

const find = tool({
  name: 'find',
  description: 'd',
  inputSchema: z.object({ email: z.string(), limit: z.number().default(1) }),
  execute: () => ({ id: 'x', total: 3 }),
})
const pay = tool({ name: 'pay', description: 'd', inputSchema: z.object({ to: z.string(), amount: z.number() }), execute: () => true })
const take = tool({ name: 'take', description: 'd', inputSchema: z.object({ id: z.string() }), execute: ({ id }) => [id] })
const text = tool({ name: 'text', description: 'd', execute: (input) => input.length })

const run = tool({
  name: 'run',
  description: 'd',
  inputSchema: z.object({ mode: z.enum(['fast', 'slow']), tags: z.array(z.enum(['a', 'b'])).optional() }),
  execute: ({ mode }) => mode,
})
const span = tool({
  name: 'span',
  description: 'd',
  inputSchema: z.object({ span: z.tuple([z.string(), z.number()]) }),
  execute: () => 1,
})
const draw = tool({
  name: 'draw',
  description: 'd',
  inputSchema: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('dot'), at: z.number() }),
    z.object({ kind: z.literal('text'), text: z.string() }),
  ]),
  execute: () => 1,
})

type Input = { email: string; limit?: number | undefined }

function never(): never {
  throw new Error('This is for the compiler only.')
}

describe('pipe', () => {
  test('takes what its first step takes and gives what its last one gives [P2]', () => {
    expectTypeOf(pipe(find, take, text)).toEqualTypeOf<AgentTool<Input, number>>()
    expectTypeOf(pipe(find)).toEqualTypeOf<AgentTool<Input, { id: string; total: number }>>()
    expectTypeOf(
      pipe(
        find,
        into((result) => {
          expectTypeOf(result.value).toEqualTypeOf<{ id: string; total: number }>()
          expectTypeOf(result.text).toEqualTypeOf<string>()
          return { to: result.value.id, amount: result.value.total }
        }, pay),
      ),
    ).toEqualTypeOf<AgentTool<Input, boolean>>()
    expectTypeOf(pipe(text, text, text, text, text, text, text, text, text, text)).toEqualTypeOf<AgentTool<string, number>>()
  })

  test('a string step takes the text of anything, and a text may stand before a typed step [P3]', () => {
    expectTypeOf(pipe(find, text)).toEqualTypeOf<AgentTool<Input, number>>()
    const json = tool({ name: 'json', description: 'd', execute: () => '{}' })
    expectTypeOf(pipe(json, take)).toEqualTypeOf<AgentTool<string, string[]>>()
  })

  test('what does not fit is a compile error [P2]', () => {
    // @ts-expect-error pay takes { to, amount }
    void (() => pipe(find, pay))
    // @ts-expect-error a number is not an object
    void (() => pipe(text, take))
    void (() => {
      // @ts-expect-error the adapter gives the wrong type
      const wrong = into(({ value }: { readonly value: { id: string } }) => ({ to: value.id, amount: 'ten' }), pay)
      // @ts-expect-error the adapter leaves out a field
      const less = into(({ value }: { readonly value: { id: string } }) => ({ to: value.id }), pay)
      const named = into(({ value }: { readonly value: { name: string } }) => ({ to: value.name, amount: 1 }), pay)
      // @ts-expect-error the adapter wants what the step before does not give
      const other = pipe(find, named)
      return [wrong, less, other]
    })
  })

  test('an adapter’s literals stay literals, whatever the form of the function [P2]', () => {
    type Run = AgentTool<Input, 'fast' | 'slow'>
    expectTypeOf(
      pipe(
        find,
        into(({ value }) => ({ mode: value.total > 2 ? 'slow' : 'fast', tags: ['a'] }), run),
      ),
    ).toEqualTypeOf<Run>()
    expectTypeOf(
      pipe(
        find,
        into(() => ({ mode: 'fast', tags: ['a', 'b'] }), run),
      ),
    ).toEqualTypeOf<Run>()
    expectTypeOf(
      pipe(
        find,
        into(({ value }: { readonly value: { id: string } }) => ({ mode: value.id === '' ? 'fast' : 'slow' }), run),
      ),
    ).toEqualTypeOf<Run>()
    expectTypeOf(
      pipe(
        find,
        into(({ value }) => {
          if (value.total > 2) return { mode: 'fast' }
          return { mode: 'slow', tags: ['b'] }
        }, run),
      ),
    ).toEqualTypeOf<Run>()
    expectTypeOf(
      pipe(
        find,
        into(({ value }) => ({ span: [value.id, value.total] }), span),
      ),
    ).toEqualTypeOf<AgentTool<Input, number>>()
    expectTypeOf(
      pipe(
        find,
        into(({ value }) => (value.total > 2 ? { kind: 'dot', at: value.total } : { kind: 'text', text: value.id }), draw),
      ),
    ).toEqualTypeOf<AgentTool<Input, number>>()
    // @ts-expect-error there is no such mode
    void (() => into(() => ({ mode: 'fsat' }), run))
    void (() =>
      pipe(
        find,
        // @ts-expect-error there is no such mode
        into(({ value }) => ({ mode: value.total > 2 ? 'fsat' : 'slow' }), run),
      ))
    // @ts-expect-error there is no such tag
    void (() => into(() => ({ mode: 'fast', tags: ['c'] }), run))
  })

  test('a readonly list fits where a schema asks for a list [P2]', () => {
    const tags = tool({ name: 'tags', description: 'd', execute: (): { readonly mode: 'fast'; readonly tags: readonly 'a'[] } => never() })
    expectTypeOf(pipe(tags, run)).toEqualTypeOf<AgentTool<string, 'fast' | 'slow'>>()
    expectTypeOf(
      pipe(
        tags,
        into(({ value }) => value, run),
      ),
    ).toEqualTypeOf<AgentTool<string, 'fast' | 'slow'>>()
    const other = tool({
      name: 'other',
      description: 'd',
      execute: (): { readonly mode: 'fast'; readonly tags: readonly 'c'[] } => never(),
    })
    // @ts-expect-error there is no such tag
    void (() => pipe(other, run))
  })
})

describe('the results of earlier steps', () => {
  const search = tool({
    name: 'search',
    description: 'd',
    inputSchema: z.object({ text: z.string(), hint: z.string().optional() }),
    execute: () => ({ id: 'x', total: 3, owner: { mail: 'm' as string | undefined }, lines: [{ sku: 's' }] }),
  })

  test('are known to an adapter by their names, with the input of the whole [P2]', () => {
    const whole = pipe(
      search,
      take,
      into(({ value, text: said, input, results }) => {
        expectTypeOf(value).toEqualTypeOf<string[]>()
        expectTypeOf(said).toEqualTypeOf<string>()
        expectTypeOf(input).toEqualTypeOf<{ text: string; hint?: string | undefined }>()
        expectTypeOf(results.search.value.total).toEqualTypeOf<number>()
        expectTypeOf<keyof typeof results>().toEqualTypeOf<'search' | 'take'>()
        return { to: results.search.value.id, amount: results.search.value.total }
      }, gate(pay)),
      into(({ results }) => `${results.pay.value}`, text),
    )
    expectTypeOf(whole).toEqualTypeOf<AgentTool<{ text: string; hint?: string | undefined }, number>>()
    void (() =>
      pipe(
        search,
        take,
        // @ts-expect-error the step comes later
        into(({ results }) => ({ to: results.pay, amount: 1 }), pay),
      ))
    ToolPipeline.builder()
      .step(search)
      .step(take)
      .adapter(({ input, results }) => {
        expectTypeOf(results.search.value.id).toEqualTypeOf<string>()
        return { to: input.text, amount: results.search.value.total }
      })
      .step(pay)
      // @ts-expect-error there is no such step
      .adapter(({ results }) => results.serach)
  })

  test('fill the fields of a step, which are checked one by one [P2]', () => {
    const named = pipe.named({ name: 'paid', description: 'd' })(
      search,
      take,
      fill({ to: from('search', 'id'), amount: from('search', 'total') }, pay),
    )
    expectTypeOf(named).toEqualTypeOf<AgentTool<{ text: string; hint?: string | undefined }, boolean, 'paid'>>()
    expectTypeOf(
      pipe(search, fill({ mode: 'fast', tags: ['a'] }, run), fill({ span: [from.input('text'), from('search', 'total')] }, span)),
    ).toEqualTypeOf<AgentTool<{ text: string; hint?: string | undefined }, number>>()
    const picked = ToolPipeline.builder()
      .step(search)
      .mapping(pick('id'))
      .step(take)
      .mapping({ to: from('take', 0), amount: 1 })
    // @ts-expect-error a list may be empty
    void (() => picked.step(pay))
    // @ts-expect-error there is no such step
    void (() => pipe(search, take, fill({ to: from('serach', 'id'), amount: 1 }, pay)))
    // @ts-expect-error there is no such field
    void (() => pipe(search, take, fill({ to: from('search', 'idd'), amount: 1 }, pay)))
    // @ts-expect-error a number is not a text
    void (() => pipe(search, take, fill({ to: from('search', 'total'), amount: 1 }, pay)))
    // @ts-expect-error the field may not be there
    void (() => pipe(search, take, fill({ to: from.input('hint'), amount: 1 }, pay)))
    // @ts-expect-error the field may not be there
    void (() => pipe(search, take, fill({ to: from('search', 'owner', 'mail'), amount: 1 }, pay)))
    // @ts-expect-error amount is missing
    void (() => pipe(search, take, fill({ to: from.input('text') }, pay)))
    // @ts-expect-error there is no such field of pay
    void (() => pipe(search, take, fill({ to: 'x', amount: 1, note: 'x' }, pay)))
    // @ts-expect-error a constant of the wrong type
    void (() => pipe(search, take, fill({ to: 'x', amount: 'x' }, pay)))
    // @ts-expect-error there is no such step
    void (() => ToolPipeline.builder().step(search).mapping(from('serach', 'id')))
    // @ts-expect-error a pipeline with a name has a description
    void (() => pipe.named({ name: 'x' }))
  })
})

describe('a tool that is used more than once', () => {
  const stock = tool({ name: 'stock', description: 'd', inputSchema: z.object({ sku: z.string() }), execute: () => ({ count: 1 }) })
  const more = tool({ name: 'stock', description: 'd', inputSchema: z.object({ sku: z.string() }), execute: () => ({ left: 'few' }) })

  test('has a number from the second time on, in an adapter [P2]', () => {
    pipe(
      stock,
      into(() => ({ sku: 'b' }), more),
      into(() => ({ sku: 'c' }), stock),
      into(({ results }) => {
        expectTypeOf<keyof typeof results>().toEqualTypeOf<'stock' | 'stock#2' | 'stock#3'>()
        expectTypeOf(results.stock.value).toEqualTypeOf<{ count: number }>()
        expectTypeOf(results['stock#2'].value).toEqualTypeOf<{ left: string }>()
        expectTypeOf(results['stock#3'].value).toEqualTypeOf<{ count: number }>()
        return { to: results['stock#2'].value.left, amount: results['stock#3'].value.count }
      }, pay),
    )
    void (() =>
      pipe(
        stock,
        // @ts-expect-error the second time comes later
        into(({ results }) => ({ sku: results['stock#2'].value.left }), more),
      ))
    ToolPipeline.builder()
      .step(stock)
      .adapter(() => ({ sku: 'b' }))
      .step(more)
      .adapter(({ results }) => {
        expectTypeOf<keyof typeof results>().toEqualTypeOf<'stock' | 'stock#2'>()
        return { to: results['stock#2'].value.left, amount: results.stock.value.count }
      })
      .step(pay)
      // @ts-expect-error there is no third time
      .adapter(({ results }) => results['stock#3'])
  })

  test('has it in a mapping too [P2]', () => {
    const amount = from('stock', 'count')
    expectTypeOf(pipe(stock, fill({ sku: 'b' }, more), fill({ to: from('stock#2', 'left'), amount }, pay))).toEqualTypeOf<
      AgentTool<{ sku: string }, boolean>
    >()
    // @ts-expect-error there is no third time
    void (() => pipe(stock, fill({ sku: 'b' }, more), fill({ to: from('stock#3', 'left'), amount }, pay)))
    // @ts-expect-error the first time has no such field
    void (() => pipe(stock, fill({ sku: 'b' }, more), fill({ to: from('stock', 'left'), amount }, pay)))
    // @ts-expect-error there is no stock#1
    void (() => pipe(stock, fill({ sku: 'b' }, more), fill({ to: from('stock#1', 'left'), amount }, pay)))
    const twice = ToolPipeline.builder().step(stock).mapping({ sku: 'b' }).step(more)
    expectTypeOf(
      twice
        .mapping({ to: from('stock#2', 'left'), amount })
        .step(pay)
        .build(),
    ).toEqualTypeOf<AgentTool<{ sku: string }, boolean>>()
    // @ts-expect-error there is no third time
    void (() => twice.mapping({ to: from('stock#3', 'left'), amount }))
  })
})

describe('ToolPipeline', () => {
  test('of checks every pair of steps, named or not [P1]', () => {
    expectTypeOf(ToolPipeline.of(find, take, text)).toEqualTypeOf<AgentTool<Input, number>>()
    expectTypeOf(ToolPipeline.of('a', 'b', find, take)).toEqualTypeOf<AgentTool<Input, string[]>>()
    // @ts-expect-error pay takes { to, amount }
    void (() => ToolPipeline.of(find, pay))
    // @ts-expect-error pay takes { to, amount }
    void (() => ToolPipeline.of('a', 'b', find, take, text, pay))
    // @ts-expect-error a pipeline needs a step
    void (() => ToolPipeline.of())
    // @ts-expect-error a pipeline needs a step
    void (() => ToolPipeline.of('a', 'b'))
    // @ts-expect-error a name needs a description
    void (() => ToolPipeline.of('a', find))
    const more: AgentTool<string, number>[] = []
    expectTypeOf(ToolPipeline.of(find, ...more)).toEqualTypeOf<AgentTool<Input, { id: string; total: number } | number>>()
  })

  test('the builder’s types flow through steps and adapters [P2]', () => {
    const built = ToolPipeline.builder()
      .name('a')
      .step(find)
      .adapter((result) => {
        expectTypeOf(result.value).toEqualTypeOf<{ id: string; total: number }>()
        return { to: result.value.id, amount: result.value.total }
      })
      .step(pay)
      .adapter(({ value }) => {
        expectTypeOf(value).toEqualTypeOf<boolean>()
        return value ? 'paid' : null
      })
      .step(text)
      .build()
    expectTypeOf(built).toEqualTypeOf<AgentTool<Input, number, 'a'>>()
    // @ts-expect-error pay takes { to, amount }
    void (() => ToolPipeline.builder().step(find).step(pay))
    const adapted = ToolPipeline.builder()
      .step(find)
      .adapter(() => ({ to: 1 }))
    // @ts-expect-error what the adapter gives does not fit
    void (() => adapted.step(pay))
    // @ts-expect-error an adapter needs a step before it
    void (() => ToolPipeline.builder().adapter(() => 'x'))
    // @ts-expect-error there is nothing to build
    void (() => ToolPipeline.builder().build())
    const literal = ToolPipeline.builder()
      .step(find)
      .adapter(() => ({ mode: 'fast', tags: ['a'] }))
      .step(run)
      .adapter(({ value }) => ({ span: [value, 1] }))
      .step(span)
      .adapter(({ value }) => (value > 2 ? { kind: 'dot', at: value } : { kind: 'text', text: 'few' }))
      .step(draw)
      .build()
    expectTypeOf(literal).toEqualTypeOf<AgentTool<Input, number>>()
    const misspelt = ToolPipeline.builder()
      .step(find)
      .adapter(() => ({ mode: 'fsat' }))
    // @ts-expect-error there is no such mode
    void (() => misspelt.step(run))
    // @ts-expect-error no such strategy
    void (() => ToolPipeline.builder().errorStrategy('IGNORE'))
  })
})
