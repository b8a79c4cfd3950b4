import { expect, test } from 'vitest'
import { a, b, both, c, everything, here, named, x } from '../../../test/fixtures/run/plan-shapes.ts'
import { gate } from '../../combinators/gate/gate.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { checkPlan } from './plan-change.ts'
import { planPrint, readPrint } from './plan-print.ts'

test('the print of a plan is read back, and is no longer than the plan', () => {
  const whole = named(a, both(b, c), gate(x))
  expect(readPrint(planPrint(whole as AgentTool))).toMatchObject({
    name: 'whole',
    kind: 'pipe',
    order: 'sequence',
    parts: [
      { label: 'a', outline: { order: 'leaf', labels: 'name', closedBy: undefined, compensates: false, most: undefined } },
      { label: 'both', outline: { kind: 'parallel', order: 'together' } },
      { label: 'x', outline: { kind: 'gate', order: 'one', parts: [{ label: 'gated' }] } },
    ],
  })
  expect(planPrint(whole as AgentTool).length).toBeLessThan(275)
})

test('of a plan that is read back, nothing is lost that decides [G5]', () => {
  for (const { tool: each } of everything()) {
    const { order, labels, closedBy, compensates = false, maxItems, maxTurns } = each.plan()
    expect(readPrint(planPrint(each as AgentTool))).toMatchObject({ order, labels, closedBy, compensates, most: maxItems ?? maxTurns })
  }
})

const LEAF = '["a","write","leaf","leaf"]'

test.each([
  ['', 'nothing'],
  ['[', 'half of it'],
  ['null', 'no list'],
  ['"short"', 'no hash'],
  ['["a","write","leaf"]', 'no order'],
  ['["a","write","leaf","backwards"]', 'an unknown order'],
  ['["a","writes","leaf","leaf"]', 'an unknown effect'],
  ['["a","write","leaf","leaf",{"labels":"odd"}]', 'unknown labels'],
  ['["a","write","leaf","leaf",{"later":1}]', 'something that only a later version knows'],
  [`["p","write","pipe","sequence",["a",${LEAF},2]]`, 'an unknown mark of a part'],
  ['["p","write","pipe","sequence",["a",["a","write","leaf"]]]', 'a part without an order'],
  ['["p","write","pipe",["a",["a","write","leaf"]]]', 'the form of an earlier version'],
])('a run is refused by a print that cannot be read, once anything is recorded: %s, %s [G5]', (before) => {
  expect(readPrint(before)).toBeUndefined()
  const now = named(a, here) as AgentTool
  expect(() => checkPlan({ run: 'r', before, tool: now, paths: ['whole/a'] })).toThrow('cannot read')
  expect(() => checkPlan({ run: 'r', before, tool: now, paths: [] })).not.toThrow()
})
