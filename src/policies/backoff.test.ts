import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { backoff } from './backoff.ts'

const failed = { class: 'transient' } as const

describe('a backoff', () => {
  test('has three attempts, begins at 200 ms and ends at 30 s unless told otherwise [G1]', () => {
    expect(backoff().attempts).toBe(3)
    expect([1, 2, 3].map((attempt) => backoff().waitAfter(attempt, failed, 0))).toEqual([200, 400, undefined])
    expect(backoff({ attempts: 99 }).waitAfter(50, failed, 1)).toBe(30_000)
  })

  test('adds up to one base by chance', () => {
    expect([0, 0.5, 1].map((random) => backoff({ base: '1s' }).waitAfter(1, failed, random))).toEqual([1000, 1500, 2000])
  })

  test('waits as long as the other side asks for, and 5 s where a rate limit names no time', () => {
    expect(backoff().waitAfter(1, { class: 'rate_limited' }, 0)).toBe(5000)
    expect(backoff().waitAfter(1, { class: 'rate_limited', retryAfterMs: 700 }, 0)).toBe(700)
    expect(backoff().waitAfter(1, { class: 'transient', retryAfterMs: 120_000 }, 0)).toBe(120_000)
    expect(backoff().waitAfter(1, { class: 'transient', retryAfterMs: 1 }, 0)).toBe(200)
  })

  test('never waits less than before, never longer than the most, and ends with its budget', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat({ max: 10_000 }), fc.nat({ max: 100_000 }), (attempts, base, max) => {
        const { waitAfter } = backoff({ attempts, base, max })
        const waits = Array.from({ length: attempts }, (_, index) => waitAfter(index + 1, failed, 0))
        expect(waits.at(-1)).toBeUndefined()
        const given = waits.slice(0, -1) as number[]
        expect(given.every((wait, index) => wait <= max && wait >= (given[index - 1] ?? 0))).toBe(true)
      }),
    )
  })

  test.each([
    [{ attempts: 0 }, "'attempts' of a backoff must be a whole number of at least 1, not 0."],
    [{ attempts: 1.5 }, 'must be a whole number'],
    [{ base: 'soon' as never }, "'base' of a backoff must be milliseconds or a duration"],
    [{ max: -1 }, "'max' of a backoff must be milliseconds or a duration"],
  ])('refuses %o', (options, message) => {
    expect(() => backoff(options)).toThrow(message)
  })
})
