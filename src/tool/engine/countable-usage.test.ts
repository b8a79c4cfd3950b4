import { expect, test } from 'vitest'
import { silentLogger } from '../ports/logger.ts'
import { countableUsage } from './countable-usage.ts'

const reporter = (warnings: string[]) => ({
  ...{ tool: 'ask', path: 'desk/ask' },
  log: { ...silentLogger, warn: (_fields: object, message: string) => void warnings.push(message) },
})

test.each([Number.NaN, -1, Infinity, -Infinity, '5', null, 5n])('usage of %s is not counted, and a warning says so', (figure) => {
  const warnings: string[] = []
  expect(countableUsage({ tokens: figure as number, costUsd: 0.5 }, reporter(warnings))).toEqual({ tokens: 0, costUsd: 0.5 })
  expect(warnings).toEqual([expect.stringMatching(/^Tool 'ask' reported .* for tokens, which is not counted/)])
})

test('usage of at least 0 is counted as it is, and a missing figure is 0', () => {
  const warnings: string[] = []
  expect(countableUsage({ tokens: 0 }, reporter(warnings))).toEqual({ tokens: 0, costUsd: 0 })
  expect(countableUsage({ tokens: 7, costUsd: 0.01 }, reporter(warnings))).toEqual({ tokens: 7, costUsd: 0.01 })
  expect(warnings).toEqual([])
})
