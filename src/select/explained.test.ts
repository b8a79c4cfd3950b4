import { expect, test } from 'vitest'
import { tool } from '../tool/tool.ts'
import { catalog } from './catalog.ts'

const make = (name: string, description: string, permissions: readonly string[] = []) =>
  tool({ name, description, effect: 'read', permissions, execute: () => name })
const tools = () =>
  catalog([
    make('issue_refund', 'Pays an order back to a customer.'),
    make('find_order', 'Finds the orders of a customer.'),
    make('weather', 'Tells the weather of a place.'),
    make('audit_refund', 'Reads all refunds of all customers.', ['audit']),
  ])

test('explain says of a tool why it is found, why others are before it, and why it does not fit', async () => {
  const all = await tools()
  const first = await all.explain('refund an order', 'issue_refund')
  expect(first).toMatchObject({ found: true, rank: 1 })
  expect(first?.reasons.join('\n')).toContain('shares the words')
  const crowded = await all.explain('refund an order', 'find_order', { k: 1 })
  expect(crowded).toMatchObject({ found: false, rank: 2 })
  expect(crowded?.reasons.join('\n')).toContain("1 tool fits better; the last of them is 'issue_refund'")
  const far = await all.explain('refund an order', 'weather')
  expect(far?.found).toBe(false)
  expect(far?.reasons.join('\n')).toMatch(/is below 0\.25: it does not fit\nthe first is 'issue_refund' \(score /)
})

test('explain agrees with select, and neither knows of what the caller may not see', async () => {
  const all = await tools()
  for (const request of [
    'refund an order',
    'Tell me the weather and then find the order of a customer, and pay it back',
    'will it rain',
    'who is the customer',
    'zxcv',
    '',
  ])
    for (const k of [1, 2, 4]) {
      const found = (await all.select(request, { k })).tools.map((each) => each.tool.name)
      for (const name of ['issue_refund', 'find_order', 'weather']) {
        const explained = await all.explain(request, name, { k })
        expect([request, k, name, explained?.found]).toEqual([request, k, name, found.includes(name)])
        expect(JSON.stringify(explained)).not.toContain('audit')
      }
    }
  expect(await all.explain('refunds of all customers', 'audit_refund')).toBeUndefined()
  expect(await all.explain('refunds', 'missing')).toBeUndefined()
  const auditor = { principal: { id: 'eve', permissions: ['audit'] } }
  expect(await all.explain('refunds of all customers', 'audit_refund', auditor)).toMatchObject({ found: true, rank: 1 })
})
