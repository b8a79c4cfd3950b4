import { expect, test } from 'vitest'
import { FairLatest } from './fair-latest.ts'

test('too many of one owner displace their own oldest, and nothing of others', () => {
  const latest = new FairLatest<number>(10)
  latest.set('alice', 'a', 1)
  for (let at = 0; at < 50; at++) latest.set('eve', `e${at}`, at)
  expect(latest.get('alice', 'a')).toBe(1)
  expect(latest.get('alice', 'e49')).toBeUndefined()
  const left = Array.from({ length: 50 }, (_, at) => latest.get('eve', `e${at}`)).filter((each) => each !== undefined)
  expect(left).toEqual([41, 42, 43, 44, 45, 46, 47, 48, 49])
})

test('what is set again takes no more room, and counts as new', () => {
  const latest = new FairLatest<number>(4)
  for (const owner of ['a', 'b', 'c']) latest.set(owner, 'k', 1)
  latest.set('c', 'l', 1)
  latest.set('a', 'k', 2)
  latest.set('c', 'k', 2)
  expect(['a', 'b', 'c'].map((owner) => latest.get(owner, 'k'))).toEqual([2, 1, 2])
  latest.set('d', 'k', 4)
  expect(['a', 'b', 'c', 'd'].map((owner) => latest.get(owner, 'k'))).toEqual([2, 1, 2, 4])
  expect(latest.get('c', 'l')).toBeUndefined()
})
