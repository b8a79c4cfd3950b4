import { expect, test } from 'vitest'
import type { JsonData } from '../journal/codec.ts'
import type { CallEntry, JournalEntry } from '../journal/journal.ts'
import { effectsNotUndone } from './unvisited-effects.ts'

const decision = (path: string, value: JsonData): JournalEntry => ({ kind: 'decision', path, value })
const done = (path: string): CallEntry => ({ kind: 'call', path, tool: 'pay', inputHash: '', key: '', result: { value: 'paid' } })

test('only the record of a tool that has undone its parts says that its effects are undone [G2]', () => {
  const state = (word: string): JsonData => ({ undoing: { state: word, notUndone: [] } })
  const forged = [decision('order', state('compensated')), decision('order/x', state('compensated'))]
  expect(effectsNotUndone([done('order/pay')], forged)).toEqual(['order/pay'])
  expect(effectsNotUndone([done('order/pay')], [decision('order:any', state('aborted'))])).toEqual([])
  expect(effectsNotUndone([done('order/pay')], [decision('order:any', state('compensating'))])).toEqual(['order/pay'])
})

test('a step whose undoing succeeded is not left, nor is anything inside it [G2]', () => {
  const failed: CallEntry = { ...done('order/undo.mail'), result: { error: { outcome: 'failed' } } }
  const left = [done('order/pay'), done('order/ship/gated'), done('order/mail'), done('order/payment')]
  const undone = [done('order/undo.pay'), done('order/undo.ship@2'), failed]
  expect(effectsNotUndone(left, [...left, ...undone])).toEqual(['order/mail', 'order/payment'])
})
