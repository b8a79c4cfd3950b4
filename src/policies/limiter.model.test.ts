import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LimitRules, Turn } from '../tool/ports/limit-store.ts'
import { FairLine } from './fair-line.ts'
import { Limiter } from './limiter.ts'

interface Begun {
  readonly at: number
  usd: number
  /** When its place is free at the latest. */
  readonly until: number
  hasEnded: boolean
}

/** The same promises, told from the whole history each time. */
class NaiveLimiter {
  readonly #rules: LimitRules
  readonly begun: Begun[] = []

  constructor(rules: LimitRules) {
    this.#rules = rules
  }

  allows(usd: number, now: number): boolean {
    const { concurrency = Infinity } = this.#rules
    const underWay = this.begun.filter(({ hasEnded, until }) => !hasEnded && until > now).length
    return underWay < concurrency && this.allowsStart(usd, now)
  }

  allowsStart(usd: number, now: number): boolean {
    const { rate, cost } = this.#rules
    const within = (ms: number): Begun[] => this.begun.filter(({ at }) => at > now - ms)
    if (rate !== undefined && within(rate.perMs).length >= rate.calls) return false
    if (cost === undefined) return true
    const spent = within(cost.perMs).reduce((sum, each) => sum + each.usd, 0)
    return spent < cost.usd && spent + usd <= cost.usd
  }
}

interface Real {
  readonly limiter: Limiter
  readonly naive: NaiveLimiter
  readonly turns: { readonly turn: Turn; readonly begun: Begun }[]
  now: number
}

/** Whole cents, so that sums are exact. */
const usds = fc.constantFrom(0, 1, 2, 4)

type Step =
  | { readonly do: 'take'; readonly usd: number; readonly leaseMs: number | undefined }
  | { readonly do: 'end'; readonly which: number; readonly usd: number | undefined }
  | { readonly do: 'wait'; readonly ms: number }

const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ do: fc.constant('take' as const), usd: usds, leaseMs: fc.option(fc.constantFrom(5, 40), { nil: undefined }) }),
    fc.record({ do: fc.constant('take' as const), usd: usds, leaseMs: fc.constant(undefined) }),
    fc.record({ do: fc.constant('end' as const), which: fc.nat(10), usd: fc.option(usds, { nil: undefined }) }),
    fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 3, 10, 60) }),
  ),
  { maxLength: 80, size: 'max' },
)

const rules = fc.record<LimitRules>({
  concurrency: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  rate: fc.option(fc.record({ calls: fc.integer({ min: 1, max: 4 }), perMs: fc.constantFrom(10, 50) }), { nil: undefined }),
  cost: fc.option(fc.record({ usd: fc.integer({ min: 4, max: 9 }), perMs: fc.constantFrom(20, 100) }), { nil: undefined }),
})

function take({ limiter, naive, turns, now }: Real, usd: number, leaseMs: number | undefined): void {
  const isAllowed = naive.allows(usd, now)
  const turn = limiter.take({ caller: '', usd, leaseMs }, now)
  expect(turn !== undefined).toBe(isAllowed)
  if (turn === undefined) return
  const begun = { at: now, usd, until: leaseMs === undefined ? Infinity : now + leaseMs, hasEnded: false }
  naive.begun.push(begun)
  turns.push({ turn, begun })
}

function end({ limiter, turns }: Real, which: number, usd: number | undefined): void {
  const [ended] = turns.splice(which % Math.max(1, turns.length), 1)
  if (ended === undefined) return
  limiter.end(ended.turn, usd)
  ended.begun.hasEnded = true
  if (usd !== undefined) ended.begun.usd = usd
}

describe('a limiter', () => {
  test('allows what its history allows, and knows when that changes [F5]', () => {
    fc.assert(
      fc.property(rules, steps, (given, all) => {
        const real: Real = { limiter: new Limiter(given), naive: new NaiveLimiter(given), turns: [], now: 1000 }
        for (const step of all) {
          if (step.do === 'take') take(real, step.usd, step.leaseMs)
          else if (step.do === 'end') end(real, step.which, step.usd)
          else real.now += step.ms
          const { limiter, naive, now } = real
          const at = limiter.startAt(1, now)
          expect(naive.allowsStart(1, at)).toBe(true)
          expect(at > now && naive.allowsStart(1, at - 0.5)).toBe(false)
        }
      }),
      { numRuns: 400 },
    )
  })

  test('foresees when the last of several calls may begin [F5]', () => {
    const numbers = fc.record({ calls: fc.integer({ min: 1, max: 5 }), perMs: fc.constantFrom(10, 70) })
    fc.assert(
      fc.property(numbers, fc.array(fc.nat(30), { maxLength: 8 }), fc.nat(12), (rate, pauses, ahead) => {
        const limiter = new Limiter({ rate })
        let now = 0
        for (const pause of pauses) limiter.take({ caller: '', usd: 0 }, (now += pause))
        const foreseen = limiter.startAt(0, now, ahead)
        let at = now
        for (let call = 0; call <= ahead; call++) {
          at = limiter.startAt(0, at)
          expect(limiter.take({ caller: '', usd: 0 }, at)).toBeDefined()
        }
        expect(foreseen).toBe(at)
      }),
      { numRuns: 500 },
    )
  })

  test('is idle when a new one would do the same', () => {
    const limiter = new Limiter({ concurrency: 1, rate: { calls: 2, perMs: 10 }, cost: { usd: 1, perMs: 20 } })
    expect(limiter.isIdle(0)).toBe(true)
    const turn = limiter.take({ caller: '', usd: 0.5 }, 0)
    expect(limiter.isIdle(5)).toBe(false)
    limiter.end(turn ?? {}, undefined)
    expect([limiter.isIdle(15), limiter.isIdle(20)]).toEqual([false, true])
  })
})

describe('a fair line', () => {
  const joins = fc.array(fc.record({ caller: fc.constantFrom('a', 'b', 'c', 'd'), leaves: fc.boolean() }), { maxLength: 40 })

  test('lets callers take turns, keeps the order of each, and forgets nobody [F5]', () => {
    fc.assert(
      fc.property(joins, (all) => {
        const line = new FairLine<{ readonly caller: string; readonly number: number; readonly ahead: number }>()
        const kept = new Map<string, number[]>()
        all.forEach(({ caller, leaves }, number) => {
          const item = { caller, number, ahead: line.ahead(caller) }
          line.join(caller, item, number)
          expect(leaves && !line.leave(caller, item)).toBe(false)
          if (!leaves) kept.set(caller, [...(kept.get(caller) ?? []), number])
        })
        const served: Record<string, number[]> = {}
        for (let turn = 0; line.size > 0; turn++) {
          const next = line.first
          const item = line.shift()
          expect(item).toBe(next)
          if (item === undefined) return
          // Between two turns of a caller that waits, no other has two.
          const ownTurns = served[item.caller]?.length ?? 0
          const waiting = [...kept].filter(([other, rest]) => other !== item.caller && (served[other]?.length ?? 0) < rest.length)
          expect(waiting.every(([other]) => ownTurns - (served[other]?.length ?? 0) <= 1)).toBe(true)
          ;(served[item.caller] ??= []).push(item.number)
        }
        expect(served).toEqual(Object.fromEntries(kept))
      }),
    )
  })

  test('foresees how many are served before a new one', () => {
    fc.assert(
      fc.property(joins, fc.constantFrom('a', 'b', 'e'), (all, caller) => {
        const line = new FairLine<number>()
        all.forEach((each, number) => line.join(each.caller, number, number))
        const ahead = line.ahead(caller)
        line.join(caller, -1, all.length)
        let before = 0
        while (line.first !== -1) {
          line.shift()
          before++
        }
        expect(before).toBeLessThanOrEqual(ahead)
      }),
    )
  })

  test('keeps the place of one that was away', () => {
    const line = new FairLine<string>()
    line.join('a', 'second', 2)
    line.join('a', 'first', 1)
    expect([line.shift(), line.shift(), line.shift()]).toEqual(['first', 'second', undefined])
    expect(line.leave('a', 'second')).toBe(false)
  })
})
