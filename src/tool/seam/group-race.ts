import { nextTurn } from '../ports/clock.ts'
import type { Call, Waiter } from '../engine/call.ts'
import { CallContext } from '../engine/call-context.ts'
import { Scope } from '../engine/scope.ts'
import type { KnownPart } from '../engine/known-part.ts'
import type { SettledResult } from '../result/settled.ts'
import { isEndRecorded, isRecording, recordEnd, takeUp, undoRest } from './group-end.ts'
import { cancelParts, type GroupStart, lastBegun, mayBegin, startGroupPart } from './group-part.ts'
import type { EndRule, Group, GroupResults } from './group-plan.ts'

/**
 * Runs parts until the rule ends the group or the time is up; records which had ended by then; cancels the rest, waits for their end, and
 * undoes them as far as that is possible. The whole has not ended before they have.
 */
export async function race(call: Call, plan: Group, input: unknown): Promise<GroupResults> {
  call.began()
  try {
    return await (isEndRecorded(call, plan) ? takeUp(call, plan, input) : new Race(call, plan, input).run())
  } finally {
    call.ended()
  }
}

class Race implements Waiter {
  readonly call: Call
  readonly #plan: Group
  readonly #rule: EndRule
  readonly #start: GroupStart
  readonly #end = Promise.withResolvers<Pick<GroupResults, 'cancelled' | 'isEarly'>>()
  readonly #results: (SettledResult | undefined)[]
  /** Called when no part is under way any more. */
  #whenIdle: (() => void)[] = []
  /** The parts that have begun, in their order. */
  readonly #begun: KnownPart[] = []
  #next = 0
  #underWay = 0
  #succeeded = 0
  /** No further part begins. */
  #isShut = false
  /** Results that arrive now do not count any more. */
  #isOver = false
  /** Recorded results are still coming back. */
  #isReturning = false
  #isDue = false
  readonly #lastBegun: number

  constructor(call: Call, plan: Group, input: unknown) {
    this.call = call
    this.#plan = plan
    this.#rule = plan.rule as EndRule
    this.#start = { input, isApart: plan.isApart ?? true }
    this.#results = plan.parts.map(() => undefined)
    this.#lastBegun = lastBegun(call, plan.parts)
  }

  async run(): Promise<GroupResults> {
    const { afterMs } = this.#rule
    const stopTime = afterMs === undefined ? undefined : this.#startTime(afterMs)
    if (isRecording(this.call)) this.#awaitRecorded()
    this.#begin()
    if (this.#underWay === 0) this.#end.resolve(ALL_ENDED)
    try {
      const ended = await this.#end.promise
      stopTime?.()
      await this.#cancelRest()
      await undoRest(this.call, this.#plan.parts, this.#endedLabels)
      return { ...ended, results: this.#results }
    } catch (fatal) {
      stopTime?.()
      await this.#cancelRest()
      // Something fatal undoes nothing: parts that are cut off undo themselves, and only a saga around them undoes the others.
      throw fatal
    }
  }

  partEnded(result: SettledResult, position: number): void {
    this.#underWay--
    this.#arrive(position, result)
    this.#checkIdle()
  }

  partFailed(fatal: unknown): void {
    this.#underWay--
    this.#fail(fatal)
    this.#checkIdle()
  }

  #checkIdle(): void {
    if (this.#underWay > 0) return
    const waiting = this.#whenIdle
    this.#whenIdle = []
    for (const each of waiting) each()
  }

  #idle(): Promise<void> {
    return this.#underWay === 0 ? Promise.resolve() : new Promise((resolve) => this.#whenIdle.push(resolve))
  }

  /**
   * A replay gives back recorded results in another order than that of their arrival. So nothing is decided before all of them are back and a
   * turn of the event loop is over: results of one turn have come at the same time. All are back when the records inside are reached, or when
   * the parts that had begun have ended: the undoing of a part by a tool around the group is recorded inside too, and is reached later.
   */
  #awaitRecorded(): void {
    const { journal, root, path } = this.call
    this.#isReturning = true
    journal?.inFlight?.(1)
    const isBack = (): void => {
      journal?.inFlight?.(-1)
      this.#isReturning = false
      if (this.#isDue) this.#finish()
      else this.#goOn()
    }
    nextTurn(() => {
      if (root.replay?.isCatchingUpIn(path) === true)
        void Promise.race([root.replay.settledIn(path), this.#idle()]).then(() => nextTurn(isBack))
      else isBack()
    })
  }

  /**
   * Sleeps beside the parts: recorded like any sleep, so that a replay waits only for the rest, but in a scope of its own, which can be
   * closed when nobody needs it any more. The returned function does that.
   */
  #startTime(afterMs: number): () => void {
    const { call } = this
    const scope = new Scope(call.root.clock, Infinity, call.scope)
    const sleeper = new CallContext(call.root, call.built, call.behaviour, scope).belongTo(call, `${TIME_LABEL}${this.#plan.suffix ?? ''}`)
    void sleeper
      .sleep(afterMs)
      .then(
        () => this.#finish(),
        (error: unknown) => {
          if (scope.closed === undefined) this.#fail(error)
        },
      )
      .finally(() => scope.release())
    return () => scope.close({ kind: 'cancelled' })
  }

  /** Begins the parts that may run now; in a resumed run, all that had begun, at once. */
  #begin(): void {
    while (this.#toCome > 0 && this.#underWay < this.#plan.limit && !this.#isOver) this.#beginNext()
    while (this.#next <= this.#lastBegun) this.#beginNext()
  }

  #beginNext(): void {
    const part = this.#plan.parts[this.#next++] as KnownPart
    if (this.#plan.leavesOutRefused === true && !mayBegin(this.call, part)) return
    this.#begun.push(part)
    this.#underWay++
    const result = startGroupPart(this, part, { plan: this.#plan, start: this.#start })
    if (result !== undefined) queueMicrotask(() => this.partEnded(result, part.position))
  }

  #arrive(position: number, result: SettledResult): void {
    if (this.#isOver) return
    this.#results[position] = result
    if (result.ok) this.#succeeded++
    const next = this.#verdict(result)
    if (next === 'end') {
      this.#finish()
      return
    }
    if (next === 'begin no more') this.#isShut = true
    this.#goOn()
  }

  /** A recorded result that is still to come may say that no further part begins. */
  #goOn(): void {
    if (this.#isReturning && this.call.root.replay !== undefined) return
    this.#begin()
    if (this.#underWay > 0 || this.#isDue || this.#isOver) return
    if (this.#rule.isOrderFree === true) this.#end.resolve(ALL_ENDED)
    else this.#finish()
  }

  /** A rule of a user may throw: that fails the whole. */
  #verdict(latest: SettledResult): ReturnType<EndRule['after']> {
    const isClosed = this.call.scope.closed !== undefined
    try {
      return this.#rule.after(latest, { succeeded: this.#succeeded, underWay: this.#underWay, toCome: this.#toCome, isClosed })
    } catch (error) {
      this.#fail(error)
      return 'begin no more'
    }
  }

  get #toCome(): number {
    return this.#isShut ? 0 : this.#plan.parts.length - this.#next
  }

  #finish(): void {
    if (this.#isOver) return
    if (this.#isReturning) {
      this.#isDue = true
      this.#isShut = true
      return
    }
    if (this.call.journal?.isClosed === true && this.#underWay > 0) {
      this.#endWithAll()
      return
    }
    this.#isOver = true
    if (this.#rule.keepsOne === true) this.#keepOne()
    const ended = this.#begun.filter(({ position }) => this.#results[position] !== undefined).map(({ label }) => label)
    const cancelled = this.#begun.filter(({ position }) => this.#results[position] === undefined).map(({ label }) => label)
    this.#end.resolve(recordEnd(this.call, this.#plan, { ended, cancelled }))
  }

  /**
   * In a whole that is being undone this end cannot be recorded. So it must follow from the records of the parts alone: those under way are
   * cancelled, and how they end counts, because the next replay finds them ended.
   */
  #endWithAll(): void {
    this.#isDue = true
    this.#isShut = true
    void this.#cancelRest().then(() => this.#finish())
  }

  #keepOne(): void {
    const winner = this.#results.findIndex((result) => result?.ok === true)
    for (const [index, result] of this.#results.entries()) if (result?.ok === true && index !== winner) this.#results[index] = undefined
  }

  #fail(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#end.reject(error)
  }

  /** Events show how the cancelled parts ended. */
  async #cancelRest(): Promise<void> {
    if (this.#underWay === 0) return
    cancelParts(this.call, this.#plan.parts)
    await this.#idle()
  }

  get #endedLabels(): readonly string[] {
    return this.#plan.parts.filter(({ position }) => this.#results[position] !== undefined).map(({ label }) => label)
  }
}

const ALL_ENDED = { cancelled: [], isEarly: false }

/** No part has a label that begins with a dot. */
const TIME_LABEL = '.time'
