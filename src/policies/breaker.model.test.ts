import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Admission, BreakerRules, BreakerState, CallEnd, Pass } from '../tool/ports/breaker-store.ts'
import { Breaker, BUCKETS } from './breaker.ts'

interface Ended {
  readonly at: number
  readonly isFailed: boolean
}

/** The same promises, told from the whole history each time. */
class NaiveBreaker {
  readonly #rules: BreakerRules
  #history: Ended[] = []
  #state: BreakerState = 'closed'
  #until = 0
  #changedAt = 0
  /** The calls that were let through since the state last changed, and have not ended. */
  #underWay = new Set<number>()
  #lost = 0

  constructor(rules: BreakerRules) {
    this.#rules = rules
  }

  admit(call: number, now: number): 'go' | 'busy' | number {
    if (this.#state !== 'closed') {
      if (now < this.#until) return this.#until - now
      this.#become('half_open', now)
      this.#until = now + this.#rules.coolDownMs
      this.#underWay.add(call)
      return 'go'
    }
    const inWindow = this.#inWindow(now)
    const isDoubtful = inWindow.some(({ isFailed }) => isFailed) || !this.#history.some(({ isFailed }) => !isFailed)
    if (isDoubtful && now - this.#changedAt >= this.#rules.windowMs) this.#lost = this.#underWay.size
    if (isDoubtful && this.#opensIfAllFail(inWindow)) return 'busy'
    this.#underWay.add(call)
    this.#changedAt = now
    return 'go'
  }

  end(call: number, end: CallEnd, now: number): void {
    if (!this.#underWay.delete(call)) return
    this.#lost = Math.min(this.#lost, this.#underWay.size)
    if (this.#state === 'half_open') {
      if (end === 'succeeded') this.#become('closed', now)
      else if (end === 'failed') this.#open(now)
      else this.#until = now
      if (end === 'unheard') this.#underWay.add(call)
      return
    }
    this.#changedAt = now
    if (end === 'unheard') return
    this.#history.push({ at: now, isFailed: end === 'failed' })
    if (end === 'failed' && this.#isBad(this.#inWindow(now))) this.#open(now)
  }

  #inWindow(now: number): Ended[] {
    const slot = (at: number): number => Math.floor((at * BUCKETS) / this.#rules.windowMs)
    return this.#history.filter(({ at }) => slot(at) > slot(now) - BUCKETS)
  }

  #isBad(calls: readonly Ended[]): boolean {
    const failures = calls.filter(({ isFailed }) => isFailed).length
    return calls.length >= this.#rules.minCalls && failures >= this.#rules.failureShare * calls.length
  }

  /** Whether the failures of the calls under way, one after the other, would have opened it at some point. */
  #opensIfAllFail(calls: readonly Ended[]): boolean {
    const all = [...calls]
    for (let more = 0; more < this.#underWay.size - this.#lost; more++) {
      all.push({ at: 0, isFailed: true })
      if (this.#isBad(all)) return true
    }
    return false
  }

  #open(now: number): void {
    this.#become('open', now)
    this.#until = now + this.#rules.coolDownMs
  }

  #become(state: BreakerState, now: number): void {
    this.#state = state
    this.#history = []
    this.#underWay = new Set()
    this.#lost = 0
    this.#changedAt = now
  }
}

interface Real {
  readonly breaker: Breaker
  /** The passes of the calls that were let through, by their numbers. */
  readonly passes: Map<number, Pass>
  now: number
  calls: number
}

interface Model {
  readonly naive: NaiveBreaker
}

type Command = fc.Command<Model, Real>

class AskCommand implements Command {
  readonly #isShort: boolean
  constructor(isShort: boolean) {
    this.#isShort = isShort
  }
  check = (): boolean => true
  run({ naive }: Model, real: Real): void {
    const call = ++real.calls
    const short = this.#isShort ? real.breaker.enter() : undefined
    const admission: Admission = short === undefined ? real.breaker.admit(real.now) : { pass: short }
    const told = admission === 'busy' ? admission : 'pass' in admission ? 'go' : admission.openForMs
    const demanded = naive.admit(call, real.now)
    if (told !== demanded) throw new Error(`It said ${told}, and its history demands ${demanded}.`)
    if (typeof admission === 'object' && 'pass' in admission) real.passes.set(call, admission.pass)
  }
  toString = (): string => (this.#isShort ? 'enter' : 'ask')
}

class EndCommand implements Command {
  readonly #which: number
  readonly #end: CallEnd
  constructor(which: number, end: CallEnd) {
    this.#which = which
    this.#end = end
  }
  check = (): boolean => true
  run({ naive }: Model, real: Real): void {
    const calls = [...real.passes]
    const [call, pass] = calls[this.#which % Math.max(1, calls.length)] ?? []
    if (call === undefined || pass === undefined) return
    real.passes.delete(call)
    real.breaker.report(pass, this.#end, real.now)
    naive.end(call, this.#end, real.now)
  }
  toString = (): string => `${this.#end}(${this.#which})`
}

class WaitCommand implements Command {
  readonly #ms: number
  constructor(ms: number) {
    this.#ms = ms
  }
  check = (): boolean => true
  run(_model: Model, real: Real): void {
    real.now += this.#ms
  }
  toString = (): string => `wait ${this.#ms}`
}

const rules = fc.record<BreakerRules>({
  windowMs: fc.constantFrom(100, 60_000),
  minCalls: fc.integer({ min: 1, max: 6 }),
  failureShare: fc.constantFrom(0.1, 0.3, 0.5, 2 / 3, 1),
  coolDownMs: fc.constantFrom(1, 50, 30_000),
})

const ends = fc.constantFrom<CallEnd>('succeeded', 'failed', 'failed', 'unheard')
const commands = fc.commands<Model, Real>(
  [
    fc.boolean().map((isShort) => new AskCommand(isShort)),
    fc.boolean().map((isShort) => new AskCommand(isShort)),
    fc.tuple(fc.nat(20), ends).map(([which, end]) => new EndCommand(which, end)),
    fc.tuple(fc.nat(20), ends).map(([which, end]) => new EndCommand(which, end)),
    fc.constantFrom(1, 5, 10, 60, 100, 6000, 30_000, 70_000).map((ms) => new WaitCommand(ms)),
  ],
  { maxCommands: 80, size: 'max' },
)

describe('a breaker', () => {
  test('does what its history demands, whatever happens and when [F2]', () => {
    fc.assert(
      fc.property(rules, fc.constantFrom(0, 12.5, -1000), commands, (given, start, steps) => {
        const setup = () => ({
          model: { naive: new NaiveBreaker(given) },
          real: { breaker: new Breaker(given), passes: new Map<number, Pass>(), now: start, calls: 0 },
        })
        expect(() => fc.modelRun(setup, steps)).not.toThrow()
      }),
      { numRuns: 400 },
    )
  })
})
