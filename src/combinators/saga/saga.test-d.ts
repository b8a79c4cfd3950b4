import { describe, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { SagaReport, ToolResult } from '../../tool/result/result.ts'
import { from } from '../../tool/given/reference.ts'
import { tool } from '../../tool/tool.ts'
import { retryCompensation } from './retry-compensation.ts'
import { saga } from './saga.ts'

const reserve = tool({
  name: 'reserve',
  description: 'd',
  inputSchema: z.object({ sku: z.string(), count: z.number() }),
  execute: ({ sku }) => ({ id: sku, total: 12 }),
})
const release = tool({
  name: 'release',
  description: 'd',
  inputSchema: z.object({ reservation: z.string() }),
  execute: () => 'released',
})
const charge = tool({
  name: 'charge',
  description: 'd',
  inputSchema: z.object({ card: z.string(), amount: z.number() }),
  execute: () => ({ receipt: 'r' }),
})
const mail = tool({ name: 'mail', description: 'd', execute: (text) => text.length })

const order = saga({ name: 'order', description: 'd', inputSchema: z.object({ sku: z.string(), count: z.number(), card: z.string() }) })

describe('the types of a saga', () => {
  test('flow from its input and its steps into the inputs, the compensations and the output', () => {
    const placed = order
      .step('reserve', reserve, {
        input: ({ input, results }) => {
          expectTypeOf(input).toEqualTypeOf<{ sku: string; count: number; card: string }>()
          expectTypeOf<keyof typeof results>().toEqualTypeOf<never>()
          return { sku: input.sku, count: input.count }
        },
        compensate: {
          with: release,
          class: 'reversible',
          attempts: 5,
          deadline: '10s',
          input: ({ input, stepInput, result, value, results }) => {
            expectTypeOf(input.card).toEqualTypeOf<string>()
            expectTypeOf(stepInput).toEqualTypeOf<{ sku: string; count: number }>()
            expectTypeOf(result).toEqualTypeOf<ToolResult<{ id: string; total: number }>>()
            expectTypeOf(value).toEqualTypeOf<{ id: string; total: number } | undefined>()
            expectTypeOf<keyof typeof results>().toEqualTypeOf<never>()
            return { reservation: value?.id ?? stepInput.sku }
          },
        },
        attempts: 3,
      })
      .step('charge', charge, { input: ({ input, results }) => ({ card: input.card, amount: results.reserve.value.total }) })
      .step('mail', mail, { input: ({ results }) => results.charge.value.receipt, compensate: 'irreversible' })
    expectTypeOf(placed.build()).toEqualTypeOf<
      AgentTool<
        { sku: string; count: number; card: string },
        { readonly reserve: { id: string; total: number }; readonly charge: { receipt: string }; readonly mail: number },
        'order'
      >
    >()
    const short = placed.build({ output: ({ input, results }) => `${input.sku} ${results.charge.value.receipt}` })
    expectTypeOf(short).toEqualTypeOf<AgentTool<{ sku: string; count: number; card: string }, string, 'order'>>()
  })

  test('a saga without a schema takes a text', () => {
    expectTypeOf(saga({ name: 's', description: 'd' }).step('mail', mail).build()).toEqualTypeOf<
      AgentTool<string, { readonly mail: number }, 's'>
    >()
  })

  test('the saga’s own input does for a step that takes it', () => {
    order.step('reserve', reserve)
    order.step('reserve', reserve, { compensate: 'irreversible', attempts: 2 })
    // @ts-expect-error This step does not take the input of the saga
    order.step('charge', charge)
    // @ts-expect-error This step does not take the input of the saga
    order.step('charge', charge, { attempts: 2 })
  })

  test('a result may be a failure, and says so', () => {
    order.step('reserve', reserve, {
      compensate: {
        with: release,
        class: 'reversible',
        // @ts-expect-error the step may have failed
        input: ({ result }) => ({ reservation: result.value.id }),
      },
    })
    order.step('reserve', reserve, {
      compensate: {
        with: release,
        class: 'reversible',
        input: ({ result, stepInput }) => ({ reservation: result.ok ? result.value.id : stepInput.sku }),
      },
    })
  })

  test('what does not fit does not compile', () => {
    // @ts-expect-error amount is missing
    order.step('charge', charge, { input: ({ input }) => ({ card: input.card }) })
    // @ts-expect-error there is no such result yet
    order.step('charge', charge, { input: ({ input, results }) => ({ card: input.card, amount: results.reserve.value.total }) })
    // @ts-expect-error the label is taken
    order.step('reserve', reserve).step('reserve', reserve)
    // @ts-expect-error no such class
    order.step('reserve', reserve, { compensate: { with: release, class: 'maybe', input: () => ({ reservation: '' }) } })
    // @ts-expect-error what is irreversible has no compensation
    order.step('reserve', reserve, { compensate: { with: release, class: 'irreversible', input: () => ({ reservation: '' }) } })
    // @ts-expect-error the compensation takes a reservation
    order.step('reserve', reserve, { compensate: { with: release, class: 'reversible', input: () => ({ id: '' }) } })
    // @ts-expect-error a compensation needs an input
    order.step('reserve', reserve, { compensate: { with: release, class: 'reversible' } })
    // @ts-expect-error not a tool
    order.step('reserve', {})
    // @ts-expect-error a saga needs a step
    order.build()
    // @ts-expect-error a saga needs a description
    saga({ name: 's' })
  })

  test('a mapping is checked field by field, and literals stay literals', () => {
    const ship = tool({
      name: 'ship',
      description: 'd',
      inputSchema: z.object({ id: z.string(), speed: z.enum(['fast', 'slow']) }),
      execute: () => 1,
    })
    const held = order.step('reserve', reserve)
    const shipped = held.step('ship', ship, { fill: { id: from('reserve', 'id'), speed: 'fast' }, compensate: 'irreversible' })
    expectTypeOf(shipped.build({ output: ({ value }) => value })).toEqualTypeOf<
      AgentTool<{ sku: string; count: number; card: string }, number, 'order'>
    >()
    held.step('ship', ship, { fill: { id: from.input('sku'), speed: 'slow' } })
    held.step('ship', ship, { input: ({ input, value }) => ({ id: value.id, speed: input.count > 2 ? 'fast' : 'slow' }) })
    held.step('ship', ship, {
      input: ({ input }) => {
        if (input.count > 2) return { id: 'x', speed: 'fast' }
        return { id: 'y', speed: 'slow' }
      },
    })
    // @ts-expect-error there is no such speed
    held.step('ship', ship, { input: ({ value }) => ({ id: value.id, speed: 'fst' }) })
    // @ts-expect-error there is no such step before it
    held.step('ship', ship, { fill: { id: from('resrve', 'id'), speed: 'fast' } })
    // @ts-expect-error there is no such field
    held.step('ship', ship, { fill: { id: from('reserve', 'idd'), speed: 'fast' } })
    // @ts-expect-error a number does not fit
    held.step('ship', ship, { fill: { id: from('reserve', 'total'), speed: 'fast' } })
    // @ts-expect-error speed is missing
    held.step('ship', ship, { fill: { id: from('reserve', 'id') } })
    // @ts-expect-error one of both
    held.step('ship', ship, { fill: { id: 'x', speed: 'fast' }, input: () => ({ id: 'x', speed: 'fast' }) })
  })

  test('a result carries what the saga says of itself', async () => {
    const result = await order.step('reserve', reserve).build().call({ sku: '', count: 1, card: '' })
    expectTypeOf(result.compensation).toEqualTypeOf<SagaReport | undefined>()
    expectTypeOf(retryCompensation(result)).toEqualTypeOf<Promise<SagaReport>>()
  })
})
