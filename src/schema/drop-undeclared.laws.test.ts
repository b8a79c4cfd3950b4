import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileJsonSchema } from './compile-json-schema.ts'
import { dropUndeclared } from './drop-undeclared.ts'
import type { JsonSchema } from './json-schema.ts'

const key = fc.constantFrom('a', 'b', 'c', 'kind')

/** Schemas of every make, with references to the root and to a definition. */
const schemas = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'schema' },
    fc.constantFrom<JsonSchema>(
      { type: 'string' },
      { type: ['number', 'null'] },
      {},
      { const: 'a' },
      { enum: ['a', null] },
      { enum: ['a', { a: 'a' }, ['a']] },
      { not: {} },
      { not: { type: 'object' } },
      { type: 'string', nullable: true },
      { $ref: '#' },
      { $ref: '#/$defs/d' },
    ),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(key, tie('schema'), { maxKeys: 3 }),
        required: fc.uniqueArray(key, { maxLength: 1 }),
        additionalProperties: fc.oneof(fc.constantFrom(true, false), tie('schema')),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
  ),
})).schema

const roots = fc.record({ root: schemas, d: schemas }).map(({ root, d }) => ({ ...root, $defs: { d } }))

const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>('a', 'b', 1, null, true),
    fc.dictionary(fc.oneof(key, fc.constantFrom('z', '__proto__', 'constructor')), tie('value'), { maxKeys: 4 }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
})).value

const RUNS = { numRuns: 800, seed: 4 }

test('nothing is written to, dropping twice is dropping once, and what is left was there [T4]', () => {
  fc.assert(
    fc.property(roots, values, (schema, value) => {
      const before = structuredClone(value)
      const once = dropUndeclared(value, schema)
      expect(value).toEqual(before)
      expect(dropUndeclared(once, schema)).toBe(once)
      expect(isPartOf(once, value)).toBe(true)
    }),
    RUNS,
  )
})

test('what a schema accepts, it still accepts afterwards [T4]', () => {
  let accepted = 0
  fc.assert(
    fc.property(roots, values, (schema, value) => {
      if (!accepts(schema, value)) return
      accepted++
      expect(accepts(schema, dropUndeclared(value, schema))).toBe(true)
    }),
    RUNS,
  )
  expect(accepted).toBeGreaterThan(100)
})

/** A schema that is itself and nothing else cannot be compiled, or overflows when it is used. */
function accepts(schema: JsonSchema, value: unknown): boolean {
  try {
    return compileJsonSchema(schema, 'It').validate(value).issues === undefined
  } catch {
    return false
  }
}

function isPartOf(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null || typeof whole !== 'object' || whole === null) return Object.is(part, whole)
  const fields = whole as Record<string, unknown>
  return Object.entries(part).every(([name, each]) => Object.hasOwn(whole, name) && isPartOf(each, fields[name]))
}
