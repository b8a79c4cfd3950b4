import { expect, test } from 'vitest'
import { copyOfData } from './copy-of-data.ts'

test('lists and plain objects are copied at every level', () => {
  const given = { list: [{ deep: [1] }], text: 'x', none: null }
  const copy = copyOfData(given) as typeof given
  expect(copy).toEqual(given)
  expect(copy).not.toBe(given)
  expect(copy.list).not.toBe(given.list)
  expect(copy.list[0]).not.toBe(given.list[0])
  expect(copy.list[0]?.deep).not.toBe(given.list[0]?.deep)
})

test('what is no plain data stays what it is', () => {
  const given = { at: new Date(0), bytes: new Uint8Array(2), map: new Map() }
  const copy = copyOfData(given) as typeof given
  expect(copy.at).toBe(given.at)
  expect(copy.bytes).toBe(given.bytes)
  expect(copy.map).toBe(given.map)
  for (const simple of [undefined, null, 1, 'x']) expect(copyOfData(simple)).toBe(simple)
})

test('a field named __proto__ is a field', () => {
  const given: unknown = JSON.parse('{"__proto__":{"admin":true}}')
  const copy = copyOfData(given) as object
  expect(Object.keys(copy)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
  expect((Object.getOwnPropertyDescriptor(copy, '__proto__') as { value: unknown }).value).not.toBe(
    (Object.getOwnPropertyDescriptor(given, '__proto__') as { value: unknown }).value,
  )
})

test('a value that refers to itself is left as it is', () => {
  const given: Record<string, unknown> = {}
  given['itself'] = given
  given['again'] = [given, given]
  expect(copyOfData(given)).toBe(given)
})
