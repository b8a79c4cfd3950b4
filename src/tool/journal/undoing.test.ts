import { expect, test } from 'vitest'
import { isUndoingOver, isUndoPath, retryPath, undoingOf, undoingValue, undoLabel, undoneStep } from './undoing.ts'

const value = undoingValue({ state: 'compensation_failed', round: 1, notUndone: ['pay'] })

test('the record of a tool that undoes is known by its value, at whatever mark of its path [G3]', () => {
  const undoing = { path: 'a/order', state: 'compensation_failed', notUndone: ['pay'] }
  expect(undoingOf({ path: 'a/order:saga', value })).toEqual(undoing)
  expect(undoingOf({ path: 'a/order:other', value })).toEqual(undoing)
  expect(undoingOf({ path: 'order:saga', value: undoingValue({ state: 'running', round: 1 }) })).toEqual({
    path: 'order',
    state: 'running',
  })
})

test('what a program decides under a label is never taken for one [G2]', () => {
  for (const path of ['order', 'order/x', 'a:b/order']) expect(undoingOf({ path, value })).toBeUndefined()
})

test('nor is any other value', () => {
  const others = [
    null,
    true,
    'undoing',
    [],
    {},
    { undoing: null },
    { undoing: {} },
    { undoing: { state: 'toString' } },
    { state: 'completed' },
  ]
  for (const each of others) expect(undoingOf({ path: 'order:saga', value: each })).toBeUndefined()
  expect(undoingOf({ path: 'order:saga' })).toBeUndefined()
  expect(undoingOf({ path: 'order:saga', value: { undoing: { state: 'aborted', notUndone: [1] } } })).toEqual({
    path: 'order',
    state: 'aborted',
  })
})

test('undoing is over when all is undone, or is said not to be', () => {
  const states = ['running', 'completed', 'compensating', 'compensated', 'aborted', 'compensation_failed'] as const
  expect(states.filter((state) => isUndoingOver({ state }))).toEqual(['compensated', 'aborted', 'compensation_failed'])
})

test('labels and paths of undoing are made in one place', () => {
  expect(isUndoPath(`order/${undoLabel('pay')}`)).toBe(true)
  expect(isUndoPath('order/undo.pay/inside')).toBe(true)
  expect(isUndoPath('order/undone/pay')).toBe(false)
  expect([`order/${undoLabel('pay')}`, 'order/undo.pay@2', 'order/undo.pay/inside', 'order/pay'].map(undoneStep)).toEqual([
    'order/pay',
    'order/pay',
    undefined,
    undefined,
  ])
  expect(retryPath('order:saga', 2)).toBe('order:saga.retry#2')
})
