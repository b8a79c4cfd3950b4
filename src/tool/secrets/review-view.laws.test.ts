/* oxlint-disable unicorn/no-thenable -- the keyword of JSON Schema */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { KnownSecrets } from './known-secrets.ts'
import { logView, MASK, secretsIn } from './mask.ts'
import { reviewView } from './review-view.ts'
import { writtenForms } from './secret-forms.ts'
import { unmask } from './unmask.ts'

/** A value with its schema, and the view that a person must see of it. */
interface Case {
  readonly schema: JsonSchema
  readonly value: unknown
  readonly view: unknown
}

const KEY = 'sk-live-4711'
const KNOWN = new KnownSecrets([KEY])
const SECRET_NAMES = ['password', 'apiKey', 'token']
const PLAIN_NAMES = ['to', 'note', 'command']

/** Texts that look like secrets, repeat the values of other fields, or hold the secret of the provider. */
const texts = fc.constantFrom(
  'mallory',
  'rm -rf x',
  'ls # "token": "\nrm -rf x\n# "',
  '{"password":"mallory"}',
  'api_key=mallory',
  'Bearer mallory-4711',
  `https://a:mallory@example.com/`,
  `curl ${KEY} now`,
  `${KEY}\n${KEY}`,
  MASK,
)

const masked = (text: string): string => text.replaceAll(KEY, `${MASK}(${KEY.length})`)

const text: fc.Arbitrary<Case> = texts.map((value) => ({ schema: { type: 'string' }, value, view: masked(value) }))
const plain: fc.Arbitrary<Case> = fc.constantFrom(1, true, null).map((value) => ({ schema: {}, value, view: value }))
const declared: fc.Arbitrary<Case> = fc
  .tuple(texts, fc.constantFrom<JsonSchema>({ sensitive: true }, { writeOnly: true }, { format: 'password' }))
  .map(([value, schema]) => ({ schema, value, view: MASK }))

interface Fields {
  readonly listed: Readonly<Record<string, Case>>
  readonly more: Readonly<Record<string, string>>
}

function objectOf({ listed, more }: Fields): Case {
  const names = Object.keys(listed)
  const isHidden = (name: string, { value }: Case): boolean => SECRET_NAMES.includes(name) && value !== null && typeof value !== 'boolean'
  const extra = Object.entries(more).filter(([name]) => !names.includes(name))
  return {
    schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, listed[name]?.schema])) },
    value: { ...Object.fromEntries(names.map((name) => [name, listed[name]?.value])), ...Object.fromEntries(extra) },
    view: {
      ...Object.fromEntries(Object.entries(listed).map(([name, each]) => [name, isHidden(name, each) ? MASK : each.view])),
      ...Object.fromEntries(extra.map(([name, value]) => [name, masked(value)])),
    },
  }
}

/** Only the option that the value has counts: the other calls the same fields secrets. */
function inUnion(own: Case): Case {
  const { properties, ...rest } = own.schema
  const names = Object.keys(properties as object)
  const other = {
    type: 'object',
    properties: { kind: { const: 'other' }, ...Object.fromEntries(names.map((name) => [name, { sensitive: true }])) },
    required: ['kind'],
  }
  const tagged = { ...rest, properties: { kind: { const: 'own' }, ...(properties as object) }, required: ['kind'] }
  return {
    schema: { anyOf: [other, tagged] },
    value: { kind: 'own', ...(own.value as object) },
    view: { kind: 'own', ...(own.view as object) },
  }
}

const cases = fc.letrec<{ value: Case; object: Case }>((tie) => ({
  object: fc
    .record<Fields>({
      listed: fc.dictionary(fc.constantFrom(...SECRET_NAMES, ...PLAIN_NAMES), tie('value'), { maxKeys: 3 }),
      more: fc.dictionary(fc.constantFrom(...SECRET_NAMES, 'other'), texts, { maxKeys: 2 }),
    })
    .map(objectOf),
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'case' },
    text,
    plain,
    declared,
    tie('object'),
    tie('object').map(inUnion),
    fc.tuple(tie('value'), fc.nat(3)).map(([{ schema, value, view }, count]) => ({
      schema: { items: schema },
      value: Array(count).fill(value),
      view: Array(count).fill(view),
    })),
    tie('value').map(({ schema, ...rest }) => ({ schema: { allOf: [schema] }, ...rest })),
  ),
})).value

const RUNS = { numRuns: 3000, seed: 11 }

test('a person sees all of an input but its declared secrets and the words of secrets of the provider [T14]', () => {
  fc.assert(
    fc.property(cases, ({ schema, value, view }) => {
      const before = structuredClone(value)
      expect(reviewView(value, schema, KNOWN)).toEqual(view)
      expect(value).toEqual(before)
    }),
    RUNS,
  )
})

test('nobody who has the view of an input can change it for the others [T14]', () => {
  const isFixed = (value: unknown): boolean =>
    typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFixed))
  fc.assert(
    fc.property(cases, ({ schema, value }) => {
      expect(isFixed(reviewView(value, schema, KNOWN))).toBe(true)
    }),
    RUNS,
  )
})

test('an edit that changes nothing of what a person sees gives back the input [T14]', () => {
  fc.assert(
    fc.property(cases, ({ schema, value }) => {
      const shown = reviewView(value, schema, KNOWN)
      expect(unmask(structuredClone(shown), { original: value, shown })).toEqual(value)
    }),
    RUNS,
  )
})

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.entries(value).flatMap((entry) => entry.flatMap(stringsIn)) : []
}

test('a log shows no secret that is known, in whatever form [T13]', () => {
  const secrets = fc.string({ minLength: 4, maxLength: 24 }).map((each) => `§${each}§`)
  fc.assert(
    fc.property(cases, secrets, fc.string({ maxLength: 9 }), ({ schema, value }, secret, around) => {
      const forms = [...writtenForms(secret), Buffer.from(around + secret + around).toString('base64'), JSON.stringify({ note: secret })]
      const known = new KnownSecrets([secret, KEY, ...secretsIn(value, schema)])
      const shown = stringsIn(
        logView({ value, told: forms.map((each) => `${around} ${each}${around}`) }, { properties: { value: schema } }, known),
      )
      for (const each of [KEY, secret, ...writtenForms(secret)]) expect(shown.filter((one) => one.includes(each))).toEqual([])
    }),
    RUNS,
  )
})

test('a text is searched once, however many secrets there are [T13]', () => {
  const many = new KnownSecrets(Array.from({ length: 5000 }, (_, n) => `sk_live_${'a'.repeat(60)}${n}`))
  const start = performance.now()
  many.spansIn(`sk_live_${'a'.repeat(60)}`.repeat(1000))
  many.spansIn('a'.repeat(64_000))
  expect(performance.now() - start).toBeLessThan(5000)
})

/** Options that the type, the value, a condition or a check decides about, each with secrets of its own. */
const options = fc.constantFrom<JsonSchema>(
  { type: 'string', sensitive: true },
  { type: 'string', minLength: 3 },
  { type: 'string', pattern: '^a', sensitive: true },
  { enum: ['b', 2, null], sensitive: true },
  { const: 'ab', sensitive: true },
  { const: 'a' },
  { enum: ['abc', 1] },
  { type: 'number' },
  { type: 'number', minimum: 2, sensitive: true },
  { type: 'integer', sensitive: true },
  { type: 'array', items: { $ref: '#/$defs/it' } },
  { type: 'array', maxItems: 1, sensitive: true },
  { type: 'array', contains: { const: 2 }, items: { sensitive: true } },
  { type: 'array', prefixItems: [{ sensitive: true }], items: { $ref: '#/$defs/it' } },
  { type: 'object', properties: { pin: {}, next: { $ref: '#/$defs/it' } } },
  { not: { type: 'number' }, sensitive: true },
  { type: 'null', nullable: true },
  { if: { const: 'a' }, then: { sensitive: true }, else: { type: ['string', 'number', 'array'] } },
)
const { value: nested } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    { weight: 4, arbitrary: fc.constantFrom('a', 'ab', 'abc', 'b', 1, 2, 2.5, null, true) },
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('pin', 'next', 'x'), tie('value'), { maxKeys: 2 }),
  ),
}))

test('an item is shown in a list as it is shown alone [T14]', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(options, { minLength: 2, maxLength: 5 }),
      fc.constantFrom('anyOf', 'oneOf'),
      fc.array(nested, { minLength: 8, maxLength: 16 }),
      (all, union, items) => {
        const $defs = { it: { [union]: all } }
        const list = { $defs, type: 'array', items: { $ref: '#/$defs/it' } }
        const alone = items.map((item) => reviewView(item, { $defs, $ref: '#/$defs/it' }, KNOWN))
        expect(reviewView(items, list, KNOWN)).toEqual(alone)
      },
    ),
    { numRuns: 300 },
  )
})
