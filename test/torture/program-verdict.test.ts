import { describe, expect, test } from 'vitest'
import type { EffectRecord } from './effect-order.ts'
import { programVerdict } from './program-verdict.ts'
import type { RecordedEntry, RunEnd, Verdict } from './run-end.ts'

function record(kind: 'do' | 'undo', path: string, more: Partial<EffectRecord> = {}): EffectRecord {
  return { run: 'r', kind, path, effect: path, leaf: 'act', key: `${kind} ${path}`, isKeyed: true, times: 1, ...more }
}

function saga(path: string, state: string, notUndone?: readonly string[]): RecordedEntry {
  return {
    path: `${path}:saga`,
    kind: 'decision',
    key: null,
    data: JSON.stringify({ undoing: { state, round: 1, notUndone } }),
    isUnknown: false,
  }
}

function judge(end: Partial<RunEnd>): Verdict {
  const records = end.records ?? []
  const calls = records.map(({ path, key }) => ({ path, kind: 'call', key, data: null, isUnknown: false }))
  return programVerdict({ status: 'completed', records, ...end, entries: [...calls, ...(end.entries ?? [])] }, new Set(['act']))
}

/** The kinds of problems that it finds. */
function found(end: Partial<RunEnd>): readonly string[] {
  return Object.entries(judge(end)).flatMap(([kind, problems]) => (problems.length > 0 ? [kind] : []))
}

describe('a run', () => {
  test.each<[string, Partial<RunEnd>, readonly string[]]>([
    ['that ended with nothing to undo', { records: [record('do', 'p/a')] }, []],
    ['that has not ended', { status: 'running' }, ['lost']],
    ['that is gone', { status: 'gone' }, ['lost']],
    ['that is blocked', { status: 'blocked' }, ['refusedWrongly']],
    ['with a keyed effect that was ordered twice', { records: [record('do', 'p/a', { times: 2 })] }, []],
    ['with an unkeyed effect that was done twice', { records: [record('do', 'p/a', { isKeyed: false, times: 2 })] }, ['twice']],
    ['with two keys for one step', { records: [record('do', 'p/a'), record('do', 'p/a', { key: 'other' })] }, ['twice']],
  ])('%s', (_title, end, expected) => {
    expect(found(end)).toEqual(expected)
  })

  test('with an effect that its journal does not know', () => {
    const end: RunEnd = { status: 'completed', records: [record('do', 'p/a')], entries: [] }
    expect(programVerdict(end, new Set()).twice).toHaveLength(1)
  })
})

describe('a saga', () => {
  const [a, b] = [record('do', 's/a'), record('do', 's/b')]
  const [undoA, undoB] = [record('undo', 's/undo.a'), record('undo', 's/undo.b@2')]
  const joined: RecordedEntry = {
    path: 'race/.ended',
    kind: 'decision',
    key: null,
    data: '{"ended":["w"],"cancelled":["l"]}',
    isUnknown: false,
  }
  test.each<[string, Partial<RunEnd>, readonly string[]]>([
    ['that completed', { records: [a, b], entries: [saga('s', 'completed')] }, []],
    ['that was undone in reverse', { records: [a, b, undoB, undoA], entries: [saga('s', 'compensated')] }, []],
    ['that was undone in forward order', { records: [a, b, undoA, undoB], entries: [saga('s', 'compensated')] }, ['notUndone']],
    ['that completed and was undone in part', { records: [a, b, undoB], entries: [saga('s', 'completed')] }, ['notUndone']],
    ['that was left running', { status: 'cancelled', records: [a], entries: [saga('s', 'running')] }, ['notUndone']],
    ['that was left half undone', { records: [a, b, undoB], entries: [saga('s', 'compensating')] }, ['notUndone']],
    ['that says what it could not undo', { records: [a], entries: [saga('s', 'compensation_failed', ['a'])] }, []],
    [
      'of which the run says what stands',
      { status: 'cancelled', records: [a], entries: [saga('s', 'running')], why: { code: 'cancelled', message: 'Enough. Not undone: a.' } },
      [],
    ],
    ['of a loser that stands', { records: [record('do', 'race/l/a')], entries: [saga('race/l', 'completed'), joined] }, ['notUndone']],
    ['of a winner that stands', { records: [record('do', 'race/w/a')], entries: [saga('race/w', 'completed'), joined] }, []],
    [
      'that stands inside one that was undone',
      { records: [record('do', 's/in/a')], entries: [saga('s', 'compensated'), saga('s/in', 'completed')] },
      ['notUndone'],
    ],
  ])('%s', (_title, end, expected) => {
    expect(found(end)).toEqual(expected)
  })
})
