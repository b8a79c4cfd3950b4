import { expect, test } from 'vitest'
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
