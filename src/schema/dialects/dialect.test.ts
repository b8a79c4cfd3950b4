import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Refused } from './codec.ts'
import { dialect } from './dialect.ts'
import { dialectText } from './dialect-text.ts'

const text = { type: 'string' }

describe('dialect', () => {
  it('makes optional properties nullable for OpenAI and removes only the null that it added', () => {
    const { schema, decode, encode } = dialect(
      { type: 'object', properties: { a: text, b: { type: ['string', 'null'] } }, required: ['b'] },
      'openai-strict',
    )
    expect(schema).toMatchObject({ required: ['a', 'b'], additionalProperties: false })
    expect(decode({ a: null, b: null })).toEqual({ b: null })
    expect(encode({ b: null })).toEqual({ a: null, b: null })
  })

  it('tells absent from null by a list of at most one', () => {
    const { decode, encode } = dialect({ type: 'object', properties: { a: { type: ['string', 'null'] } } }, 'openai-strict')
    expect([decode({ a: [] }), decode({ a: [null] }), decode({ a: ['x'] })]).toEqual([{}, { a: null }, { a: 'x' }])
    expect([encode({}), encode({ a: null })]).toEqual([{ a: [] }, { a: [null] }])
    expect(() => decode({ a: ['x', 'y'] })).toThrow(Refused)
  })

  it('refuses a key of a map that is given twice, at its place', () => {
    const { decode } = dialect(
      { type: 'object', properties: { m: { type: 'object', additionalProperties: text } }, required: ['m'] },
      'gemini',
    )
    const entries = [
      { key: 'k', value: '1' },
      { key: 'k', value: '2' },
    ]
    let refused: unknown
    try {
      decode({ m: entries })
    } catch (error) {
      refused = error
    }
    expect(refused).toMatchObject({ name: 'Refused', path: ['m', 1, 'key'], message: 'repeats the key of another entry' })
  })

  it('refuses an entry that repeats a declared property, even an absent one', () => {
    const { decode } = dialect({ type: 'object', properties: { a: text }, additionalProperties: text }, 'anthropic-strict')
    expect(() => decode({ additional_properties: [{ key: 'a', value: 'x' }] })).toThrow(/names a property of its own/)
  })

  it('reads no object of another kind as a tuple that leaves out what is in it', () => {
    const tuple = { type: 'array', prefixItems: [text], items: text }
    const map = { type: 'object', additionalProperties: text }
    for (const target of ['openai-strict', 'anthropic-strict', 'gemini'] as const) {
      const either = dialect({ type: 'object', properties: { t: { anyOf: [tuple, map] } }, required: ['t'] }, target)
      expect(either.decode({ t: { name: 'x' } }), target).toEqual({ t: { name: 'x' } })
      const { decode } = dialect({ type: 'object', properties: { t: tuple }, required: ['t'] }, target)
      expect(() => decode({ t: { name: 'x' } }), target).toThrow('is no place of this list, which has item_1, rest')
      expect(() => decode({ t: {} }), target).toThrow(/^must have (item_1, )?rest$/)
      expect(() => decode({ t: { item_1: 'a', rest: 'b' } }), target).toThrow('must be a list')
    }
  })

  it('refuses further properties that are no list of entries', () => {
    const open = { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: text }
    const { decode } = dialect({ type: 'object', properties: { o: open }, required: ['o'] }, 'openai-strict')
    expect(() => decode({ o: { a: 'x', additional_properties: { b: 'y' } } })).toThrow('must be a list of entries: { key, value }')
  })

  it('offers of listed values only those that the other rules take', () => {
    const offered = (w: object): unknown =>
      (dialect({ type: 'object', properties: { w }, required: ['w'] }, 'openai-strict').schema as { properties: { w: unknown } }).properties
        .w
    expect(offered({ allOf: [{ pattern: '^a' }, { enum: ['ab', 'ba', 'ac'] }] })).toEqual({ type: 'string', enum: ['ab', 'ac'] })
    expect(offered({ type: 'integer', enum: [1, 2, 3], minimum: 2 })).toEqual({ type: 'integer', enum: [2, 3] })
    expect(offered({ type: 'string', enum: [1, 2] })).toMatchObject({ type: 'string', description: expect.stringContaining('{"not":{}}') })
  })

  it('refuses a gap in a tuple', () => {
    const tuple = { type: 'array', prefixItems: [text, text], items: false }
    const { decode } = dialect({ type: 'object', properties: { t: tuple }, required: ['t'] }, 'openai-strict')
    expect(decode({ t: { item_1: 'a', item_2: null } })).toEqual({ t: ['a'] })
    expect(() => decode({ t: { item_1: null, item_2: 'b' } })).toThrow(/before it is not/)
  })

  it('reads values that already have the shape of the original', () => {
    const schema = {
      type: 'object',
      properties: { m: { type: 'object', additionalProperties: { type: 'number' } }, t: { type: 'array', prefixItems: [text] } },
    }
    const given = { m: { a: 1 }, t: ['x'], unknown: true }
    for (const target of ['openai-strict', 'anthropic-strict', 'gemini'] as const)
      expect(dialect(schema, target).decode(given)).toEqual(given)
  })

  it('never makes a prototype of a property', () => {
    const { decode, lost } = dialect(
      { type: 'object', properties: { m: { type: 'object', additionalProperties: true } }, required: ['m'] },
      'openai-strict',
    )
    expect(decode({ m: '{"__proto__":{"polluted":true},"a":1}' })).toEqual({ m: { a: 1 } })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(lost).toHaveLength(1)
  })

  it('names places of the original as the model knows them', () => {
    const item = { type: 'object', properties: { 'full name': text }, required: ['full name'] }
    const schema = { type: 'object', properties: { people: { type: 'object', additionalProperties: item } }, required: ['people'] }
    const { toDialect, value } = dialect(schema, 'openai-strict').read({ people: [{ key: 'ada', value: { full_name: 7 } }] })
    expect(value).toEqual({ people: { ada: { 'full name': 7 } } })
    expect(toDialect(['people', 'ada', 'full name'])).toEqual(['people', 0, 'value', 'full_name'])
    expect(toDialect(['people'])).toEqual(['people'])
  })

  it('keeps to other limits where they are given', () => {
    const deep = { type: 'object', properties: { a: { type: 'object', properties: { b: text }, required: ['b'] } }, required: ['a'] }
    const { schema, lost } = dialect(deep, 'openai-strict', { limits: { depth: 1 } })
    expect(schema).toMatchObject({ properties: { a: { type: 'string' } } })
    expect(lost).toMatchObject([{ path: 'a' }])
  })

  it('spells tuples for readers of both drafts', () => {
    const pair = { type: 'array', prefixItems: [text, { type: 'number' }], items: false, minItems: 2 }
    expect(dialect({ type: 'object', properties: { pair } }, 'mcp').schema).toMatchObject({
      properties: { pair: { prefixItems: pair.prefixItems, items: { anyOf: pair.prefixItems }, minItems: 2, maxItems: 2 } },
    })
  })

  const secure = z.toJSONSchema(z.url().startsWith('https://'))
  const own = { type: 'string', format: 'email', pattern: '^a.*$' }
  it.each([
    ['openai-strict', own, { type: 'string', format: 'email', description: 'Must be: matching the pattern ^a.*$.' }, ['pattern']],
    ['anthropic-strict', own, { type: 'string', format: 'email', description: 'Must be: matching the pattern ^a.*$.' }, ['pattern']],
    ['gemini', own, { type: 'string', pattern: '^a.*$', description: 'Must be: in the format email.' }, ['format']],
    ['openai-strict', secure, { type: 'string', pattern: String.raw`^https:\/\/.*` }, []],
    ['anthropic-strict', secure, { type: 'string', description: String.raw`Must be: matching the pattern ^https:\/\/.*.` }, ['pattern']],
    [
      'anthropic-strict',
      { type: 'string', format: 'made-up', pattern: '^m' },
      { type: 'string', description: 'Must be: in the format made-up; matching the pattern ^m.' },
      ['format', 'pattern'],
    ],
  ] as const)('keeps or tells a pattern beside a format: %s, %j', (target, a, expected, keywords) => {
    const { schema, moved } = dialect({ type: 'object', properties: { a }, required: ['a'] }, target)
    expect(schema?.['properties']).toEqual({ a: expected })
    expect(moved.map(({ keyword }) => keyword)).toEqual(keywords)
  })

  it.each([
    [z.email(), 'email'],
    [z.uuid(), 'uuid'],
    [z.iso.date(), 'date'],
    [z.iso.datetime(), 'date-time'],
    [z.iso.datetime({ offset: true }), 'date-time'],
    [z.iso.duration(), 'duration'],
    [z.ipv4(), 'ipv4'],
    [z.ipv6(), 'ipv6'],
    [z.hostname(), 'hostname'],
  ])('does not repeat a pattern that only writes its format out (%#)', (a, format) => {
    const { schema } = dialect({ type: 'object', properties: { a: z.toJSONSchema(a) }, required: ['a'] }, 'anthropic-strict')
    expect(schema?.['properties']).toEqual({ a: { type: 'string', format } })
  })

  it.each(['^.{3,}$', String.raw`^\S{3,}$`, '@example.org$', '^[a-z@.]+$', '^.{0,40}$', '['])(
    'tells a pattern that says another thing than its format: %s',
    (pattern) => {
      const a = { type: 'string', format: 'email', pattern }
      const { schema } = dialect({ type: 'object', properties: { a }, required: ['a'] }, 'anthropic-strict')
      expect(schema?.['properties']).toMatchObject({ a: { description: `Must be: matching the pattern ${pattern}.` } })
    },
  )

  it('tells both patterns of two checks, and no name of a check', () => {
    const a = z.toJSONSchema(z.string().regex(/^a/).endsWith('z'))
    const { schema } = dialect({ type: 'object', properties: { a }, required: ['a'] }, 'anthropic-strict')
    expect(JSON.stringify(schema)).not.toContain('ends_with')
    expect(JSON.stringify(schema)).toContain('^a')
    expect(JSON.stringify(schema)).toContain('.*z$')
  })

  it('prints what it could not express', () => {
    const made = dialect({ type: 'object', properties: { a: { type: 'string', minLength: 3 }, b: {} }, required: ['a'] }, 'openai-strict')
    expect(dialectText(made).split('\n')).toEqual([
      'lost      b: any value: sent as JSON text',
      'narrowed  the whole: undeclared properties are not offered',
      'moved     a: minLength 3',
    ])
  })

  it('names the targets that there are', () => {
    expect(() => dialect({}, 'cohere' as never)).toThrow(/openai-strict, anthropic-strict, gemini, mcp/)
  })
})
