import { describe, expect, test } from 'vitest'
import { compound } from './compound.ts'
import type { Estimates } from './metadata.ts'
import { tool } from './tool.ts'

const estimating = (estimates: unknown): unknown =>
  tool({ name: 'guess', description: 'd', effect: 'read', estimates: estimates as Estimates, execute: () => 1 })

describe('estimates', () => {
  test.each([
    [{ reliability: 5 }, "reliability of tool 'guess' must be a number from 0 to 1, not 5."],
    [{ reliability: -0.1 }, "reliability of tool 'guess' must be a number from 0 to 1, not -0.1."],
    [{ reliability: '0.9' }, `reliability of tool 'guess' must be a number from 0 to 1, not "0.9".`],
    [{ accuracy: Number.NaN }, "accuracy of tool 'guess' must be a number from 0 to 1, not NaN."],
    [{ latencyMs: Number.NaN }, "latencyMs of tool 'guess' must be a number of at least 0, not NaN."],
    [{ latencyMs: Infinity }, "latencyMs of tool 'guess' must be a number of at least 0, not Infinity."],
    [{ p99Ms: -1 }, "p99Ms of tool 'guess' must be a number of at least 0, not -1."],
    [{ costUsd: -3 }, "costUsd of tool 'guess' must be a number of at least 0, not -3."],
    [{ costUsd: null }, "costUsd of tool 'guess' must be a number of at least 0, not null."],
    [{ latencyMs: 20, p99Ms: 10 }, "p99Ms of tool 'guess' must not be less than its latencyMs, the median: 10 and 20."],
    [null, "The estimates of tool 'guess' must be an object, not null."],
    ['fast', `The estimates of tool 'guess' must be an object, not "fast".`],
  ])('%o are refused when the tool is made [C6]', (estimates, message) => {
    expect(() => estimating(estimates)).toThrow(expect.objectContaining({ code: 'invalid_option', message }))
  })

  test.each([
    undefined,
    {},
    { latencyMs: 0, p99Ms: 0, costUsd: 0, reliability: 0, accuracy: 1 },
    { latencyMs: 5, p99Ms: 5 },
    { p99Ms: undefined },
  ])('%o are taken', (estimates) => {
    expect(estimating(estimates)).toMatchObject({ name: 'guess' })
  })

  test('of a tool made of tools are judged in the same way', () => {
    expect(() => compound({ name: 'whole', description: 'd', parts: {}, estimates: { costUsd: -1 }, run: () => 1 })).toThrow(
      "costUsd of 'whole' must be a number of at least 0, not -1.",
    )
  })
})
