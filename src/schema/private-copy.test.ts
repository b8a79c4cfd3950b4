import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { MAX_DEPTH, privateCopy, TooDeepError } from './private-copy.ts'

describe('a private copy', () => {
  test('has its own lists and plain objects at every level', () => {
    const given = { list: [{ deep: [1] }], text: 'x', none: null }
    const copy = privateCopy(given)
    expect(copy).toEqual(given)
    expect(copy).not.toBe(given)
    expect(copy.list).not.toBe(given.list)
    expect(copy.list[0]).not.toBe(given.list[0])
    expect(copy.list[0]?.deep).not.toBe(given.list[0]?.deep)
  })

  test.each<[string, object]>([
    ['a date', new Date(5)],
    ['an invalid date', new Date(Number.NaN)],
    ['a map of objects', new Map([[{ k: 1 }, { v: 1 }]])],
    ['a set of objects', new Set([{ v: 1 }])],
    ['bytes', new Uint8Array([1, 2])],
    ['a buffer', Buffer.from('abc')],
    ['numbers', new Float64Array([1.5, 2])],
    ['a view of bytes', new DataView(new Uint8Array([1, 2]).buffer)],
    ['a buffer of bytes', new Uint8Array([1, 2]).buffer],
    ['shared memory', new Uint8Array(new SharedArrayBuffer(2))],
    ['an object of another realm', runInNewContext('({ a: [1] })') as object],
  ])('has its own copy of %s', (_name, given) => {
    const copy = privateCopy({ given }).given
    expect(copy).toEqual(given)
    expect(copy).not.toBe(given)
  })

  test('of a part of a buffer has only this part, in memory of its own', () => {
    const all = Buffer.from('abcdef')
    const copy = privateCopy(all.subarray(2, 4))
    all.fill(0)
    expect([copy.toString(), copy.buffer.byteLength]).toEqual(['cd', 2])
  })

  test.each([0, 1, 2, 15, 16, 17, 40])('of a list of %i items has each of them', (length) => {
    const given = Array.from({ length }, (_, index) => (index % 2 === 0 ? [index] : index))
    expect(privateCopy(given)).toStrictEqual(given)
  })

  test.each<readonly [unknown, readonly unknown[]]>([
    [-1, []],
    [0.5, [1]],
    [Number.NaN, []],
    ['x', []],
    [undefined, []],
    [3, [1, 2, undefined]],
  ])('of a proxy that says %s for the length of its list has no other items', (length, items) => {
    const lying = new Proxy([1, 2], { get: (list, key) => (key === 'length' ? length : Reflect.get(list, key)) as unknown })
    expect(privateCopy(lying)).toStrictEqual(items)
  })

  test('keeps functions and instances of classes', () => {
    class Session {
      open = true
    }
    class Dates extends Date {}
    const given = { run: () => 1, session: new Session(), url: new URL('http://a.b'), dates: new Dates() }
    const copy = privateCopy(given)
    for (const key of Object.keys(given) as (keyof typeof given)[]) expect(copy[key]).toBe(given[key])
    for (const simple of [undefined, null, 1, 'x']) expect(privateCopy(simple)).toBe(simple)
  })

  test('keeps a field named __proto__ as a field', () => {
    const given: object = JSON.parse('{"__proto__":{"admin":true}}')
    const copy = privateCopy(given)
    expect(Object.keys(copy)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    const valueIn = (value: object): unknown => Object.getOwnPropertyDescriptor(value, '__proto__')?.value
    expect(valueIn(copy)).toEqual({ admin: true })
    expect(valueIn(copy)).not.toBe(valueIn(given))
  })

  test('keeps cycles, and does not grow where an object is used twice', () => {
    const given: Record<string, unknown> = { name: 'x' }
    given['itself'] = given
    given['again'] = [given, new Map([[given, given]])]
    const copy = privateCopy(given)
    expect(copy['itself']).toBe(copy)
    expect((copy['again'] as unknown[])[0]).toBe(copy)
    expect(copy).toEqual(given)
    let doubled: object = { end: [1] }
    for (let level = 0; level < 60; level++) doubled = { a: doubled, b: doubled }
    expect(privateCopy(doubled)).toHaveProperty('a.a.b')
  })

  test('keeps the objects of a long list apart', () => {
    const given = Array.from({ length: 100 }, (_, index) => ({ own: [index] }))
    given.push(given[3] as (typeof given)[number])
    const copy = privateCopy(given)
    expect(copy).toEqual(given)
    expect(copy.at(-1)).toBe(copy[3])
  })

  test('has no toJSON of its own, which could show something else', () => {
    expect(JSON.stringify(privateCopy({ a: 1, toJSON: () => ({ a: 2 }) }))).toBe('{"a":1}')
    expect(privateCopy({ toJSON: 'a text' })).toEqual({ toJSON: 'a text' })
  })

  test('reads every property once', () => {
    const reads: PropertyKey[] = []
    const watched = (value: object): object =>
      new Proxy(value, {
        get: (target, key) => {
          reads.push(key)
          return Reflect.get(target, key) as unknown
        },
      })
    const given = watched({ a: 1, nested: watched({ b: 2 }), list: watched([1, watched({ c: 3 })]) })
    expect(privateCopy(given)).toEqual({ a: 1, nested: { b: 2 }, list: [1, { c: 3 }] })
    expect(reads).toEqual(['a', 'nested', 'list', 'b', 'length', '0', '1', 'c'])
  })

  test('refuses a value that is nested too deeply, instead of exhausting the stack', () => {
    const nested = (levels: number): unknown => {
      let value: unknown = 1
      for (let level = 0; level < levels; level++) value = { value }
      return value
    }
    expect(() => privateCopy(nested(MAX_DEPTH + 1))).not.toThrow()
    expect(() => privateCopy(nested(MAX_DEPTH + 2))).toThrow(TooDeepError)
    expect(() => privateCopy(nested(1_000_000))).toThrow(TooDeepError)
  })
})
