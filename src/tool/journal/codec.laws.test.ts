import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ToolError } from '../errors/tool-error.ts'
import { decode, encode, type JsonData } from './codec.ts'
import { hashOf } from './hash.ts'

const keys = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.constantFrom('$toolwright', '__proto__', 'constructor', 'of', 'toString', '\uD800', '\0', ''),
)

/** Any sixteen bits: half characters among them. */
const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 6 }).map((codes) => String.fromCharCode(...codes))

/** Everything that a journal keeps. */
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'value' },
    fc.oneof(
      fc.constantFrom<unknown>(undefined, null, true, false, Number.NaN, Infinity, -Infinity, -0, 0),
      fc.double(),
      fc.bigInt(),
      units,
    ),
    fc.date({ noInvalidDate: false }),
    fc.uint8Array({ maxLength: 8 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(keys, tie('value')), { maxLength: 4 }).map((fields) => Object.fromEntries(fields)),
    fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 3 }).map((entries) => new Map(entries)),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => new Set(items)),
    fc.constantFrom<unknown>({ $toolwright: 'date', of: 'now' }, { $toolwright: 'object', of: { $toolwright: 1 } }, [
      { $toolwright: null },
    ]),
  ),
})).value

const RUNS = { numRuns: 3000, seed: 11 }
const throughText = (data: JsonData): JsonData => JSON.parse(JSON.stringify(data)) as JsonData

describe('what is written', () => {
  test('is read back the same, also after it has been text', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(same(decode(throughText(encode(value))), value)).toBe(true)
      }),
      RUNS,
    )
  })

  test('is JSON: nothing of it is lost in the text', () => {
    fc.assert(
      fc.property(values, (value) => {
        const data = encode(value)
        expect(same(throughText(data), data)).toBe(true)
      }),
      RUNS,
    )
  })

  test('does not touch the value, and shares nothing with it', () => {
    const value = { list: [{ a: 1 }] }
    const data = encode(value) as { list: { a: number }[] }
    expect(data).toEqual(value)
    expect(data.list).not.toBe(value.list)
    expect(data.list[0]).not.toBe(value.list[0])
  })

  test('keeps a field named __proto__ as a field, and sets no prototype', () => {
    const value = JSON.parse('{"__proto__":{"polluted":true},"a":1}') as object
    const back = decode(throughText(encode(value))) as object
    expect(Object.keys(back)).toEqual(['__proto__', 'a'])
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype)
    expect({}).not.toHaveProperty('polluted')
  })

  test('keeps keys apart that the engine mixes up once it has met a backslash as a key', () => {
    for (const key of ['\\', '\n', '"', '\0', '\uD800', '\\']) {
      expect(decode(throughText(encode({ a: 1, [key]: 2 })))).toEqual({ a: 1, [key]: 2 })
    }
  })

  test('may hold the same object twice, if not inside itself', () => {
    const shared = { a: 1 }
    expect(decode(encode({ left: shared, right: [shared] }))).toEqual({ left: { a: 1 }, right: [{ a: 1 }] })
  })

  test('of a Buffer is read back as bytes', () => {
    expect(decode(encode(Buffer.from('é')))).toEqual(new Uint8Array([0xc3, 0xa9]))
  })
})

describe('what cannot be kept is refused, with the place where it stands', () => {
  class Order {
    id = 1
  }
  class Orders extends Array<number> {}
  class Moment extends Date {}
  const cyclic: Record<string, unknown> = { a: {} }
  ;(cyclic['a'] as Record<string, unknown>)['back'] = cyclic
  const list: unknown[] = []
  list.push([list])
  const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()

  test.each<readonly [what: string, value: unknown, place: string]>([
    ['a function', { run: () => 1 }, 'a function at $.run'],
    ['a symbol', [1, Symbol('x')], 'a symbol at $[1]'],
    ['a field named by a symbol', { a: { [Symbol('x')]: 1 } }, 'a field named by a symbol (Symbol(x)) at $.a'],
    ['a reference to itself', cyclic, 'a reference to itself at $.a.back'],
    ['a list inside itself', list, 'a reference to itself at $[0][0]'],
    ['an instance of a class', { order: new Order() }, 'an instance of Order at $.order'],
    ['an error', { error: new TypeError('x') }, 'an instance of TypeError at $.error'],
    ['an address', [new URL('https://example.com')], 'an instance of URL at $[0]'],
    ['a pattern', /x/, 'an instance of RegExp at $'],
    ['a promise', { later: Promise.resolve() }, 'an instance of Promise at $.later'],
    ['other bytes', new Float64Array(1), 'an instance of Float64Array at $'],
    ['a list of a class of its own', { orders: new Orders() }, 'an instance of Orders at $.orders'],
    ['a date of a class of its own', new Moment(0), 'an instance of Moment at $'],
    ['something in a map', { map: new Map([['a', () => 1]]) }, 'a function at $.map.values[0]'],
    ['something in a key of a map', new Map([[new Order(), 1]]), 'an instance of Order at $.keys[0]'],
    ['something in a set', new Set([1, Symbol('x')]), 'a symbol at $.values[1]'],
    [
      'an accessor',
      {
        get now() {
          return 1
        },
      },
      'an accessor at $.now',
    ],
    [
      'an accessor that throws',
      {
        a: Object.defineProperty({}, 'b', {
          enumerable: true,
          get: () => {
            throw new Error('x')
          },
        }),
      },
      'an accessor at $.a.b',
    ],
    [
      'a proxy that throws',
      {
        a: new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error('x')
            },
          },
        ),
      },
      'an object that cannot be read at $.a',
    ],
    ['a proxy that was revoked', { a: revoked.proxy }, 'an object that cannot be read at $.a'],
    ['something with an odd prototype', { a: Object.create(Object.create(null) as object) as unknown }, 'an instance of a class at $.a'],
    ['something nested too deeply', nested(1001), 'more than 1000 levels of nesting at $'],
    ['something nested very deeply', nested(200_000), 'more than 1000 levels of nesting at $'],
  ])('%s', (_what, value, place) => {
    let thrown: unknown
    try {
      encode(value)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(ToolError)
    expect(thrown).toMatchObject({ code: 'not_serializable', class: 'semantic' })
    expect((thrown as ToolError).message).toContain(`A durable run cannot keep ${place}`)
  })

  test('a thousand levels are kept', () => {
    expect(encode(nested(1000))).toEqual(nested(1000))
  })

  test('a record of another version is refused, not read as nothing', () => {
    expect(() => decode({ $toolwright: 'temporal', of: 'x' })).toThrow(
      expect.objectContaining({ code: 'journal_failed', retryable: false }),
    )
  })
})

describe('a hash', () => {
  test('is the same whatever the order of keys', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, values), { maxLength: 5 }), values, (fields, more) => {
        const forward = Object.fromEntries(fields)
        const backward = Object.fromEntries(Object.entries(forward).toReversed())
        expect(hashOf({ more, forward })).toBe(hashOf({ forward: backward, more }))
      }),
      RUNS,
    )
  })

  test('is the same for a value that has been recorded', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(hashOf(decode(throughText(encode(value))))).toBe(hashOf(value))
      }),
      RUNS,
    )
  })

  test('differs where values differ', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(hashOf(a) === hashOf(b)).toBe(same(a, b))
      }),
      RUNS,
    )
  })

  test('tells values apart that read alike', () => {
    const alike = [
      ...[
        1,
        '1',
        1n,
        true,
        'true',
        null,
        'null',
        undefined,
        'undefined',
        0,
        -0,
        '0',
        Number.NaN,
        'NaN',
        Infinity,
        '',
        [],
        {},
        [[]],
        [null],
        [undefined],
      ],
      ...[
        { a: undefined },
        { a: null },
        { a: 1, b: 2 },
        { 'a:1,b': 2 },
        ['a', 'b'],
        ['a,b'],
        ['a', ['b']],
        new Date(0),
        new Date(0).toISOString(),
      ],
      ...[
        new Map(),
        new Set(),
        new Uint8Array(),
        new Map([['a', 1]]),
        new Set(['a']),
        { $toolwright: 'date', of: new Date(0).toISOString() },
      ],
      ...[{ $toolwright: 'undefined', of: null }, '\uD800', '\uFFFD', new Uint8Array([1]), [1]],
    ]
    expect(new Set(alike.map(hashOf)).size).toBe(alike.length)
  })

  test('is short, and fit for a file name', () => {
    expect(hashOf({ a: 'x'.repeat(100_000) })).toMatch(/^[\w-]{43}$/)
  })
})

/** Equal to the bit: NaN is NaN, -0 is not 0, a missing field is not an undefined one; only the order of keys is free. */
function same(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b)
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false
  if (a instanceof Date) return Object.is(a.getTime(), (b as Date).getTime())
  if (a instanceof Map) return same([...a], [...(b as Map<unknown, unknown>)])
  if (a instanceof Set) return same([...a], [...(b as Set<unknown>)])
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every((name) => Object.hasOwn(b, name) && same((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]))
}
