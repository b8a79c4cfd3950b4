import { describe, expect, test } from 'vitest'
import { tool } from '../tool/tool.ts'
import { catalog } from './catalog.ts'
import type { Selection } from './selection.ts'
import { hybrid, learned, modelDriven, policyGated, ruleBased } from './strategies.ts'

const make = (name: string, description: string, permissions: readonly string[] = []) =>
  tool({ name, description, effect: 'read', permissions, execute: () => 'done' })
const TOOLS = [
  make('issue_refund', 'Pays an order back to a customer.'),
  make('find_order', 'Finds the orders of a customer, newest first.'),
  make('send_email', 'Sends a mail to a person.'),
  make('audit_log', 'Writes what was done.'),
  make('delete_customer', 'Deletes all that is known about a customer and the orders.', ['customers:delete']),
]
const names = ({ tools }: Selection): string[] => tools.map((each) => each.tool.name)
const desk = await catalog(TOOLS)
const audit = ruleBased([{ when: /order|refund/gi, use: ['audit_log', 'delete_customer', 'nobody'] }])

describe('strategies', () => {
  test('rules choose by themselves, only what the caller may see, the same each time [S1]', async () => {
    for (const _ of [1, 2]) expect(names(await audit(desk, 'refund an order'))).toEqual(['audit_log'])
    const may = { principal: { id: 'ada', permissions: ['customers:delete'] } }
    expect(names(await audit(desk, 'refund an order', may))).toEqual(['audit_log', 'delete_customer'])
    expect((await audit(desk, 'hello')).nothingFits).toBe(true)
  })

  test('experience chooses by itself [S1]', async () => {
    expect(names(await learned()(desk, 'pay the order back', { k: 1 }))).toEqual(['issue_refund'])
  })

  test('a gate filters before anything is ranked, and both gates count [S1] [S6]', async () => {
    const gated = policyGated(learned(), ({ name }) => name !== 'issue_refund')
    expect(names(await gated(desk, 'refund an order to the customer'))).not.toContain('issue_refund')
    expect(names(await gated(desk, 'refund an order to the customer', { allows: ({ name }) => name === 'issue_refund' }))).toEqual([])
  })

  test('a model chooses among what it was shown, and nothing else [S1]', async () => {
    let cards: readonly string[] = []
    const strategy = modelDriven(async (_request, shown) => {
      cards = shown
      return ['find_order', 'delete_customer', 'find_order', 'made_up']
    })
    expect(names(await strategy(desk, 'the orders of a customer', { k: 3 }))).toEqual(['find_order'])
    expect(cards.join('\n')).toContain('find_order: Finds the orders of a customer, newest first.')
    expect(cards.join('\n')).not.toContain('delete_customer')
  })

  test('forced tools come first, the two best others are kept, and the tokens hold [S2]', async () => {
    const many = ruleBased([{ when: () => true, use: ['audit_log', 'send_email', 'find_order'] }])
    const strategy = hybrid({ forced: many })
    const found = await strategy(desk, 'pay the order of the customer back', { k: 3 })
    expect(names(found).slice(0, 1)).toEqual(['audit_log'])
    expect(names(found)).toContain('issue_refund')
    expect(found.tools).toHaveLength(names(found).includes('issue_refund') ? found.tools.length : -1)
    for (const tokens of [0, 60, 120, 1000]) {
      const trimmed = await strategy(desk, 'pay the order of the customer back', { k: 5, tokens })
      expect(trimmed.tokens).toBeLessThanOrEqual(tokens)
      expect(trimmed.tools.reduce((sum, { schemaTokens }) => sum + schemaTokens, 0)).toBe(trimmed.tokens)
    }
    const all = policyGated(
      modelDriven(async () => ['audit_log'], { among: strategy }),
      ({ name }) => name !== 'send_email',
    )
    expect(names(await all(desk, 'refund the order'))).toEqual(['audit_log'])
  })
})
