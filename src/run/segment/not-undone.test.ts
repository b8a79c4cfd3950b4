import { expect, test } from 'vitest'
import type { JsonData } from '../../tool/journal/codec.ts'
import type { JournalEntry } from '../../tool/journal/journal.ts'
import { stepsNotUndone } from './not-undone.ts'

const decision = (path: string, value: JsonData): JournalEntry => ({ kind: 'decision', path, value })
const ended = (path: string, ...notUndone: readonly string[]): JournalEntry =>
  decision(`${path}:any`, { undoing: { state: notUndone.length === 0 ? 'aborted' : 'compensation_failed', notUndone } })

test('what a run could not undo goes by its path [G2]', () => {
  expect(stepsNotUndone([ended('order', 'pay', 'mail')])).toEqual(['order/pay', 'order/mail'])
  expect(stepsNotUndone([ended('both/left', 'pay'), ended('both/right', 'ship')])).toEqual(['both/left/pay', 'both/right/ship'])
})

test('the tool around another has the last word [G1] [G2]', () => {
  expect(stepsNotUndone([ended('outer/inside', 'pay'), ended('outer', 'inside/pay')])).toEqual(['outer/inside/pay'])
  expect(stepsNotUndone([ended('outer/inside', 'pay'), ended('outer')])).toEqual([])
  expect(stepsNotUndone([decision('outer:any', { undoing: { state: 'completed' } }), ended('outer/inside', 'pay')])).toEqual([
    'outer/inside/pay',
  ])
})

test('other decisions say nothing', () => {
  const others = [
    decision('a:any', null),
    decision('b:any', 'x'),
    decision('c:any', { undoing: { notUndone: ['x'] } }),
    decision('d:now', 1),
  ]
  expect(stepsNotUndone([...others, { kind: 'sleep', path: 'e:any', until: 1 }])).toEqual([])
})

test('a program cannot pass off what it decides as the record of a tool that was undone [G2]', () => {
  const forged: JsonData = { undoing: { state: 'compensated', notUndone: [] } }
  expect(stepsNotUndone([ended('order/inside', 'pay'), decision('order', forged)])).toEqual(['order/inside/pay'])
})
