import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type BoardDatabase, startBoardDatabase } from '../../test/fixtures/postgres/board-database.ts'
import { breaker } from '../combinators/breaker/breaker.ts'
import { sharedBreakers } from '../combinators/breaker/shared-breakers.ts'
import { type FakeClock, fakeClock } from '../testing/fake-clock.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import type { Admission, BreakerRules, CallEnd, Pass, SharedBreaker } from '../tool/ports/breaker-store.ts'
import { tool } from '../tool/tool.ts'
import { postgresBreakers } from './postgres-breakers.ts'

let database: BoardDatabase
const warnings: string[] = []

beforeAll(async () => {
  database = await startBoardDatabase()
}, 60_000)

beforeEach(async () => {
  database.setAway(false)
  warnings.length = 0
  await database.query('TRUNCATE toolwright.breaker')
})

afterAll(() => database.stop())

let processes = 0

/** The breakers of a process of its own, as far as the database can tell. */
function startProcess(): ReturnType<typeof sharedBreakers> {
  const board = postgresBreakers(database.pool, database.notices, `process-${++processes}`)
  return sharedBreakers({ open: async () => board, warn: (message) => warnings.push(message) })
}

const HOUR = 3_600_000
const usual: BreakerRules = { windowMs: 100 * HOUR, minCalls: 2, failureShare: 0.5, coolDownMs: 10 * HOUR }

async function move(clock: FakeClock, ms: number): Promise<void> {
  await database.pass(ms)
  await clock.advance(ms)
  await database.quiet()
}

/** Fails a call of a breaker that is not open. */
function failOnce(of: SharedBreaker, clock: FakeClock): void {
  const admission = of.ask()
  if (admission === 'busy' || !('pass' in admission)) throw new Error('It lets no call through.')
  of.report(admission.pass, 'failed', clock.tick())
}

describe('breakers of several processes', () => {
  test('open and close together, and one of them makes the trial [F2]', async () => {
    const clock = fakeClock()
    const [a, b, c] = [startProcess(), startProcess(), startProcess()].map((each) => each.breaker('rates@1.0.0', usual, clock)) as [
      SharedBreaker,
      SharedBreaker,
      SharedBreaker,
    ]
    await database.quiet()
    failOnce(a, clock)
    failOnce(a, clock)
    await database.quiet()
    expect([a.state(), b.state(), c.state()]).toEqual(['open', 'open', 'open'])
    await move(clock, 10 * HOUR)
    const answers: Exclude<Admission, 'busy'>[] = []
    for (const each of [b, c]) {
      expect(each.ask()).toBe('busy')
      each.wait((answer) => answers.push(answer))
    }
    await database.quiet()
    const [trial] = answers.flatMap((each) => ('pass' in each ? [each.pass] : []))
    expect(answers).toHaveLength(2)
    expect(answers.filter((each) => 'openForMs' in each)).toHaveLength(1)
    const tried = b.state() === 'half_open' ? b : c
    expect(tried.report(trial as Pass, 'succeeded', clock.tick())).toBe('closed')
    await database.quiet()
    expect([a.state(), b.state(), c.state()]).toEqual(['closed', 'closed', 'closed'])
    expect(warnings).toEqual([])
  })

  test('of a process that closes give up its trial, and tell of the change before it [F2]', async () => {
    const clock = fakeClock()
    const [closing, other] = [startProcess(), startProcess()]
    const [a, b] = [closing, other].map((each) => each.breaker('rates@1.0.0', usual, clock)) as [SharedBreaker, SharedBreaker]
    await database.quiet()
    failOnce(a, clock)
    failOnce(a, clock)
    await database.quiet()
    await move(clock, 10 * HOUR)
    const tried: Admission[] = []
    a.wait((answer) => tried.push(answer))
    await database.quiet()
    expect([tried.length, b.ask()]).toEqual([1, { openForMs: expect.any(Number) as number }])
    await closing.leave()
    await database.quiet()
    b.wait((answer) => tried.push(answer))
    await database.quiet()
    expect(tried[1]).toHaveProperty('pass')
    const before = database.statements()
    closing.breaker('mails@1.0.0', usual, clock)
    await database.quiet()
    expect(database.statements()).toBe(before)
    // Nobody waits between the last failure and the end of the process.
    const c = other.breaker('rates@2.0.0', usual, clock)
    failOnce(c, clock)
    failOnce(c, clock)
    await other.leave()
    const later = startProcess().breaker('rates@2.0.0', usual, clock)
    await database.quiet()
    expect(later.state()).toBe('open')
    expect(warnings).toEqual([])
  })

  test('cost no statement for calls that succeed [F2]', async () => {
    const clock = fakeClock()
    const breakers = startProcess()
    const steady = breaker(tool({ name: 'steady', description: 'Works.', effect: 'read', execute: () => 'done' }))
    await steady.call('', { clock, stores: { breakers } })
    await database.quiet()
    const before = database.statements()
    for (let call = 0; call < 100; call++) expect((await steady.call('', { clock, stores: { breakers } })).ok).toBe(true)
    await database.quiet()
    expect(database.statements() - before).toBe(0)
  })

  test('let a dead tool have no more calls than one breaker would, of 1,000 callers over two processes [F2]', async () => {
    const clock = fakeClock()
    const stores = [startProcess(), startProcess()]
    let [isDown, reached] = [false, 0]
    const dead = breaker(
      tool({
        name: 'dead',
        description: 'Is down.',
        effect: 'read',
        execute: () => {
          if (!isDown) return 'done'
          reached++
          throw new ToolError('It is down.', { class: 'transient' })
        },
      }),
    )
    for (const breakers of stores) await dead.call('', { clock, stores: { breakers } })
    isDown = true
    const codes = new Set<string>()
    for (let caller = 0; caller < 1000; caller++) {
      const result = await dead.call('', { clock, stores: { breakers: stores[caller % 2] } })
      codes.add(result.ok ? 'ok' : result.error.code)
      if (reached < 15 && caller < 100) await database.quiet()
      // Failures are told at most every 20 ms.
      await clock.advance(25)
    }
    expect(reached).toBeLessThanOrEqual(10)
    expect(reached).toBeGreaterThan(5)
    expect(codes).toContain('circuit_open')
  })

  test('go on by themselves while the database is away, say so once, and agree again afterwards [F2]', async () => {
    const clock = fakeClock()
    const [a, b] = [startProcess(), startProcess()].map((each) => each.breaker('rates@1.0.0', usual, clock)) as [
      SharedBreaker,
      SharedBreaker,
    ]
    await database.quiet()
    database.setAway(true)
    failOnce(a, clock)
    failOnce(a, clock)
    await database.quiet()
    expect([a.state(), b.state()]).toEqual(['open', 'closed'])
    expect(warnings).toEqual([expect.stringContaining('goes on by itself: The database is away.')])
    database.setAway(false)
    await database.quiet()
    expect([a.state(), b.state()]).toEqual(['open', 'open'])
    database.setAway(true)
    await clock.advance(10 * HOUR)
    const answers: Admission[] = []
    b.wait((answer) => answers.push(answer))
    await database.quiet()
    expect(answers).toEqual([{ pass: expect.any(Number) }])
  })

  test('make the trial after half a second if the database does not answer [F2]', async () => {
    const clock = fakeClock()
    const silent = { query: () => new Promise(() => {}) } as unknown as Parameters<typeof postgresBreakers>[0]
    const board = postgresBreakers(silent, database.notices, 'silent')
    const own = sharedBreakers({ open: async () => board, warn: (message) => warnings.push(message) }).breaker('x@1.0.0', usual, clock)
    failOnce(own, clock)
    failOnce(own, clock)
    await clock.advance(10 * HOUR)
    const answers: Admission[] = []
    own.wait((answer) => answers.push(answer))
    await clock.advance(499)
    expect(answers).toEqual([])
    await clock.advance(1)
    expect(answers).toEqual([{ pass: expect.any(Number) }])
  })

  test('forget what has not changed for a day', async () => {
    const board = postgresBreakers(database.pool, database.notices, 'sweeper')
    await board.open('old@1.0.0', 1)
    await database.pass(25 * HOUR)
    await board.open('new@1.0.0', 1)
    await board.sweep()
    expect((await board.read(['old@1.0.0', 'new@1.0.0'])).map(({ key }) => key)).toEqual(['new@1.0.0'])
  })
})

type Step =
  | { readonly do: 'ask'; readonly by: number }
  | { readonly do: 'end'; readonly which: number; readonly end: CallEnd }
  | { readonly do: 'wait'; readonly hours: number }
  | { readonly do: 'away' | 'back' }

const by = fc.nat(2)
const step = fc.oneof<fc.Arbitrary<Step>[]>(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const), by }) } as never,
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      which: fc.nat(9),
      end: fc.constantFrom<CallEnd>('succeeded', 'failed', 'failed', 'unheard'),
    }),
  } as never,
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(1, 4, 10, 30) }) } as never,
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('away' as const, 'back' as const) }) } as never,
)

interface Held {
  readonly of: SharedBreaker
  readonly pass: Pass
}

class World {
  readonly clock = fakeClock()
  readonly key: string
  readonly breakers: readonly SharedBreaker[]
  readonly held: Held[] = []
  isAway = false

  constructor(key: string, rules: BreakerRules) {
    this.key = key
    this.breakers = [startProcess(), startProcess(), startProcess()].map((each) => each.breaker(key, rules, this.clock))
  }

  async play(each: Step): Promise<void> {
    if (each.do === 'ask') this.#ask(this.breakers[each.by] as SharedBreaker)
    else if (each.do === 'end') this.#end(each.which, each.end)
    else if (each.do === 'wait') await move(this.clock, each.hours * HOUR)
    else {
      this.isAway = each.do === 'away'
      database.setAway(this.isAway)
    }
    await database.quiet()
  }

  #ask(of: SharedBreaker): void {
    const admission = of.ask()
    const hold = (answer: Exclude<Admission, 'busy'>): void => void ('pass' in answer && this.held.push({ of, pass: answer.pass }))
    if (admission === 'busy') of.wait(hold)
    else hold(admission)
  }

  #end(which: number, end: CallEnd): void {
    const [ended] = this.held.splice(which % Math.max(1, this.held.length), 1)
    ended?.of.report(ended.pass, end, this.clock.tick())
  }

  /** States of processes that are not that of the database; none of them while it is away. */
  async disagreeing(): Promise<readonly string[]> {
    if (this.isAway) return []
    const [row] = await postgresBreakers(database.pool, database.notices, 'reader').read([this.key])
    const { state, ms } = row ?? { state: 'closed', ms: 0 }
    // A process that does not try knows only that it is open until the trial is over.
    const right = state === 'half_open' ? ['open', 'half_open'] : state === 'open' && ms === 0 ? ['half_open'] : [state]
    return this.breakers.map((each) => each.state()).filter((each) => !right.includes(each))
  }
}

describe('whatever happens to calls, clocks and the database', () => {
  test('the processes agree with it whenever it is there, and every call gets an answer when it is not [F2]', async () => {
    let worlds = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0.5, 1),
        fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
        async (failureShare, steps) => {
          const world = new World(`tool-${++worlds}@1.0.0`, { ...usual, failureShare })
          await database.quiet()
          for (const each of steps) {
            await world.play(each)
            expect(await world.disagreeing()).toEqual([])
          }
          if (world.isAway) await world.play({ do: 'back' })
        },
      ),
      { numRuns: 15 },
    )
  }, 60_000)
})
