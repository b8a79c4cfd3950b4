import { expect, test } from 'vitest'
import { withCompensation } from '../../tool/result/amendments.ts'
import type { SagaReport } from '../../tool/result/result.ts'
import { SettledFailure } from '../../tool/result/settled.ts'
import { endingOf } from './run-ending.ts'
import { Values } from '../journal/values.ts'

const cut = (message: string, compensation?: Pick<SagaReport, 'path' | 'notUndone'>): SettledFailure => {
  const error = { code: 'cancelled', class: 'cancelled', message, retryable: false, hint: '', outcome: 'unknown' } as const
  const failed = new SettledFailure({ provenance: { tool: 'run', invocationId: '', timestamp: 0 } }, error, false)
  if (compensation === undefined) return failed
  return withCompensation(failed, { state: 'compensation_failed', durable: true, outcomes: [], ...compensation })
}

const whyOf = (result: SettledFailure, ...notUndone: readonly string[]): unknown => {
  const ended = { run: 'r', tool: 'run', now: 0, values: new Values(), isCancelled: true, notUndone, maskText: (text: string) => text }
  const { status, why } = endingOf(result, ended)
  expect(status).toBe('cancelled')
  return (JSON.parse(why ?? '{}') as { readonly message: string }).message
}

test('a cancelled run says what stands, by the paths within it [G2]', () => {
  expect(whyOf(cut('Cut off'))).toBe('Cut off')
  expect(whyOf(cut('Cut off'), 'run/a', 'run/in/b')).toBe('Cut off. Not undone: a, in/b.')
})

test('it leaves out what its failure reports, and goes by the report, not by the words [G2]', () => {
  const told = cut('Cut off. Not undone: a, b.', { path: 'run/in', notUndone: ['a', 'b'] })
  expect(whyOf(told, 'run/in/a', 'run/in/b')).toBe('Cut off. Not undone: a, b.')
  expect(whyOf(told, 'run/in/a', 'run/other/a')).toBe('Cut off. Not undone: a, b. Not undone: other/a.')
  expect(whyOf(cut('It wrote: Not undone: a.'), 'run/a')).toBe('It wrote: Not undone: a. Not undone: a.')
})
