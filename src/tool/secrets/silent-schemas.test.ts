import { expect, test } from 'vitest'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { KnownSecrets } from './known-secrets.ts'
import { MASK } from './mask-text.ts'
import { reviewView } from './review-view.ts'
import { silentSchemas } from './silent-schemas.ts'

function silentIn(root: JsonSchema): ReadonlySet<JsonSchema> {
  return silentSchemas(root, {
    referred: ({ $ref }) => ($ref === '#' ? [root] : []),
    speaks: ({ sensitive }) => sensitive === true,
  })
}

function view(value: unknown, schema: JsonSchema): unknown {
  return reviewView(value, schema, new KnownSecrets())
}

const plain = { type: 'string' }
const secret = { sensitive: true }

test('a schema is silent if nothing that it leads to speaks', () => {
  const list = { items: plain }
  const loud = { properties: { code: secret } }
  const root = { anyOf: [list, loud] }
  expect(silentIn(root)).toEqual(new Set([list, plain]))
})

test('a schema that refers to one that speaks is not silent', () => {
  const next = { $ref: '#' }
  const root = { properties: { next, code: secret, note: plain } }
  expect(silentIn(root)).toEqual(new Set([plain]))
})

test('silent options decide which fields are left for a schema of unevaluated fields', () => {
  const option = (kind: string, name: string): object => ({ properties: { kind: { const: kind }, [name]: plain }, required: ['kind'] })
  const schema = { anyOf: [option('a', 'x'), option('b', 'y')], unevaluatedProperties: secret }
  expect(silentIn(schema)).toEqual(new Set())
  expect(view({ kind: 'a', x: '1', y: '2' }, schema)).toEqual({ kind: 'a', x: '1', y: MASK })
  expect(view({ kind: 'b', x: '1', y: '2' }, schema)).toEqual({ kind: 'b', x: MASK, y: '2' })
})

test('a short look does not decide where a pointer means another place than it says', () => {
  const inner = {
    $id: 'https://example.com/inner',
    $defs: { tag: { type: 'string' } },
    properties: { code: secret, tag: { $ref: '#/$defs/tag' } },
  }
  const ruledOut = { ...inner, allOf: [{ $ref: '#/$defs/tag2' }], $defs: { ...inner.$defs, tag2: {} } }
  const schema = { $defs: { tag2: { type: 'number' } }, anyOf: [ruledOut, { type: 'object', required: ['code'], maxProperties: 0 }] }
  expect(view({ code: 'c-4711' }, schema)).toEqual({ code: MASK })
})

test('a field without a value and a number that is no integer are not ruled out by a short look', () => {
  const tagged = { type: 'object', properties: { kind: { const: 'a' }, code: secret } }
  const other = { type: 'object', properties: { kind: { type: 'string' }, code: plain }, maxProperties: 1 }
  expect(view({ kind: undefined, code: 'c-4711' }, { anyOf: [tagged, other] })).toEqual({ kind: undefined, code: MASK })
  expect(
    view(1.5, {
      anyOf: [
        { not: { type: 'integer' }, ...secret },
        { type: 'number', maximum: 1 },
      ],
    }),
  ).toBe(MASK)
})
