import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { excerpt, quote, toJsonText } from './quote.ts'

const cyclic: Record<string, unknown> = {}
cyclic['self'] = cyclic

test('JSON for a text is never a throw [T6]', () => {
  expect(toJsonText(cyclic)).toMatch(/^\[a value that JSON cannot hold: .*circular/i)
  expect(
    toJsonText({
      toJSON: () => {
        throw new Error('No.')
      },
    }),
  ).toBe('[a value that JSON cannot hold: No.]')
  expect(toJsonText(JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))).toMatch(/^\[a value that JSON cannot hold: /)
  expect(toJsonText(undefined)).toBe('')
})

describe('an excerpt', () => {
  test('is the text itself where that is short, and says how long it was where not', () => {
    expect(excerpt('12345', 5)).toBe('12345')
    expect(excerpt('123456', 5)).toBe('12345... (6 characters)')
  })

  test('never splits a character, and holds no half ones', () => {
    expect(excerpt('ab😀cd', 3)).toBe('ab... (6 characters)')
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), fc.nat(10), (codes, most) => {
        const text = String.fromCharCode(...codes)
        const cut = excerpt(text, most)
        expect(cut.isWellFormed()).toBe(true)
        expect(cut.length).toBeLessThanOrEqual(most + '... (10 characters)'.length + 1)
        expect(!text.isWellFormed() || text.startsWith(cut.replace(/\.\.\. \(\d+ characters\)$/, ''))).toBe(true)
      }),
      { seed: 1 },
    )
  })
})

test.each([
  ['text', '"text"'],
  [5, '5'],
  [5n, '5'],
  [undefined, 'undefined'],
  [null, 'null'],
  [Symbol('x'), 'Symbol(x)'],
  [{ a: 1 }, '{"a":1}'],
  [() => 1, 'a function'],
  [Object.create(null), '{}'],
  ['x'.repeat(1000), `"${'x'.repeat(79)}... (1002 characters)`],
])('%o is quoted as %s', (value, text) => {
  expect(quote(value)).toBe(text)
})
