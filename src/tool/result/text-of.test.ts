import { describe, expect, test } from 'vitest'
import { textOf } from './text-of.ts'

describe('what a model reads of a value', () => {
  test.each([
    ['text', 'text'],
    ['', ''],
    [null, ''],
    [undefined, ''],
    [5, '5'],
    [Number.NaN, 'null'],
    [true, 'true'],
    [5n, '5'],
    [Symbol('x'), 'Symbol(x)'],
    [{ a: [1, 'b', null] }, '{"a":[1,"b",null]}'],
    [{ big: 5n }, '{"big":"5"}'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [new Map([['a', 1]]), '[["a",1]]'],
    [{ set: new Set([1, 2]) }, '{"set":[1,2]}'],
    [{ error: new TypeError('No.') }, '{"error":{"name":"TypeError","message":"No."}}'],
  ])('%o reads %s [T6]', (value, text) => {
    expect(textOf(value)).toBe(text)
  })
})
