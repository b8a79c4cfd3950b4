import { expect, test } from 'vitest'
import { fallback } from '../combinators/fallback/fallback.ts'
import { tool } from '../tool/tool.ts'
import { check } from './check.ts'
import { explain } from './explain.ts'

const ok = tool({ name: 'ok', description: 'd', effect: 'read', execute: (text) => text })

test.each([
  [{ ok: { latencyMs: 'x' } }, `latencyMs of 'ok' in the figures of explain must be a number of at least 0, not "x".`],
  [new Map([['ok@0.0.0', { reliability: 2 }]]), "reliability of 'ok@0.0.0' in the figures of explain must be a number from 0 to 1, not 2."],
  [{ ok: 5 }, "The estimates of 'ok' in the figures of explain must be an object, not 5."],
  [5, "'figures' of explain must be an object, not 5."],
  [null, "'figures' of explain must be an object, not null."],
])('figures %o are refused', (figures, message) => {
  expect(() => explain(ok, { figures: figures as never })).toThrow(expect.objectContaining({ code: 'invalid_option', message }))
})

test('figures of tools that the plan does not have are no mistake', () => {
  expect(explain(ok, { figures: { other: { latencyMs: 5 } } }).root.figures.latencyMs.source).toBe('unknown')
})

test.each([null, 5, 'x'])('options that are none are refused: %o', (wrong) => {
  expect(() => check(ok, wrong as never)).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  expect(() => explain(ok, wrong as never)).toThrow(expect.objectContaining({ code: 'invalid_option' }))
})

test('the cost of a fallback is the one to expect: a level counts as often as all before it fail [F1]', () => {
  const priced = (name: string, reliability: number | undefined, costUsd: number | undefined) =>
    tool({ name, description: 'd', effect: 'read', estimates: { reliability, costUsd }, execute: (text) => text })
  const costOf = (...levels: readonly ReturnType<typeof priced>[]) =>
    explain(fallback({ name: 'rates', description: 'd' }, levels as [(typeof levels)[0]])).root.figures.costUsd
  const [first, second, third] = [priced('a', 0.75, 1), priced('b', 0.5, 8), priced('c', 1, 80)]
  expect(costOf(first, second, third)).toMatchObject({ value: 1 + 2 + 10, source: 'derived', isBound: false })
  expect(costOf(first, priced('free', 0.5, undefined))).toMatchObject({ value: 1, isBound: true })
  expect(costOf(priced('unsure', undefined, 1), second)).toMatchObject({ value: 1, isBound: true })
  expect(costOf(priced('none', 0.5, undefined))).toMatchObject({ value: undefined, source: 'unknown' })
})
