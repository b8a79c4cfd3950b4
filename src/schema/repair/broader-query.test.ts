import { describe, expect, test } from 'vitest'
import { broaderQuery } from './broader-query.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    query: { type: 'string' },
    color: { enum: ['red', 'green', 'blue'] },
    brand: { type: 'string' },
    in_stock: { type: 'boolean' },
    currency: { type: 'string' },
    since: { type: 'string', format: 'date' },
    tenant: { type: 'string' },
    owner_email: { type: 'string' },
    limit: { type: 'integer' },
    country: { type: 'string', default: 'NO' },
  },
  required: ['query'],
}
const about = 'search: Searches the catalogue.'
const message = 'Nothing found for this search.'

describe('broaderQuery', () => {
  test('drops the quotes, then the rarest optional filter, one step at a time, until nothing is left', () => {
    const steps: unknown[] = []
    let input: unknown = { query: '"winter boots" mens', color: 'red', brand: 'Acme', limit: 5 }
    for (;;) {
      const next = broaderQuery(SCHEMA, { input, message, about })
      if (next === undefined) break
      steps.push(
        next.input,
        next.changes.map(({ path, rule }) => `${path}: ${rule}`),
      )
      input = next.input
    }
    expect(steps).toEqual([
      { query: 'winter boots mens', color: 'red', brand: 'Acme', limit: 5 },
      ['query: quotes of the query dropped'],
      { query: 'winter boots mens', color: 'red', limit: 5 },
      ['brand: filter dropped'],
      { query: 'winter boots mens', limit: 5 },
      ['color: filter dropped'],
    ])
  })

  test.each(['in_stock', 'currency', 'since', 'tenant', 'owner_email', 'limit', 'country'])('never drops %s', (name) => {
    expect(
      broaderQuery(SCHEMA, { input: { query: 'a', [name]: name === 'limit' ? 5 : name === 'in_stock' ? true : 'x' }, message, about }),
    ).toBe(undefined)
  })

  test.each([
    'No results.',
    'no matching products found',
    'The search returned no items',
    '0 results',
    'Found nothing',
    'Nothing was found',
  ])('reads "%s"', (said) => {
    expect(broaderQuery(SCHEMA, { input: { query: 'a', brand: 'x' }, message: said, about })?.input).toEqual({ query: 'a' })
  })

  test.each(['The index is closed.', "The brand 'x' is not allowed.", 'Not permitted.', 'The customer does not exist.'])(
    'does nothing about "%s"',
    (said) => {
      expect(broaderQuery(SCHEMA, { input: { query: '"a"', brand: 'x' }, message: said, about })).toBeUndefined()
    },
  )

  test('changes no look-up by an id, and nothing of a tool that does not search', () => {
    const byId = { type: 'object', properties: { order_id: { type: 'string' }, region: { type: 'string' } }, required: ['order_id'] }
    expect(broaderQuery(byId, { input: { order_id: '1', region: 'eu' }, message: 'No order found.', about: 'find_order' })).toBeUndefined()
    const plain = { type: 'object', properties: { region: { type: 'string' } } }
    expect(
      broaderQuery(plain, { input: { region: 'eu' }, message: 'No weather found.', about: 'weather: Tells the weather.' }),
    ).toBeUndefined()
  })
})
