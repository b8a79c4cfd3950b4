import { expect, test } from 'vitest'
import type { EffectRecord } from './effect-order.ts'
import type { RecordedEntry } from './run-end.ts'
import type { Shape, ShapeInput } from './shape.ts'
import { shapeVerdict } from './shape-verdict.ts'

const input: ShapeInput = { run: 'r', failAt: 'inner.second', mode: 'refused', undoMode: 'ok', decision: 'approve', count: 1 }
const shape = {
  name: 'nested_saga',
  expected: () => ({ status: 'failed', done: ['reserve'], undone: [['reserve']] }),
} as unknown as Shape

function record(kind: 'do' | 'undo', effect: string): EffectRecord {
  const path = `nested_saga/${kind === 'undo' ? 'undo.' : ''}${effect.replace('.', '/')}`
  return { run: 'r', kind, path, effect, leaf: 'do_it', key: `${kind} ${path}`, isKeyed: true, times: 1 }
}

function notUndone(records: readonly EffectRecord[], isUnknown: boolean): readonly string[] {
  const second: RecordedEntry = { path: 'nested_saga/inner/second:@2', kind: 'call', key: 'k', data: null, isUnknown }
  return shapeVerdict({ shape, input }, { status: 'failed', records, entries: [second] }).notUndone
}

const reserved = record('do', 'reserve')
const undone = record('undo', 'reserve')
const undoneSecond = record('undo', 'inner.second')

test('a step that did not happen is undone only if it may have happened for all that its run knows', () => {
  expect(notUndone([reserved, undone], false)).toEqual([])
  expect(notUndone([reserved, undoneSecond, undone], true)).toEqual([])
  expect(notUndone([reserved, undoneSecond, undone], false)).not.toEqual([])
})

test('what happened is undone in any case', () => {
  expect(notUndone([reserved], true)).not.toEqual([])
  expect(notUndone([reserved, undoneSecond], true)).not.toEqual([])
})
