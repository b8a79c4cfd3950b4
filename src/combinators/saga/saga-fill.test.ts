import { expect, test } from 'vitest'
import { z } from 'zod'
import { check } from '../../plan/check.ts'
import { explain } from '../../plan/explain.ts'
import { from } from '../../tool/given/reference.ts'
import { tool } from '../../tool/tool.ts'
import { saga } from './saga.ts'

const reserve = tool({
  name: 'reserve',
  description: 'd',
  inputSchema: z.object({ sku: z.string() }),
  outputSchema: z.object({ id: z.string(), total: z.number() }),
  effect: 'write',
  execute: ({ sku }) => ({ id: `r-${sku}`, total: 12 }),
})
const release = tool({
  name: 'release',
  description: 'd',
  inputSchema: z.object({ id: z.string() }),
  effect: 'write',
  execute: () => 'released',
})
const charge = tool({
  name: 'charge',
  description: 'd',
  inputSchema: z.object({ card: z.string(), amount: z.number() }),
  outputSchema: z.object({ receipt: z.string() }),
  effect: 'write',
  execute: ({ card, amount }) => ({ receipt: `${card}: ${amount}` }),
})

const start = saga({ name: 'order', description: 'd', inputSchema: z.object({ sku: z.string(), card: z.string() }) }).step(
  'hold',
  reserve,
  {
    fill: { sku: from.value('sku') },
    compensate: {
      with: release,
      class: 'reversible',
      input: ({ value, results }) => ({ id: `${value?.id} ${Object.keys(results).join()}` }),
    },
  },
)
const edges = (whole: Parameters<typeof check>[0]) => check(whole).filter(({ code }) => code.startsWith('edge'))

test('a step of a saga is filled from the input and from the steps before it, by their labels [G1]', async () => {
  const order = start
    .step('pay', charge, { fill: { card: from.input('card'), amount: from('hold', 'total') }, compensate: 'irreversible' })
    .build({ output: ({ value, text, results }) => [value.receipt, text, results.hold.text] })
  expect(await order.call({ sku: 's', card: 'visa' })).toMatchObject({
    value: ['visa: 12', '{"receipt":"visa: 12"}', '{"id":"r-s","total":12}'],
  })
  // The input of a compensation is made by a function, which has no schema; what fills the steps is checked.
  expect(edges(order)).toEqual([])
  expect(explain(order).text).toContain('adapter { card: input.card, amount: hold.total }')
})

test('a mapping that does not fit is found by check, or refused at once [C2]', () => {
  const step = start.step as unknown as (label: string, tool: unknown, options: object) => typeof start
  const wrong = step('pay', charge, {
    fill: { card: from('hold', 'total'), amount: from('hold', 'total') },
    compensate: 'irreversible',
  }).build()
  expect(edges(wrong)).toMatchObject([{ severity: 'error', code: 'edge_does_not_fit', path: 'order/pay', field: 'card' }])
  expect(() => step('pay', charge, { fill: { card: from('reserve', 'id') } })).toThrow(
    `'fill' of step 'pay' of saga 'order' takes reserve.id, but no step before it is called "reserve". There is: hold.`,
  )
  expect(() => step('pay', charge, { fill: 'x' })).toThrow("'fill' of step 'pay' of saga 'order' must be a record of fields")
  expect(() => step('pay', charge, { fill: {}, input: () => ({}) })).toThrow("stands beside 'input'. Leave one of them out.")
})
