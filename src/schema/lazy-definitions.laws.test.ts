import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { compileJsonSchema } from './compile-json-schema.ts'
import type { JsonSchema } from './json-schema.ts'
import { hasLazyDefinitions } from './lazy-definitions.ts'

const NAMES = Array.from({ length: 24 }, (_each, index) => `Part${index}`)

const reference: fc.Arbitrary<JsonSchema> = fc.constantFrom(...NAMES).map((name) => ({ $ref: `#/$defs/${name}` }))
const simple: fc.Arbitrary<JsonSchema> = fc.constantFrom(
  { type: 'string', maxLength: 2 },
  { type: 'integer', minimum: 2 },
  { type: 'null' },
  { enum: ['a', 'b', 1] },
  { const: 'a' },
)
const { schema } = fc.letrec<{ schema: JsonSchema; inner: JsonSchema }>((tie) => ({
  inner: fc.oneof({ maxDepth: 2 }, reference, simple, reference, tie('schema')),
  schema: fc.oneof(
    fc
      .record({ properties: fc.record({ a: tie('inner'), b: tie('inner') }), required: fc.subarray(['a', 'b']) })
      .map((fields): JsonSchema => ({ type: 'object', ...fields })),
    tie('inner').map((items): JsonSchema => ({ type: 'array', items })),
    tie('inner').map((each): JsonSchema => ({ type: 'object', additionalProperties: each })),
    fc.tuple(tie('inner'), tie('inner')).map((anyOf): JsonSchema => ({ anyOf })),
    fc.tuple(tie('inner'), tie('inner')).map((oneOf): JsonSchema => ({ oneOf })),
    tie('inner').map((each): JsonSchema => ({ allOf: [each, { type: ['object', 'array', 'string'] }] })),
    fc.tuple(reference, simple).map(([first, beside]): JsonSchema => ({ ...beside, ...first })),
    tie('inner').map((not): JsonSchema => ({ not })),
    simple,
  ),
}))

/** Without a schema that refers to itself at the same value, for which there is no answer. */
function isGrounded(whole: JsonSchema): boolean {
  const definitions = whole['$defs'] as Readonly<Record<string, JsonSchema>>
  const below = (each: unknown, seen: ReadonlySet<string>): boolean => {
    if (typeof each !== 'object' || each === null) return true
    const { $ref: to, not, anyOf = [], oneOf = [], allOf = [] } = each as Readonly<Record<string, unknown>>
    const name = typeof to === 'string' ? to.slice('#/$defs/'.length) : undefined
    if (name !== undefined && (seen.has(name) || !below(definitions[name], new Set([...seen, name])))) return false
    return [not, anyOf, oneOf, allOf].flat().every((part) => below(part, seen))
  }
  return [whole, ...NAMES.map((name) => ({ $ref: `#/$defs/${name}` }))].every((each) => below(each, new Set()))
}

const whole: fc.Arbitrary<JsonSchema> = fc
  .tuple(schema, fc.tuple(...NAMES.map(() => schema)))
  .map(([root, parts]): JsonSchema => ({ ...root, $defs: Object.fromEntries(NAMES.map((name, index) => [name, parts[index]])) }))
  .filter(isGrounded)

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('a', 'b', 'long', 1, 7, null),
    fc.record({ a: tie('value'), b: tie('value') }, { requiredKeys: [] }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}))

test('definitions that are compiled on use judge as those that are compiled at once', () => {
  let [fits, misfits] = [0, 0]
  fc.assert(
    fc.property(whole, fc.array(value, { minLength: 4, maxLength: 8 }), (given, values) => {
      expect(hasLazyDefinitions(given)).toBe(true)
      const [once, onUse] = [compileJsonSchema(given, 'It'), compileJsonSchema(given, 'It', 'on use')]
      for (const each of values) {
        const [first, second] = [once.validate(each), onUse.validate(each)]
        expect(second.issues === undefined).toBe(first.issues === undefined)
        expect(pathsOf(second)).toEqual(pathsOf(first))
        if (first.issues === undefined) fits++
        else misfits++
      }
    }),
    { numRuns: 150 },
  )
  expect(fits).toBeGreaterThan(100)
  expect(misfits).toBeGreaterThan(100)
})

function pathsOf({
  issues = [],
}: {
  readonly issues?: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] | undefined
}) {
  return issues.map(({ path, message }) => `${(path ?? []).map(String).join('.')}: ${message}`)
}

test('a value costs the definitions that it reaches, however many there are', () => {
  const schemaOf = (length: number): JsonSchema => {
    const fieldsOf = (index: number) => Array.from({ length: 12 }, (_field, at) => [`to${at}`, to((index * 7 + at * 31) % length)] as const)
    const parts = Array.from({ length }, (_each, index) => ({ type: 'object', properties: Object.fromEntries(fieldsOf(index)) }))
    return { ...to(1), $defs: Object.fromEntries(parts.map((part, index) => [`Part${index}`, part])) }
  }
  const to = (index: number): JsonSchema => ({ $ref: `#/$defs/Part${index}` })
  /** The functions that the engine writes. */
  const compiled = (large: JsonSchema, when?: 'on use'): number => {
    const made = vi.spyOn(globalThis, 'Function')
    try {
      expect(compileJsonSchema(large, 'It', when).validate({ to0: { to3: {} } })).toHaveProperty('value')
      expect(compileJsonSchema(large, 'It', when).validate({ to0: { to3: 7 } })).toMatchObject({ issues: [{ path: ['to0', 'to3'] }] })
      return made.mock.calls.length
    } finally {
      made.mockRestore()
    }
  }
  expect(compiled(schemaOf(100))).toBeGreaterThan(100)
  expect(compiled(schemaOf(100), 'on use')).toBeLessThan(20)
  expect(compiled(schemaOf(2000), 'on use')).toBeLessThan(20)
})

test.for([
  ['few definitions', { $defs: { a: { type: 'string' } } }],
  ['a reference to elsewhere', { $ref: '#/properties/a', properties: { a: {} } }],
  ['a reference to nothing', { $ref: '#/$defs/nothing' }],
  ['an anchor', { properties: { a: { $anchor: 'a' } } }],
  ['fields that others have not looked at', { unevaluatedProperties: false }],
  ['a default', { properties: { a: { default: 1 } } }],
])('with %s nothing is put off', ([, given]) => {
  const $defs = Object.fromEntries(NAMES.map((name) => [name, { type: 'string' }]))
  expect(hasLazyDefinitions({ $defs })).toBe(true)
  expect(hasLazyDefinitions({ $defs, ...(given as object) })).toBe(false)
})
