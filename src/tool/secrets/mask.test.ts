import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { KnownSecrets } from './known-secrets.ts'
import { MASK, mask, maskText, secretsIn } from './mask.ts'
import { unmask } from './unmask.ts'

const text = { type: 'string' }
const hidden = { type: 'string', sensitive: true }

describe('by what the schema says', () => {
  const cases: readonly (readonly [string, JsonSchema, unknown, unknown])[] = [
    ['sensitive', { properties: { note: hidden } }, { note: 'x' }, { note: MASK }],
    ['writeOnly', { properties: { note: { writeOnly: true } } }, { note: 'x' }, { note: MASK }],
    ['format password', { properties: { note: { format: 'password' } } }, { note: 'x' }, { note: MASK }],
    ['the root', hidden, 'x', MASK],
    ['the items of a list', { properties: { notes: { items: hidden } } }, { notes: ['x', 'y'] }, { notes: [MASK, MASK] }],
    ['a place in a tuple', { prefixItems: [text, hidden], items: text }, ['a', 'b', 'c'], ['a', MASK, 'c']],
    ['the values of a record', { additionalProperties: hidden }, { a: 'x' }, { a: MASK }],
    [
      'an option of a union',
      { properties: { a: { anyOf: [{ properties: { b: hidden } }, { type: 'null' }] } } },
      { a: { b: 'x' } },
      { a: { b: MASK } },
    ],
    [
      'a part of an intersection',
      { allOf: [{ properties: { a: hidden } }, { properties: { b: text } }] },
      { a: 'x', b: 'y' },
      { a: MASK, b: 'y' },
    ],
    ['a definition', { properties: { a: { $ref: '#/$defs/s' } }, $defs: { s: hidden } }, { a: 'x' }, { a: MASK }],
    [
      'every turn of a recursion',
      { properties: { note: hidden, next: { $ref: '#' } } },
      { note: 'x', next: { note: 'y' } },
      { note: MASK, next: { note: MASK } },
    ],
    ['an object as a whole', { properties: { a: { type: 'object', sensitive: true } } }, { a: { b: 1 } }, { a: MASK }],
    ['a number', { properties: { a: { type: 'number', sensitive: true } } }, { a: 5 }, { a: MASK }],
  ]
  test.each(cases)('%s is masked', (_what, schema, value, view) => {
    expect(mask(value, schema)).toEqual(view)
  })

  test('a name that only looks like a secret can be cleared', () => {
    expect(mask({ token: 'x' }, { properties: { token: { type: 'string', sensitive: false } } })).toEqual({ token: 'x' })
  })

  test('what one option of a union calls a secret is one', () => {
    const schema = { anyOf: [{ properties: { token: { sensitive: false } } }, { properties: { token: { sensitive: true } } }] }
    expect(mask({ token: 'x' }, schema)).toEqual({ token: MASK })
  })
})

describe('by name', () => {
  test('secrets are masked at every level, whole lists and objects too', () => {
    const value = {
      user: 'ada',
      login: { password: 'opensesame' },
      list: [{ api_key: 'k' }],
      credentials: { id: 1 },
      tokens: 5,
      passwords: ['a'],
    }
    expect(mask(value)).toEqual({
      user: 'ada',
      login: { password: MASK },
      list: [{ api_key: MASK }],
      credentials: MASK,
      tokens: 5,
      passwords: MASK,
    })
  })

  test('true, false, null and undefined are shown', () => {
    const value = { password: true, token: false, secret: null, apiKey: undefined }
    expect(mask(value)).toEqual(value)
  })

  test('maps, sets and instances of classes hide theirs', () => {
    class Login {
      user = 'ada'
      password = 'opensesame'
    }
    expect(
      mask(
        new Map<string, unknown>([
          ['password', 'x'],
          ['user', 'ada'],
        ]),
      ),
    ).toEqual(
      new Map([
        ['password', MASK],
        ['user', 'ada'],
      ]),
    )
    expect(mask(new Set([{ token: 'x' }]))).toEqual(new Set([{ token: MASK }]))
    expect(mask({ login: new Login() })).toEqual({ login: { user: 'ada', password: MASK } })
    const at = new Date(0)
    expect(mask({ at })).toEqual({ at })
  })
})

describe('in texts', () => {
  test('what is a secret in one field is one in all of them', () => {
    expect(mask({ password: 'opensesame', note: 'Say opensesame twice.', list: ['opensesame'] })).toEqual({
      password: MASK,
      note: `Say ${MASK} twice.`,
      list: [MASK],
    })
  })

  test('a short one is hidden in its own field only', () => {
    expect(mask({ pin: '123', note: '123 steps' })).toEqual({ pin: MASK, note: '123 steps' })
  })

  test('known secrets are hidden, the longest first', () => {
    expect(maskText('abcdef abc', new KnownSecrets(['abc', 'abcdef']))).toBe(`${MASK} ${MASK}`)
    expect(maskText('abcdef abc', new KnownSecrets(['abcdef', 'abc']))).toBe(`${MASK} ${MASK}`)
  })

  test('a secret is found as JSON and as an address write it', () => {
    const secrets = new KnownSecrets(['a"b\n&c'])
    expect(maskText(JSON.stringify({ note: 'a"b\n&c' }), secrets)).toBe(`{"note":"${MASK}"}`)
    expect(maskText(`https://example.com/?k=${encodeURIComponent('a"b\n&c')}`, secrets)).toBe(`https://example.com/?k=${MASK}`)
  })

  test('an empty secret hides nothing', () => {
    expect(maskText('abc', new KnownSecrets(['']))).toBe('abc')
  })

  test.each([
    ['{"password":"x","a":1}', `{"password":"${MASK}","a":1}`],
    ['{ "api_key" : "a\\"b" }', `{ "api_key" : "${MASK}" }`],
    ['{"password": "cut of', `{"password": "${MASK}`],
    ['{"token":12345,"a":1}', `{"token":${MASK},"a":1}`],
    ['{"credentials":{"a":"}","b":["x"]},"c":1}', `{"credentials":${MASK},"c":1}`],
    ['{"passwords":["a","b"', `{"passwords":${MASK}`],
    ['{"password":true,"secret":null,"token":""}', '{"password":true,"secret":null,"token":""}'],
    ['{"text":"{\\"password\\":\\"x\\",\\"a\\":1}"}', `{"text":"{\\"password\\":\\"${MASK}\\",\\"a\\":1}"}`],
    ['{"tokens":5,"note":"password"}', '{"tokens":5,"note":"password"}'],
    ['say "password": please', 'say "password": please'],
  ])('JSON is masked by the names of its fields, whole or broken: %s', (given, masked) => {
    expect(maskText(given, new KnownSecrets())).toBe(masked)
  })
})

describe('values without an end', () => {
  test('a value that refers to itself is shown once', () => {
    const value: Record<string, unknown> = { password: 'opensesame' }
    value['left'] = value
    value['right'] = [value]
    expect(mask(value)).toEqual({ password: MASK, left: MASK, right: [MASK] })
    expect(secretsIn(value)).toEqual(['opensesame'])
  })

  test('what is nested too deeply is not shown', () => {
    const value = JSON.parse(`${'{"a":'.repeat(50_000)}{"password":"opensesame"}${'}'.repeat(50_000)}`) as unknown
    expect(JSON.stringify(mask(value))).not.toContain('opensesame')
    expect(JSON.stringify(mask(value))).toContain(MASK)
  })

  test('an object that is held a billion times is not shown a billion times', () => {
    let value: unknown = { password: 'opensesame' }
    for (let level = 0; level < 30; level++) value = { left: value, right: value }
    const start = performance.now()
    mask(value)
    expect(performance.now() - start).toBeLessThan(15_000)
  })

  test('an object that throws when it is read is not shown', () => {
    const value = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => {
        throw new Error('No.')
      },
    })
    expect(mask({ value, b: 1 })).toEqual({ value: MASK, b: 1 })
  })

  test('megabytes of bytes cost nothing', () => {
    const bytes = new Uint8Array(4_000_000)
    const start = performance.now()
    expect((mask({ bytes }) as { bytes: unknown }).bytes).toBe(bytes)
    expect(performance.now() - start).toBeLessThan(1000)
  })
})

describe('an edit of a view', () => {
  const original = {
    user: 'ada',
    password: 'opensesame',
    list: [
      { id: 1, token: 'one' },
      { id: 2, token: 'two' },
    ],
    note: 'it is opensesame',
    at: new Date(5),
  }
  const restored = (edited: unknown, truth: unknown): unknown => unmask(edited, { original: truth, shown: mask(truth) })

  test('keeps the true values where the mask was left', () => {
    expect(restored({ ...(mask(original) as object), user: 'eve' }, original)).toEqual({ ...original, user: 'eve' })
  })

  test('takes what was written over the mask', () => {
    expect(restored({ ...(mask(original) as object), password: 'new' }, original)).toMatchObject({ password: 'new' })
  })

  test('gives an item its own secret, also when another was taken out or they were moved', () => {
    expect(restored({ list: [{ id: 2, token: MASK }] }, original)).toEqual({ list: [{ id: 2, token: 'two' }] })
    expect(
      restored(
        {
          list: [
            { id: 2, token: MASK },
            { id: 1, token: MASK },
          ],
        },
        original,
      ),
    ).toEqual({
      list: [
        { id: 2, token: 'two' },
        { id: 1, token: 'one' },
      ],
    })
    expect(
      restored(
        {
          list: [
            { id: 3, token: 'three' },
            { token: MASK, id: 1 },
            { id: 2, token: MASK },
          ],
        },
        original,
      ),
    ).toEqual({
      list: [
        { id: 3, token: 'three' },
        { id: 1, token: 'one' },
        { id: 2, token: 'two' },
      ],
    })
  })

  test('gives an item that was changed in its place the secret of that place', () => {
    expect(
      restored(
        {
          list: [
            { id: 9, token: MASK },
            { id: 2, token: MASK },
          ],
        },
        original,
      ),
    ).toEqual({
      list: [
        { id: 9, token: 'one' },
        { id: 2, token: 'two' },
      ],
    })
  })

  test('never gives an item the secret of another: a mask that fits nothing is taken out', () => {
    expect(restored({ list: [{ id: 9, token: MASK }] }, original)).toEqual({ list: [{ id: 9, token: undefined }] })
    expect(restored({ other: MASK }, original)).toEqual({ other: undefined })
  })

  test('restores a text in which a secret was hidden, unless the text was changed', () => {
    expect(unmask(`it is ${MASK}`, { original: 'it is opensesame', shown: `it is ${MASK}(10)` })).toBe('it is opensesame')
    expect(unmask(`it was ${MASK}`, { original: 'it is opensesame', shown: `it is ${MASK}(10)` })).toBe(`it was ${MASK}`)
    expect(unmask(`it is ${MASK}`, { original: 'it is ', shown: 'it is ' })).toBe(`it is ${MASK}`)
  })

  test('keeps fields apart whose names were hidden', () => {
    const value = { password: 'opensesame', token: 'abracadabra', uses: { opensesame: 1, abracadabra: 2 } }
    expect(Object.values((mask(value) as { uses: object }).uses)).toEqual([1, 2])
    expect(restored(mask(value), value)).toEqual(value)
  })

  test('leaves a date or another instance that was put in as it is', () => {
    expect(restored({ at: new Date(7) }, original)).toEqual({ at: new Date(7) })
  })

  test('does not touch the original', () => {
    const before = structuredClone(original)
    restored(mask(original), original)
    expect(original).toEqual(before)
  })
})
