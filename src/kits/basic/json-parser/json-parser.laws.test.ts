import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonParser } from './json-parser.ts'

const parser = jsonParser()

type Way = readonly (string | number)[]

/** All ways that lead to a value inside another. */
function waysIn(value: unknown, way: Way = []): readonly { readonly way: Way; readonly value: unknown }[] {
  const children: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.map((each, index) => [index, each] as const)
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : []
  return [{ way, value }, ...children.flatMap(([step, each]) => waysIn(each, [...way, step]))]
}

const write = (way: Way): string =>
  `$${way.map((step) => (typeof step === 'number' ? `[${step}]` : `['${step.replaceAll(/[\\']/g, '\\$&')}']`)).join('')}`

test('any JSON comes back as JSON.parse reads it, from the text and from the value [T17]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json({ noUnicodeString: false }), fc.constantFrom(undefined, 1, '\t'), async (text, indent) => {
      const value: unknown = JSON.parse(text)
      const result = await parser.call({ jsonPath: '$', json: JSON.stringify(value, null, indent) })
      expect(result).toMatchObject({ ok: true })
      expect(result.text).toBe(typeof value === 'string' ? value : JSON.stringify(value))
      expect(result.ok && JSON.stringify(result.value)).toBe(JSON.stringify(value))
      const given = await parser.call({ jsonPath: '', json: typeof value === 'string' ? JSON.stringify(value) : value })
      expect(given.text).toBe(result.text)
    }),
    { numRuns: 1000 },
  )
})

test('every value of a document is found by its path [T17]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (document) => {
      const json = JSON.stringify(document)
      for (const { way, value } of waysIn(JSON.parse(json)).slice(0, 20)) {
        const result = await parser.call({ jsonPath: write(way), json })
        expect(result.ok && JSON.stringify(result.value)).toBe(JSON.stringify(value))
      }
    }),
    { numRuns: 300 },
  )
})

test('a text is refused exactly where JSON.parse refuses it [T17]', async () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '"a"',
    '"b"',
    '1',
    '-',
    '0',
    '.5',
    'e9',
    'true',
    'null',
    ' ',
    '\\',
    '\\u0041',
    '\n',
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
      async (json) => {
        const { ok } = await parser.call({ jsonPath: '', json })
        expect(ok).toBe(isJson(json))
      },
    ),
    { numRuns: 5000 },
  )
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('no path and no expression crashes it [T17]', async () => {
  const document = { a: [{ b: 1, 'c d': 'x' }, { b: 2 }], d: { e: null } }
  const pieces = fc.constantFrom(
    'a',
    'b',
    'd',
    '.',
    '[',
    ']',
    '*',
    '0',
    '-1',
    ':',
    "'c d'",
    '"',
    '`1`',
    '@',
    '|',
    '||',
    '&',
    '&&',
    '!',
    '?',
    '(',
    ')',
    '{',
    '}',
    ',',
    '==',
    '<',
    '$',
    ' ',
    'length(',
    'sort_by(',
    'max(',
    'to_string(',
    '-',
    '=',
    '#',
  )
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join('')),
  )
  await fc.assert(
    fc.asyncProperty(hostile, fc.constantFrom('path' as const, 'jmespath' as const), async (jsonPath, language) => {
      const result = await parser.call({ jsonPath, json: document, language })
      expect(result.ok ? 'ok' : result.error.code).toMatch(/^(ok|invalid_request|not_found)$/)
    }),
    { numRuns: 10_000 },
  )
})
