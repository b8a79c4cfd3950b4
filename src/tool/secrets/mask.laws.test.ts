import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { KnownSecrets } from './known-secrets.ts'
import { MASK, mask, maskText, secretsIn } from './mask.ts'
import { unmask } from './unmask.ts'

const NAMES = ['password', 'apiKey', 'access_token', 'clientSecret', 'Authorization', 'set-cookie', 'cardNumber']
const PLAIN = ['user', 'note', 'tokens', 'items', 'count', '__proto__', 'constructor']

/** Secrets with quotes, blanks and other letters; none that would be found in the rest by chance. */
const secrets = fc
  .string({ unit: fc.constantFrom('"', '\\', ' ', 'é', '\n', '&', '%', '•', 'q', 'Z', '7'), minLength: 2, maxLength: 8 })
  .map((text) => `§${text}§${text.length}`)

/** Values with secrets in them, by name and repeated in texts. */
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'value' },
    fc.constantFrom<unknown>(1, true, false, null, 'plain', '', undefined),
    fc.string({ maxLength: 5 }),
    secrets.map((secret) => `the word is ${secret}!`),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...PLAIN), tie('value'), { maxKeys: 3 }),
    fc
      .tuple(fc.constantFrom(...NAMES), secrets, tie('value'))
      .map(([name, secret, more]) => ({ [name]: secret, note: `say ${secret}`, more, [`k${secret}`]: 1 })),
    fc
      .tuple(fc.constantFrom(...NAMES), secrets)
      .map(([name, secret]) => ({ [name]: [{ deep: secret }], text: JSON.stringify({ [name]: secret, a: 1 }) })),
    fc.constant({ pin: 4711, at: new Date(0) }),
  ),
})).value

const MARKED: JsonSchema = {
  properties: { note: { sensitive: true }, items: { items: { writeOnly: true } }, user: { format: 'password' } },
  additionalProperties: { $ref: '#' },
}

const schemas = fc.constantFrom<JsonSchema>({}, MARKED, { anyOf: [MARKED, { type: 'null' }] })
const RUNS = { numRuns: 1500, seed: 7 }

/** Every string in a value, keys included. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => [key, ...stringsIn(each)])
}

test('a view never holds a secret, in whatever string [T14]', () => {
  let hidden = 0
  fc.assert(
    fc.property(values, schemas, (value, schema) => {
      const strings = stringsIn(mask(value, schema))
      for (const secret of secretsIn(value, schema)) {
        hidden++
        expect(strings.filter((each) => each.includes(secret))).toEqual([])
      }
    }),
    RUNS,
  )
  expect(hidden).toBeGreaterThan(1000)
})

test('a view is a view: the value itself stays as it is [T14]', () => {
  fc.assert(
    fc.property(values, schemas, (value, schema) => {
      const before = structuredClone(value)
      mask(value, schema)
      expect(value).toEqual(before)
    }),
    RUNS,
  )
})

test('an edit that changes nothing gives back the value [T14]', () => {
  fc.assert(
    fc.property(values, schemas, (value, schema) => {
      expect(unmask(mask(value, schema), { original: value, shown: mask(value, schema) })).toEqual(value)
    }),
    RUNS,
  )
})

/** Without escapes: V8 may read a key that is written with one as another (nodejs/node#63785). */
const escapeless = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('\\'))

test('so it does after the view has travelled as JSON, for values that can [T14]', () => {
  fc.assert(
    fc.property(escapeless, fc.constantFrom(...NAMES), secrets, (more, name, secret) => {
      const value = JSON.parse(JSON.stringify({ [name]: secret, more, list: [{ [name]: secret, more }] })) as unknown
      const view = JSON.parse(JSON.stringify(mask(value))) as unknown
      expect(unmask(view, { original: value, shown: view })).toEqual(value)
    }),
    RUNS,
  )
})

test('masking what is masked changes nothing [T14]', () => {
  fc.assert(
    fc.property(values, schemas, (value, schema) => {
      const view = mask(value, schema)
      expect(mask(view, schema)).toEqual(view)
    }),
    RUNS,
  )
})

test('a masked text holds none of the spoken secrets, in any order of theirs [T13]', () => {
  fc.assert(
    fc.property(fc.array(secrets, { minLength: 1, maxLength: 4 }), fc.string(), (spoken, between) => {
      const overlapping = [...spoken, ...spoken.map((secret) => secret + spoken[0])]
      const text = overlapping.join(between)
      const masked = maskText(text, new KnownSecrets(overlapping))
      expect(masked).toBe(maskText(text, new KnownSecrets(overlapping.toReversed())))
      for (const secret of overlapping) expect(masked).not.toContain(secret)
      expect(masked).toContain(MASK)
    }),
    RUNS,
  )
})

test('a text of any kind is masked without a throw and in no time [T13]', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', '\\', ':', '{', '}', '[', ']', 'password', ' ', '1', 'x') }), (text) => {
      expect(typeof maskText(text, new KnownSecrets())).toBe('string')
    }),
    RUNS,
  )
  const start = performance.now()
  for (const part of ['"', '\\"', '"password":', '{"password":{', '"password":"', '"a" ', '\\'])
    maskText(part.repeat(20_000), new KnownSecrets(['secret']))
  expect(performance.now() - start).toBeLessThan(5000)
})
