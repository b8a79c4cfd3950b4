import fc from 'fast-check'
import { expect, test } from 'vitest'
import { projection } from './projection.ts'
import { tableText } from './table-text.ts'

/** Reads a table back as its description says. */
function readTable(text: string): Record<string, unknown>[] {
  const [names = [], ...rows] = text.split('\n').map(cellsOf)
  return rows.map((cells) =>
    Object.fromEntries(names.flatMap((name, at) => (cells[at] === '' ? [] : [[valueOf(name), valueOf(cells[at] ?? '')]]))),
  )
}

function cellsOf(line: string): string[] {
  const cells: string[] = []
  for (let rest: string | undefined = line; rest !== undefined;) {
    const [cell = '']: readonly string[] = /^(?:"(?:[^"\\]|\\.)*"|[^,]*)/.exec(rest) ?? []
    cells.push(cell)
    rest = rest.length > cell.length ? rest.slice(cell.length + 1) : undefined
  }
  return cells
}

function valueOf(cell: string): unknown {
  return /^["\d-]|^(?:true|false|null)$/.test(cell) ? (JSON.parse(cell) as unknown) : cell
}

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
