import { expect, test } from 'vitest'
import type { JsonData } from '../tool/journal/codec.ts'
import type { JournalEntry } from '../tool/journal/journal.ts'
import { effectsStanding } from './effects-standing.ts'

const decision = (path: string, value: JsonData): JournalEntry => ({ kind: 'decision', path, value })
const ended = (path: string, ...notUndone: readonly string[]): JournalEntry =>
  decision(`${path}:saga`, { state: notUndone.length === 0 ? 'aborted' : 'compensation_failed', notUndone })

test('what sagas could not undo goes by its path within the run [G2]', () => {
  expect(effectsStanding([ended('order', 'pay', 'mail')])).toEqual(['pay', 'mail'])
  expect(effectsStanding([ended('both/left', 'pay'), ended('both/right', 'ship')])).toEqual(['left/pay', 'right/ship'])
})

test('the saga around another has the last word [G1] [G2]', () => {
  expect(effectsStanding([ended('outer/inside', 'pay'), ended('outer', 'inside/pay')])).toEqual(['inside/pay'])
  expect(effectsStanding([ended('outer/inside', 'pay'), ended('outer')])).toEqual([])
  expect(effectsStanding([decision('outer:saga', { state: 'completed' }), ended('outer/inside', 'pay')])).toEqual(['inside/pay'])
})

test('decisions that are no records of sagas say nothing', () => {
  const others = [decision('a:saga', null), decision('b:saga', 'x'), decision('c:saga', { notUndone: 3 }), decision('d:now', 1)]
  expect(effectsStanding([...others, { kind: 'sleep', path: 'e:saga', until: 1 }])).toEqual([])
})
