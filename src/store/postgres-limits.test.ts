import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type BoardDatabase, startBoardDatabase } from '../../test/fixtures/postgres/board-database.ts'
import { moveWith, type PatientClock, patientClock } from '../../test/fixtures/postgres/patient-clock.ts'
import { limit } from '../combinators/limit/limit.ts'
import { sharedLimits } from '../combinators/limit/shared-limits.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import type { LimitRules, SharedLimiter, Turn } from '../tool/ports/limit-store.ts'
import { tool } from '../tool/tool.ts'
import { postgresLimits } from './postgres-limits.ts'

let database: BoardDatabase
const warnings: string[] = []

beforeAll(async () => {
  database = await startBoardDatabase()
}, 60_000)

beforeEach(async () => {
  database.setAway(false)
  await database.quiet()
  warnings.length = 0
  await database.query('TRUNCATE toolwright.limiter, toolwright.limit_holder, toolwright.limit_use')
})

afterAll(() => database.stop())

/** The limits of a process of its own, as far as the database can tell. */
function startProcess(): ReturnType<typeof sharedLimits> {
  const board = postgresLimits(database.pool, database.notices)
  return sharedLimits({ open: async () => board, warn: (message) => warnings.push(message) })
}

const HOUR = 3_600_000
const move = (clock: PatientClock, ms: number): Promise<void> => moveWith(database, clock, ms)

const call = { caller: '', usd: 0 }

/** Waits in line; the turn comes into the list. */
function join(of: SharedLimiter, into: Turn[], clock: PatientClock, usd = 0): void {
  of.wait({ caller: '', usd }, clock.tick(), (turn) => into.push(turn))
}

function limiters(count: number, rules: LimitRules, clock: PatientClock): SharedLimiter[] {
  return Array.from({ length: count }, () => startProcess().limiter('rates@1.0.0 tool', rules, clock))
}

describe('limits of several processes', () => {
  test('let no more calls be under way than one limiter would, and a free place goes to the process that waits [F5]', async () => {
    const clock = patientClock()
    const [a, b] = limiters(2, { concurrency: 2 }, clock) as [SharedLimiter, SharedLimiter]
    const [ofA, ofB]: [Turn[], Turn[]] = [[], []]
    for (let each = 0; each < 3; each++) join(a, ofA, clock)
    await database.quiet()
    join(b, ofB, clock)
    await database.quiet()
    expect([ofA.length, ofB.length]).toEqual([2, 0])
    a.leave(ofA[0] as Turn, undefined)
    await database.quiet()
    expect([ofA.length, ofB.length]).toEqual([2, 1])
    a.leave(ofA[1] as Turn, undefined)
    await database.quiet()
    await move(clock, 60)
    expect(ofA).toHaveLength(3)
  })

  test.each([
    { processes: 2, concurrency: 1, callMs: 20 },
    { processes: 3, concurrency: 1, callMs: 5 },
    { processes: 3, concurrency: 2, callMs: 50 },
    { processes: 4, concurrency: 3, callMs: 120 },
  ])('give $processes processes that always wait their turns, $concurrency at a time [F5]', async ({ processes, concurrency, callMs }) => {
    const clock = patientClock()
    // Those who still wait at the end are in nobody's way.
    const key = `rates@1.0.0 tool${processes}${concurrency}`
    const turns = Array.from({ length: processes }, () => 0)
    for (const at of turns.keys()) {
      const of = startProcess().limiter(key, { concurrency }, clock)
      const joinAgain = (): void => {
        of.wait(call, clock.tick(), (turn) => {
          turns[at] = (turns[at] ?? 0) + 1
          clock.timer(callMs, () => {
            of.leave(turn, undefined)
            joinAgain()
          })
        })
      }
      for (let each = 0; each < 5; each++) joinAgain()
    }
    await database.quiet()
    await move(clock, 60 * callMs)
    // No place stands empty for long, and nobody gets much more than its part.
    expect(Math.min(...turns)).toBeGreaterThanOrEqual(Math.floor((0.9 * 60 * concurrency) / processes))
  })

  test('free the places of a process that has died [F5]', async () => {
    const clock = patientClock()
    const [dead, other] = [patientClock(), clock].map((own) => startProcess().limiter('rates@1.0.0 tool', { concurrency: 1 }, own)) as [
      SharedLimiter,
      SharedLimiter,
    ]
    const [lost, turns]: [Turn[], Turn[]] = [[], []]
    join(dead, lost, clock)
    await database.quiet()
    join(other, turns, clock)
    await move(clock, 29_000)
    expect([lost.length, turns.length]).toEqual([1, 0])
    await move(clock, 2000)
    expect(turns).toHaveLength(1)
  })

  test('give the free places of a process that closes to others, in one statement, but not those of its calls under way [F5]', async () => {
    const clock = patientClock()
    const [closing, other] = [startProcess(), startProcess()]
    const keys = ['rates@1.0.0 tool', 'mails@1.0.0 tool']
    const mine = keys.map((key) => closing.limiter(key, { concurrency: 2 }, clock))
    const theirs = keys.map((key) => other.limiter(key, { concurrency: 2 }, clock))
    const [ofMine, ofTheirs]: [Turn[], Turn[]] = [[], []]
    for (const each of [...mine, ...mine]) join(each, ofMine, clock)
    await database.quiet()
    // Of the first limit one place is free, and one is in use; of the second, both are free.
    for (const [at, each] of [mine[0], mine[1], mine[1]].entries()) each?.leave(ofMine[at] as Turn, undefined)
    const before = database.statements()
    await closing.leave()
    expect(database.statements() - before).toBe(1)
    for (const each of [...theirs, ...theirs]) join(each, ofTheirs, clock)
    await database.quiet()
    expect(ofTheirs).toHaveLength(3)
    await move(clock, 31_000)
    expect(ofTheirs).toHaveLength(4)
    expect(warnings).toEqual([])
  })

  test('wake a process that waits for the place of one that closes [F5]', async () => {
    const clock = patientClock()
    const [closing, other] = [startProcess(), startProcess()]
    const [a, b] = [closing, other].map((each) => each.limiter('rates@1.0.0 tool', { concurrency: 1 }, clock)) as [
      SharedLimiter,
      SharedLimiter,
    ]
    const [ofA, ofB]: [Turn[], Turn[]] = [[], []]
    join(a, ofA, clock)
    await database.quiet()
    // It ends, and the process closes, before it hears that another one waits.
    join(b, ofB, clock)
    a.leave(ofA[0] as Turn, undefined)
    await closing.leave()
    await database.quiet()
    await move(clock, 1000)
    expect(ofB).toHaveLength(1)
  })

  test('count what calls have cost that ended just before their process closed [F5]', async () => {
    const clock = patientClock()
    const [closing, other] = [startProcess(), startProcess()]
    const cost = { usd: 5, perMs: HOUR }
    const [a, b] = [closing, other].map((each) => each.limiter('rates@1.0.0 tool', { cost }, clock)) as [SharedLimiter, SharedLimiter]
    const turns: Turn[] = []
    join(a, turns, clock, 1)
    await database.quiet()
    a.leave(turns[0] as Turn, 5)
    await closing.leave()
    await b.inquire?.({ caller: '', usd: 1 })
    expect(b.enter({ caller: '', usd: 1 })).toBeUndefined()
  })

  test('keep the place of a call that takes long [F5]', async () => {
    const clock = patientClock()
    const [a, b] = limiters(2, { concurrency: 1 }, clock) as [SharedLimiter, SharedLimiter]
    const [ofA, ofB]: [Turn[], Turn[]] = [[], []]
    join(a, ofA, clock)
    await database.quiet()
    join(b, ofB, clock)
    for (let beat = 0; beat < 12; beat++) await move(clock, 5000)
    expect([ofA.length, ofB.length]).toEqual([1, 0])
  })

  test('count the rate and the cost of all together, and know when to retry [F5]', async () => {
    const clock = patientClock()
    const rate = limiters(2, { rate: { calls: 3, perMs: HOUR } }, clock)
    for (const each of [0, 1, 0, 1]) await rate[each]?.inquire?.(call)
    const turns = [0, 1, 0, 1].map((each) => rate[each]?.enter(call))
    expect(turns.filter((turn) => turn !== undefined).length).toBeLessThanOrEqual(3)
    const [a, b] = limiters(2, { cost: { usd: 5, perMs: HOUR } }, clock).map((own) => own) as [SharedLimiter, SharedLimiter]
    const taken: Turn[] = []
    join(a, taken, clock, 3)
    await database.quiet()
    await b.inquire?.({ caller: '', usd: 3 })
    expect(b.enter({ caller: '', usd: 3 })).toBeUndefined()
    expect((b.waitMs({ caller: '', usd: 3 }) ?? 0) / HOUR).toBeCloseTo(1, 1)
    // It was cheaper than expected: the others know it within a second or two.
    a.leave(taken[0] as Turn, 1)
    await clock.advance(2000)
    await database.quiet()
    const later = startProcess().limiter('rates@1.0.0 tool', { cost: { usd: 5, perMs: HOUR } }, clock)
    await later.inquire?.({ caller: '', usd: 3 })
    expect(later.enter({ caller: '', usd: 3 })).toBeDefined()
  })

  test('refuse at once what may not wait, and let through what may begin [F5]', async () => {
    const clock = patientClock()
    const echo = tool({ name: 'echo', description: 'Repeats.', effect: 'read', execute: (text: string) => text })
    const modest = limit(echo, { rate: { calls: 2, per: '1h' }, wait: false, by: 'caller' })
    const stores = [startProcess(), startProcess()]
    const codes: string[] = []
    for (const each of [0, 1, 0, 1]) {
      const result = await modest.call('x', { clock, stores: { limits: stores[each] }, principal: { id: 'ada', permissions: [] } })
      codes.push(result.ok ? 'ok' : `${result.error.code} ${Math.round((result.error.retryAfterMs ?? 0) / HOUR)} h`)
    }
    expect(codes).toEqual(['ok', 'ok', 'rate_limited 1 h', 'rate_limited 1 h'])
    const { rows } = await database.query('SELECT key FROM toolwright.limiter')
    expect(JSON.stringify(rows)).not.toContain('ada')
  })

  test('cost few statements: a process keeps a place for the next call, and takes rights ahead [F5]', async () => {
    const clock = patientClock()
    const echo = tool({ name: 'echo', description: 'Repeats.', effect: 'read', execute: (text: string) => text })
    for (const options of [{ concurrency: 2 }, { rate: { calls: 1000, per: HOUR } }]) {
      const limits = startProcess()
      const before = database.statements()
      for (let each = 0; each < 50; each++) expect((await limit(echo, options).call('x', { clock, stores: { limits } })).ok).toBe(true)
      expect(database.statements() - before).toBeLessThanOrEqual(1)
    }
  })

  test('go on with their share while the database is away, say so once, and count together again [F5]', async () => {
    const clock = patientClock()
    const [a, b] = limiters(2, { concurrency: 4 }, clock) as [SharedLimiter, SharedLimiter]
    const [ofA, ofB]: [Turn[], Turn[]] = [[], []]
    join(a, ofA, clock)
    join(b, ofB, clock)
    await database.quiet()
    // Both have heard how many they are.
    await move(clock, 10_000)
    database.setAway(true)
    for (let each = 0; each < 4; each++) {
      join(a, ofA, clock)
      join(b, ofB, clock)
    }
    await database.quiet()
    expect([ofA.length, ofB.length]).toEqual([2, 2])
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toContain('Limits are not shared')
    database.setAway(false)
    await database.quiet()
    a.leave(ofA[0] as Turn, undefined)
    await database.quiet()
    await move(clock, 1100)
    expect(ofA.length + ofB.length).toBe(5)
  })

  test('do not wait for a database that does not answer [F5]', async () => {
    const clock = fakeClock()
    const silent = { query: () => new Promise(() => {}) } as unknown as Parameters<typeof postgresLimits>[0]
    const limits = sharedLimits({ open: async () => postgresLimits(silent, database.notices), warn: (message) => warnings.push(message) })
    const echo = limit(tool({ name: 'echo', description: 'Repeats.', effect: 'read', execute: (text: string) => text }), { concurrency: 1 })
    const first = echo.call('x', { clock, stores: { limits } })
    await clock.advance(500)
    expect((await first).ok).toBe(true)
    expect((await echo.call('x', { clock, stores: { limits } })).ok).toBe(true)
    expect(warnings).toHaveLength(1)
  })

  test('leave no rows behind', async () => {
    const clock = patientClock()
    const [a] = limiters(1, { concurrency: 1, rate: { calls: 5, perMs: 1000 }, cost: { usd: 5, perMs: 1000 } }, clock) as [SharedLimiter]
    const turns: Turn[] = []
    join(a, turns, clock, 1)
    await database.quiet()
    a.leave(turns[0] as Turn, 1)
    await move(clock, 5000)
    await database.pass(HOUR)
    await database.query(`UPDATE toolwright.limiter SET changed_at = now() - interval '2 hours'`)
    await postgresLimits(database.pool, database.notices).sweep()
    const { rows } = await database.query(
      'SELECT key FROM toolwright.limiter UNION ALL SELECT key FROM toolwright.limit_use UNION ALL SELECT key FROM toolwright.limit_holder',
    )
    expect(rows).toEqual([])
  })
})

interface Begun {
  readonly of: SharedLimiter
  readonly turn: Turn
  readonly at: number
  usd: number
  hasEnded: boolean
}

type Step =
  | { readonly do: 'join'; readonly by: number }
  | { readonly do: 'end'; readonly which: number; readonly isCheaper: boolean }
  | { readonly do: 'wait'; readonly seconds: number }

const step = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.record({ do: fc.constant('join' as const), by: fc.nat(2) }),
  fc.record({ do: fc.constant('join' as const), by: fc.nat(2) }),
  fc.record({ do: fc.constant('end' as const), which: fc.nat(9), isCheaper: fc.boolean() }),
  fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(0.1, 2, 9, 40) }),
)

const rules = fc
  .record<LimitRules>({
    concurrency: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    rate: fc.option(fc.record({ calls: fc.integer({ min: 1, max: 4 }), perMs: fc.constantFrom(10_000, 30_000) }), { nil: undefined }),
    cost: fc.option(fc.record({ usd: fc.integer({ min: 2, max: 6 }), perMs: fc.constant(20_000) }), { nil: undefined }),
  })
  .filter((each) => Object.values(each).some((one) => one !== undefined))

const USD = 2

/** What the whole history says against the limits. The clock of the database has moved on by itself, for `realMs`. */
function excesses({ concurrency = Infinity, rate, cost }: LimitRules, begun: readonly Begun[], realMs: number): readonly string[] {
  const within = (at: number, ms: number): readonly Begun[] => begun.filter((each) => each.at <= at && each.at > at - ms + realMs)
  return [
    ...(begun.filter(({ hasEnded }) => !hasEnded).length > concurrency ? ['too many at a time'] : []),
    ...(rate !== undefined && begun.some(({ at }) => within(at, rate.perMs).length > rate.calls) ? ['too many in the window'] : []),
    ...(cost !== undefined && begun.some(({ at }) => within(at, cost.perMs).reduce((sum, { usd }) => sum + usd, 0) > cost.usd)
      ? ['too much in the window']
      : []),
  ]
}

describe('whatever processes do and when', () => {
  test('their calls together stay within the limits, and each call gets its turn in the end [F5]', async () => {
    let worlds = 0
    await fc.assert(
      fc.asyncProperty(rules, fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), async (given, steps) => {
        const startedAt = performance.now()
        const clock = patientClock()
        const key = `tool-${++worlds}@1.0.0 tool`
        const all = [startProcess(), startProcess(), startProcess()].map((each) => each.limiter(key, given, clock))
        const begun: Begun[] = []
        let joined = 0
        const play = async (each: Step): Promise<void> => {
          if (each.do === 'join') {
            const of = all[each.by] as SharedLimiter
            joined++
            of.wait({ caller: '', usd: USD }, clock.tick(), (turn) => begun.push({ of, turn, at: clock.tick(), usd: USD, hasEnded: false }))
          } else if (each.do === 'end') {
            const open = begun.filter(({ hasEnded }) => !hasEnded)
            const ended = open[each.which % Math.max(1, open.length)]
            if (ended === undefined) return
            ended.hasEnded = true
            // Time passes in the database by moving its rows: the time that a grant has named is no longer theirs.
            const isCheaper = each.isCheaper && ended.at === clock.tick()
            if (isCheaper) ended.usd = 1
            ended.of.leave(ended.turn, isCheaper ? 1 : undefined)
          } else await move(clock, each.seconds * 1000)
          await database.quiet()
          expect(excesses(given, begun, performance.now() - startedAt)).toEqual([])
        }
        for (const each of steps) await play(each)
        // All that is left: end everything, wait, and again.
        for (let round = 0; round < 3 * joined && begun.length < joined; round++) {
          for (const [which] of begun.entries()) await play({ do: 'end', which, isCheaper: false })
          await play({ do: 'wait', seconds: 40 })
        }
        expect(begun).toHaveLength(joined)
        expect(warnings).toEqual([])
      }),
      { numRuns: 15 },
    )
  }, 90_000)
})
