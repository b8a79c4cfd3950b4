import { describe, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../combinators/gate/gate.ts'
import type { AgentTool } from './agent-tool.ts'
import { compound } from './compound.ts'
import type { ToolContext } from './context.ts'
import type { FailureDetails, ToolResult } from './result/result.ts'
import { failure, success } from './result/returned.ts'
import { service } from './service.ts'
import { tool } from './tool.ts'

const Order = z.object({ id: z.string(), total: z.number() })
const orders = tool({
  name: 'find_orders',
  description: 'Finds the orders of a customer.',
  inputSchema: z.object({ email: z.email(), limit: z.number().default(10) }),
  outputSchema: z.object({ latest: Order }),
  execute: async ({ email, limit }, context) => {
    expectTypeOf(email).toEqualTypeOf<string>()
    expectTypeOf(limit).toEqualTypeOf<number>()
    expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>()
    return { latest: { id: '1', total: 1 } }
  },
})

describe('a tool', () => {
  test('infers its input and output from its schemas [T3]', () => {
    expectTypeOf(orders).toEqualTypeOf<
      AgentTool<{ email: string; limit?: number | undefined }, { latest: { id: string; total: number } }, 'find_orders'>
    >()
    expectTypeOf(orders.call({ email: 'a@b.c' })).resolves.toEqualTypeOf<ToolResult<{ latest: { id: string; total: number } }>>()
    expectTypeOf(orders.execute({ email: 'a@b.c' })).resolves.toEqualTypeOf<{ latest: { id: string; total: number } }>()
  })

  test('infers its output from what execute gives where there is no output schema', () => {
    expectTypeOf(tool({ name: 'a', description: 'd', execute: () => 1 })).toEqualTypeOf<AgentTool<string, number, 'a'>>()
    expectTypeOf(tool({ name: 'a', description: 'd', execute: async () => [true] })).toEqualTypeOf<AgentTool<string, boolean[], 'a'>>()
    expectTypeOf(tool({ name: 'a', description: 'd', execute: () => success({ n: 1 }, { text: 'one' }) })).toEqualTypeOf<
      AgentTool<string, { n: number }, 'a'>
    >()
    expectTypeOf(tool({ name: 'a', description: 'd', execute: (input) => (input === '' ? failure('empty') : input.length) })).toEqualTypeOf<
      AgentTool<string, number, 'a'>
    >()
    expectTypeOf(
      tool({ name: 'a', description: 'd', execute: (_input, context) => context.call('o', orders, { email: 'a' }) }),
    ).toEqualTypeOf<AgentTool<string, { latest: { id: string; total: number } }, 'a'>>()
    const generated = tool({
      name: 'a',
      description: 'd',
      async *execute() {
        yield 'working'
        return { done: true }
      },
    })
    expectTypeOf(generated).toEqualTypeOf<AgentTool<string, { done: boolean }, 'a'>>()
    const generatedAtOnce = tool({
      name: 'a',
      description: 'd',
      *execute() {
        yield 'working'
        return { done: true }
      },
    })
    expectTypeOf(generatedAtOnce).toEqualTypeOf<AgentTool<string, { done: boolean }, 'a'>>()
  })

  test('takes a string where there is no input schema [T2]', () => {
    const echo = tool({
      name: 'echo',
      description: 'd',
      execute: (input) => {
        expectTypeOf(input).toEqualTypeOf<string>()
        return input
      },
    })
    // @ts-expect-error a string tool takes a string
    void echo.call({ input: 'x' })
  })

  test('gives its services their types', () => {
    interface Db {
      readonly query: (sql: string) => Promise<number[]>
    }
    tool({
      name: 'a',
      description: 'd',
      services: { db: service<Db>() },
      execute: async (_input, { services }) => {
        expectTypeOf(services.db).toEqualTypeOf<Db>()
        // @ts-expect-error the tool has not declared this service
        void services.cache
        return services.db.query('select 1')
      },
    })
  })

  test('gives its predicate the validated input [T14]', () => {
    tool({
      name: 'a',
      description: 'd',
      inputSchema: z.object({ amount: z.number() }),
      requireApproval: ({ amount }) => amount > 100,
      execute: () => 1,
    })
    gate(orders, { approval: ({ email }) => email.endsWith('.gov') })
    // @ts-expect-error there is no such field
    gate(orders, { approval: ({ amount }) => amount > 100 })
  })
})

describe('wrong use', () => {
  test('is a compile error', () => {
    // @ts-expect-error a missing field
    void orders.call({})
    // @ts-expect-error a field of the wrong type
    void orders.call({ email: 7 })
    // @ts-expect-error an unknown field
    void orders.call({ email: 'a@b.c', mail: 'x' })
    // @ts-expect-error a deadline that is no duration
    void orders.call({ email: 'a@b.c' }, { deadline: 'soon' })
    // @ts-expect-error an unknown effect
    tool({ name: 'a', description: 'd', effect: 'none', execute: () => 1 })
    // @ts-expect-error no description
    tool({ name: 'a', execute: () => 1 })
    // @ts-expect-error no execute
    tool({ name: 'a', description: 'd' })
    // @ts-expect-error what execute gives does not fit the output schema
    tool({ name: 'a', description: 'd', outputSchema: Order, execute: () => ({ id: 7, total: 1 }) })
    // @ts-expect-error a value must not be read before it is known to be there
    void orders.call({ email: 'a@b.c' }).then((result) => result.value)
    // @ts-expect-error a plain object is not a tool
    gate({ name: 'fake', call: async () => 1 })
    compound({
      name: 'a',
      description: 'd',
      parts: { orders },
      // @ts-expect-error the part takes an email
      run: (_input, context) => context.call('orders', orders, { mail: 'x' }),
    })
    // @ts-expect-error there is no such part
    compound({ name: 'a', description: 'd', parts: { orders }, run: (_input, _context, { refund }) => refund })
  })

  test('a tool stands where one that takes less is wanted, not the other way round', () => {
    const wide = tool({ name: 'wide', description: 'd', inputSchema: z.object({ email: z.string() }), execute: () => ({ a: 1, b: 2 }) })
    expectTypeOf(wide).toExtend<AgentTool<{ email: string; limit: number }, { a: number }>>()
    expectTypeOf(wide).not.toExtend<AgentTool<{ name: string }, unknown>>()
    expectTypeOf(wide).not.toExtend<AgentTool<{ email: string }, { c: number }>>()
    expectTypeOf(wide).toExtend<AgentTool>()
  })
})

type Tangible<T> = 0 extends 1 & T ? 'any' : 'typed'

describe('public types', () => {
  test('are never any', () => {
    type Result = ToolResult<{ a: number }>
    expectTypeOf<Tangible<Result>>().toEqualTypeOf<'typed'>()
    expectTypeOf<Tangible<FailureDetails['cause']>>().toEqualTypeOf<'typed'>()
    expectTypeOf<{ [K in keyof ToolContext]: Tangible<ToolContext[K]> }[keyof ToolContext]>().toEqualTypeOf<'typed'>()
    expectTypeOf<{ [K in keyof AgentTool]: Tangible<AgentTool[K]> }[keyof AgentTool]>().toEqualTypeOf<'typed'>()
    expectTypeOf<Tangible<Parameters<AgentTool['call']>[0]>>().toEqualTypeOf<'typed'>()
  })
})
