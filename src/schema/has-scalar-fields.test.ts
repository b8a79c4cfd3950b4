import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { tool } from '../tool/tool.ts'
import { hasScalarFields } from './has-scalar-fields.ts'

describe('a schema of scalar fields', () => {
  test.each<[string, z.ZodType]>([
    ['texts, numbers and truth values', z.object({ a: z.string(), b: z.number(), c: z.boolean() })],
    ['bounds', z.object({ a: z.string().min(1).max(9), b: z.number().int().positive(), c: z.int(), d: z.number().multipleOf(5) })],
    ['choices', z.object({ a: z.enum(['x', 'y']), b: z.literal(7) })],
    ['optional and nullable fields', z.object({ a: z.string().optional(), b: z.number().nullable() })],
    ['no fields', z.object({})],
  ])('is recognised: %s [T4]', (_name, schema) => expect(hasScalarFields(schema)).toBe(true))

  test.each<[string, z.ZodType]>([
    ['a text alone', z.string()],
    ['an object inside', z.object({ a: z.object({}) })],
    ['a list', z.object({ a: z.array(z.string()) })],
    ['anything', z.object({ a: z.any() })],
    ['a union', z.object({ a: z.union([z.string(), z.number()]) })],
    ['a pattern', z.object({ a: z.string().regex(/^a+$/) })],
    ['a format', z.object({ a: z.email() })],
    ['a coercion', z.object({ a: z.coerce.number() })],
    ['a change of the text', z.object({ a: z.string().trim() })],
    ['a transform', z.object({ a: z.string().transform(Number) })],
    ['a default', z.object({ a: z.string().default('x') })],
    ['a fallback value', z.object({ a: z.string().catch('x') })],
    ['code of its author for a field', z.object({ a: z.string().refine(() => true) })],
    ['code of its author for all', z.object({ a: z.string() }).refine(() => true)],
    ['undeclared fields that are refused', z.strictObject({ a: z.string() })],
    ['undeclared fields that are kept', z.looseObject({ a: z.string() })],
  ])('is none with %s [T4]', (_name, schema) => expect(hasScalarFields(schema)).toBe(false))

  test('gives the result of any other schema with the same rules [T4]', async () => {
    const fields = { name: z.string().min(2), count: z.number().int().optional(), kind: z.enum(['a', 'b']).nullable() }
    const execute = (input: unknown): string => JSON.stringify(input)
    const short = tool({ name: 'made', description: 'd', inputSchema: z.object(fields), execute })
    // A rule that is always true, and that only code can judge.
    const long = tool({ name: 'made', description: 'd', inputSchema: z.object(fields).refine(() => true), execute })
    const value = fc.oneof(
      fc.constantFrom(null, undefined, 'a', 'b', 1, 1.5, true),
      fc.string({ maxLength: 300 }),
      fc.object({ maxDepth: 1 }),
    )
    const input = fc.oneof(fc.record({ name: value, count: value, kind: value, more: value }, { requiredKeys: [] }), value)
    await fc.assert(
      fc.asyncProperty(input, async (given) => {
        const [one, other] = [await short.call(given as never), await long.call(given as never)]
        expect([one.ok, one.text]).toEqual([other.ok, other.text])
      }),
      { numRuns: 2000 },
    )
  })
})
