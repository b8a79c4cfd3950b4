import { expect, test } from 'vitest'
import { FairLatest } from './fair-latest.ts'

test('too many of one owner displace their own oldest, and nothing of others', () => {
  const dropped: string[] = []
  const latest = new FairLatest<number>(10, (key, value, owner) => dropped.push(`${owner} ${key} ${value}`))
  latest.set('alice', 'a', 1)
  for (let at = 0; at < 50; at++) latest.set('eve', `e${at}`, at)
  expect(latest.get('alice', 'a')).toBe(1)
  expect(latest.get('alice', 'e49')).toBeUndefined()
  expect(latest.get('eve', 'e49')).toBe(49)
  expect(dropped.slice(0, 2)).toEqual(['eve e0 0', 'eve e1 1'])
  expect(dropped).toHaveLength(41)
})

test('what is taken or set again leaves room', () => {
  const dropped: string[] = []
  const latest = new FairLatest<number>(3, (key) => dropped.push(key))
  for (const owner of ['a', 'b', 'c']) latest.set(owner, 'k', 1)
  latest.set('a', 'k', 2)
  expect(latest.take('b', 'k')).toBe(1)
  expect(latest.take('b', 'k')).toBeUndefined()
  latest.set('c', 'l', 3)
  expect(dropped).toEqual([])
  latest.set('d', 'k', 4)
  expect(dropped).toEqual(['k'])
  expect([latest.get('a', 'k'), latest.get('c', 'k'), latest.get('c', 'l'), latest.get('d', 'k')]).toEqual([2, undefined, 3, 4])
})
