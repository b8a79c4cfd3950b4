import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTable, readTables } from '../../../test/context/read-table.ts'
import { projection } from './projection.ts'
import { smallestText } from './smallest-text.ts'
import { tableText } from './table-text.ts'

const CELL = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((each) => !Object.is(each, -0)),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('true', 'null', '12', '', ' a', 'a ', 'a,b', '"', '-'),
)

test('[R2] a table is read back as the records that it was made of', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.dictionary(
          fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
          CELL,
          { minKeys: 1, maxKeys: 5 },
        ),
        { minLength: 2, maxLength: 8 },
      ),
      (records) => {
        const text = tableText(records)
        if (text !== undefined) expect(readTable(text)).toEqual(records)
      },
    ),
    { numRuns: 500 },
  )
})

test('[R2] the name of a list is a cell too: it is not taken for the names of columns', async () => {
  const value = { page: 1, 'low, high:\n': Array.from({ length: 9 }, (_, at) => ({ low: at, high: 2 * at })) }
  const { text, encoding } = await smallestText(value, JSON.stringify(value, null, 2), (each) =>
    each.startsWith('page:') ? 1e9 : each.length,
  )
  expect(encoding).toBe('table')
  expect(readTables(text)).toEqual(value)
})

test('[R2] a list with anything nested in it is no table', () => {
  expect(
    tableText([
      { a: 1, b: [1] },
      { a: 2, b: [] },
    ]),
  ).toBeUndefined()
  expect(tableText([{ a: 1, b: 2 }, 'text'])).toBeUndefined()
  expect(
    tableText([
      { a: 1, b: Number.NaN },
      { a: 1, b: 1 },
    ]),
  ).toBeUndefined()
})

test('[R2] a projection keeps the named fields in their places, through lists', () => {
  const value = {
    orders: [
      { id: 1, lines: [{ sku: 'a', n: 1 }], note: 'x' },
      { id: 2, lines: [] },
    ],
    page: 1,
  }
  expect(projection(value, ['orders.lines.sku', 'page'])).toEqual({ orders: [{ lines: [{ sku: 'a' }] }, { lines: [] }], page: 1 })
  expect(projection(value, ['orders[].id'])).toEqual({ orders: [{ id: 1 }, { id: 2 }] })
  expect(projection(value, ['constructor', '__proto__'])).toEqual({})
})
