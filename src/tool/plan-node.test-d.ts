import { expectTypeOf, test } from 'vitest'
import { combinator } from './combinator.ts'
import { stringInput } from './input/string-input.ts'
import { layer } from './layer.ts'
import type { PlanMeaning, PlanNode } from './plan-node.ts'
import { tool } from './tool.ts'

const plain = tool({ name: 'plain', description: 'Says it again.', effect: 'read', execute: (input) => input })
const unordered = { kind: 'new', layer: false, parts: [], figures: () => ({}) }
const meaning: PlanMeaning = { order: 'sequence', labels: 'name', closedBy: undefined }

test('a plan without an order, labels or the record that closes it does not compile [C5]', () => {
  expectTypeOf<typeof unordered>().not.toExtend<PlanNode>()
  expectTypeOf<typeof unordered & PlanMeaning>().toExtend<PlanNode>()
  expectTypeOf<typeof unordered & Omit<PlanMeaning, 'order'>>().not.toExtend<PlanNode>()
  expectTypeOf<typeof unordered & Omit<PlanMeaning, 'labels'>>().not.toExtend<PlanNode>()
  expectTypeOf<typeof unordered & Omit<PlanMeaning, 'closedBy'>>().not.toExtend<PlanNode>()
})

test('nor does a combinator or a layer without them [C5]', () => {
  const whole = { name: 'whole', description: 'A whole.', input: stringInput, run: () => 'done' }
  combinator({ ...whole, plan: { ...unordered, ...meaning } })
  // @ts-expect-error the order is missing
  combinator({ ...whole, plan: unordered })
  // @ts-expect-error no such order
  combinator({ ...whole, plan: { ...unordered, ...meaning, order: 'pipe' } })
  layer(plain, { kind: 'new', plan: { ...meaning, order: 'one' }, run: () => 'done' })
  // @ts-expect-error the plan is missing
  layer(plain, { kind: 'new', run: () => 'done' })
  // @ts-expect-error the order is missing
  layer(plain, { kind: 'new', plan: { labels: 'name', closedBy: undefined }, run: () => 'done' })
})
