import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../json-schema.ts'
import { broaderQuery } from './broader-query.ts'
import { firstPage } from './first-page.ts'

const FIELDS: Readonly<Record<string, JsonSchema>> = {
  query: { type: 'string' },
  color: { enum: ['red', 'green'] },
  brand: { type: 'string' },
  page: { type: 'integer', minimum: 1 },
  offset: { type: 'integer', minimum: 0 },
  cursor: { type: 'string' },
  max_price: { type: 'number' },
  customer_email: { type: 'string' },
  folder_path: { type: 'string' },
  tenant: { type: 'string' },
}
const KEPT = ['max_price', 'customer_email', 'folder_path', 'tenant']

const text = fc.constantFrom('a', '"a b"', 'a "b"', 'red', '')
const count = fc.integer({ min: 0, max: 50 })
const input = fc.record(
  {
    query: text,
    color: fc.constantFrom('red', 'green'),
    brand: text,
    page: count,
    offset: count,
    cursor: text,
    ...{ max_price: count, customer_email: text, folder_path: text, tenant: text },
  },
  { requiredKeys: ['query'] },
)
const message = fc.constantFrom(
  'Nothing found.',
  'Page beyond the end, nothing found.',
  'The cursor has expired.',
  'No results.',
  'Not allowed.',
)

describe('another input after a failed search', () => {
  test('has only words and fields of the input, keeps whose data it sees, and comes to an end', () => {
    fc.assert(
      fc.property(input, fc.subarray(Object.keys(FIELDS)), message, (given, required, said) => {
        const schema = { type: 'object', properties: FIELDS, required }
        let before: Readonly<Record<string, unknown>> = given
        for (let steps = 0; ; steps++) {
          expect(steps).toBeLessThan(10)
          const failed = { input: before, message: said, about: 'search: Searches.' }
          const next = firstPage(schema, failed) ?? broaderQuery(schema, failed)
          if (next === undefined) return
          for (const name of Object.keys(before)) expect(name in next.input || !required.includes(name)).toBe(true)
          for (const name of KEPT) expect(next.input[name]).toBe(before[name])
          for (const [name, value] of Object.entries(next.input)) {
            const was = before[name]
            if (typeof was === 'number' && value !== was) expect([name, value]).toEqual(name === 'page' ? ['page', 1] : ['offset', 0])
            else if (value !== was) expect(value).toBe(String(was).replaceAll('"', ''))
          }
          expect(next.changes.map(({ path }) => path).toSorted()).toEqual(
            Object.keys(before)
              .filter((name) => before[name] !== next.input[name])
              .toSorted(),
          )
          before = next.input
        }
      }),
      { numRuns: 300 },
    )
  })
})
