import { expect, test } from 'vitest'
import { runTables } from '../postgres/run-tables.ts'
import {
  allows,
  checkStatuses,
  FINAL_STATUSES,
  isFinal,
  isStandstill,
  RUN_STATUSES,
  type RunStatus,
  type RunTransition,
  TRANSITIONS,
} from './run-state.ts'

const all = Object.entries(TRANSITIONS) as readonly (readonly [
  RunTransition,
  { readonly from: readonly RunStatus[]; readonly to: readonly RunStatus[] },
])[]

test('every status can be reached, and left', () => {
  const reached = new Set(all.flatMap(([, { to }]) => to))
  const left = new Set(all.flatMap(([, { from }]) => from))
  expect([...reached].toSorted()).toEqual([...RUN_STATUSES].toSorted())
  expect([...left].toSorted()).toEqual([...RUN_STATUSES].toSorted())
})

test('a run that has ended goes on only to undo its steps again', () => {
  for (const status of FINAL_STATUSES)
    expect(all.flatMap(([name]) => (allows(name, status) ? [name] : []))).toEqual(['retryCompensation', 'prune'])
})

test('only a run that is running is parked, ended or put back', () => {
  for (const transition of ['park', 'end', 'putBack'] as const)
    expect(RUN_STATUSES.filter((status) => allows(transition, status))).toEqual(['running'])
})

test('a blocked run does not move, and has not ended', () => {
  expect(RUN_STATUSES.filter(isStandstill)).toEqual(['blocked', ...FINAL_STATUSES])
  expect(isFinal('blocked')).toBe(false)
})

test('the database knows the same statuses', () => {
  const checked = /CHECK \(status IN \(([^)]*)\)\),\n {2}why/.exec(runTables.sql)?.[1] ?? ''
  expect(
    checked
      .split(', ')
      .map((each) => each.slice(1, -1))
      .toSorted(),
  ).toEqual([...RUN_STATUSES].toSorted())
})

test('a text that is no status is refused', () => {
  expect(() => checkStatuses(['paused' as RunStatus])).toThrow('A status must be one of queued, running')
})
