import type { Clock } from 'toolwright'
import { type FakeClock, fakeClock, memoryRuns } from 'toolwright/testing'
import type { Answer, Driver, PlannedCall, ProcessParts, Stored, World } from './driver.ts'
import { type Decision, Ledger } from './ledger.ts'
import { toolOf } from './program.ts'
import type { Schedule, Step } from './schedule.ts'

/** A step that takes longer never ends. */
const LONGEST_STEP_MS = 20_000
/** So many rounds are enough for the questions of one call. */
const MOST_ROUNDS = 12
const LAST_INPUT = 'z'

/** Plays a schedule, and says what went wrong. */
export async function play<S extends Stored>(
  schedule: Schedule,
  driverOf: (world: World) => Promise<Driver<S>>,
): Promise<readonly string[]> {
  const game = await Game.begin(schedule, driverOf)
  try {
    for (const [at, step] of schedule.steps.entries()) await inTime(game.take(step), `step ${at}, ${step.do}`)
    await inTime(game.end(), 'the last call')
  } catch (error) {
    game.ledger.problems.push(
      error instanceof NeverEnds ? error.message : `a step throws: ${String(error instanceof Error ? error.stack : error)}`,
    )
  } finally {
    await game.close()
  }
  return game.ledger.problems
}

class NeverEnds extends Error {}

async function inTime(done: Promise<void>, what: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NeverEnds(`${what} never ends`)), LONGEST_STEP_MS)
  })
  await Promise.race([done, late]).finally(() => clearTimeout(timer))
}

interface Parts<S extends Stored> {
  readonly world: World
  readonly driver: Driver<S>
  readonly clock: FakeClock
}

class Game<S extends Stored> {
  readonly ledger: Ledger
  readonly #schedule: Schedule
  readonly #world: World
  readonly #clock: FakeClock
  readonly #driver: Driver<S>
  readonly #stored: S[] = []
  /** The life of each process, by its number: another one after each crash. */
  #lives = 0
  #process = 0
  #isLast = false

  private constructor(schedule: Schedule, { world, driver, clock }: Parts<S>) {
    this.#schedule = schedule
    this.#world = world
    this.#clock = clock
    this.#driver = driver
    this.ledger = world.ledger
  }

  static async begin<S extends Stored>(schedule: Schedule, driverOf: (world: World) => Promise<Driver<S>>): Promise<Game<S>> {
    const clock = fakeClock()
    const ledger = new Ledger({ ...schedule, clock })
    let calls = 0
    const newId = (): string => `call_new_${calls++}`
    const world: World = {
      ledger,
      now: clock.now,
      begin: () => game.#begin(),
      database: schedule.isDurable ? memoryRuns({ clock }) : undefined,
      newId,
      callId: (place) => (schedule.idsRepeat && !game.#isLast ? `call_${place}` : newId()),
    }
    const game: Game<S> = new Game(schedule, { world, clock, driver: await driverOf(world) })
    await game.#enter(0)
    return game
  }

  #begin(): ProcessParts {
    const { programs, timeOut } = this.#schedule
    const [lives, life, ledger, clock] = [this.#lives, this.#life, this.ledger, this.#clock]
    const timer: Clock['timer'] = (ms, callback) => clock.timer(ms, () => (lives === this.#lives ? callback() : undefined))
    return {
      clock: { ...clock, timer },
      tools: programs.map((program, at) => toolOf(program, { name: 'ab'.charAt(at), ledger, life, timeOut })),
    }
  }

  async close(): Promise<void> {
    await this.#driver.close()
  }

  async take(step: Step): Promise<void> {
    const chosen = 'which' in step ? this.#stored[step.which % Math.max(1, this.#stored.length)] : this.#stored.at(-1)
    if (step.do === 'start') return this.#start(step.turn)
    if (step.do === 'wait') {
      await this.#clock.advance(step.ms)
      return this.#world.database?.idle()
    }
    if (step.do === 'enter') {
      await this.#enter(step.process)
      const [first] = this.#schedule.steps
      if (step.isBegun && first?.do === 'start') await this.#start(first.turn)
      return
    }
    if (step.do === 'crash') return this.#crash()
    if (step.do === 'desk') return this.#desk(step.which, step.decision)
    if (step.do === 'cancel') return this.#cancel(step.which)
    if (chosen === undefined) return
    switch (step.do) {
      case 'answer':
        this.#keep(await this.#answered(chosen, step.answers))
        return
      case 'go on': {
        const answered = await this.#answered(chosen, step.answers)
        this.#keep(answered)
        return this.#resume(answered)
      }
      case 'resume':
        return this.#resume(chosen, step.abortAfter)
      case 'resume at once':
        return this.#resumeBoth(chosen, this.#stored[step.other % this.#stored.length] ?? chosen)
      case 'deny':
        if (this.#driver.deny === undefined) return
        await this.#decide(chosen, (decision) => decision === 'reject')
        return this.#driver.deny(chosen)
      case 'drop':
        this.#keep(this.#driver.drop?.(chosen, step.how))
        return
      case 'give up':
        return this.#giveUp(chosen, step.which)
    }
  }

  /** Whatever has happened: new calls come to their end, and each takes effect. */
  async end(): Promise<void> {
    const [program = ''] = this.#schedule.programs
    this.#stored.length = 0
    this.#isLast = true
    const call = { tool: 'a', input: LAST_INPUT }
    await this.#startCalls([call, call])
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const last = this.#stored.at(-1)
      if (last === undefined && !(await this.#approveAtDesk())) break
      if (last === undefined) continue
      this.#stored.length = 0
      await this.#resume(await this.#answered(last, ['approve', 'approve', 'approve', 'approve']))
    }
    const ofOne = program.length + (program.includes('p') ? 1 : 0)
    const expected = this.#driver.joinsEqualCalls === true ? ofOne : 2 * ofOne
    const happened = this.ledger.effectsOf(LAST_INPUT)
    if (happened !== expected) this.ledger.problems.push(`new calls have ${happened} of ${expected} effects at the end`)
  }

  /** A durable run asks in its inbox what no conversation shows. */
  async #approveAtDesk(): Promise<boolean> {
    const { desk } = this.#driver
    if (desk === undefined || !this.#schedule.isDurable) return false
    const own = [...(await desk.open())].filter(([, { input }]) => input.startsWith(LAST_INPUT))
    for (const [id, shown] of own) {
      this.ledger.shown(id, shown)
      this.ledger.decided(id, 'approve')
      await desk.decide(id, 'approve')
      await this.#world.database?.idle()
    }
    return own.length > 0
  }

  async #start(turn: readonly { readonly tool: number; readonly input: number }[]): Promise<void> {
    const { inputs, programs } = this.#schedule
    await this.#startCalls(
      turn.map(({ tool, input }) => ({ tool: 'ab'.charAt(tool % programs.length), input: inputs[input % inputs.length] ?? 'x' })),
    )
  }

  async #startCalls(calls: readonly PlannedCall[]): Promise<void> {
    for (const { tool, input } of calls) this.ledger.made(tool, input)
    this.#keep(await this.#driver.start(calls))
  }

  /** That of the process. A durable run is the same in every process. */
  get #life(): number {
    return this.#schedule.isDurable ? 0 : this.#lives * 10 + this.#process
  }

  async #enter(process: number): Promise<void> {
    this.#process = process
    this.ledger.enter(this.#life)
    await this.#driver.enter(this.#lives * 10 + process)
  }

  async #crash(): Promise<void> {
    this.#lives++
    this.#world.database?.crash()
    await this.#enter(this.#process)
  }

  #keep(stored: S | undefined): void {
    if (stored === undefined) return
    for (const { shows } of stored.questions) for (const [id, shown] of shows) this.ledger.shown(id, shown)
    this.#stored.push(stored)
  }

  #answered(stored: S, given: readonly Answer[]): Promise<S> {
    const { carries } = this.#driver
    const answers = stored.questions.map((_question, at) => {
      const answer = given[at % given.length] ?? 'leave'
      return [at, carries.includes(answer) ? answer : 'approve'] as const
    })
    return this.#driver.answer(stored, new Map(answers))
  }

  /** The decisions of a stored conversation are sent; gives the requests that they let go on. A denial binds where its request waits. */
  async #decide(stored: S, isMeant: (decision: Decision) => boolean = () => true): Promise<readonly string[]> {
    const open = await this.#driver.open()
    const going: string[] = []
    for (const [at, answer] of stored.answers) {
      if (answer === 'leave' || !isMeant(answer)) continue
      for (const id of stored.questions[at]?.shows.keys() ?? []) {
        if (this.#driver.hears?.(stored, id) === false) continue
        const isGoing = answer === 'approve' || answer === 'edit'
        if (isGoing || open.has(id)) this.ledger.decided(id, answer, open.has(id))
        if (isGoing) going.push(id)
      }
    }
    return going
  }

  async #resume(stored: S, abortAfter?: number): Promise<void> {
    // A denial that was given up may not have been heard.
    const going = await this.#decide(stored, (decision) => abortAfter === undefined || decision === 'approve' || decision === 'edit')
    const open = await this.#driver.open()
    const counting = going.filter((id) => open.has(id) && !this.ledger.isDenied(id))
    const controller = new AbortController()
    if (abortAfter !== undefined) void afterTurns(abortAfter).then(() => controller.abort(new Error('Given up.')))
    if (abortAfter === 0) controller.abort(new Error('Given up.'))
    const after = await this.#driver.resume(stored, abortAfter === undefined ? undefined : controller.signal)
    if (after !== 'refused') this.#keep(after)
    if (after === 'refused' || abortAfter !== undefined) return
    const left = await this.#driver.open()
    for (const id of counting) {
      if (left.has(id)) this.ledger.problems.push(`the approval of ${id} does not count, though it waits`)
      else if (!this.ledger.isUsed(id) && this.#isAlone(stored, id)) this.ledger.problems.push(`what was approved by ${id} does not happen`)
    }
  }

  /** Whether nothing else was decided about the run of a request at the same time. */
  #isAlone({ questions, answers }: S, id: string): boolean {
    const shown = questions.flatMap(({ shows }) => shows.get(id) ?? [])[0]
    const same = questions.filter(({ shows }) =>
      [...shows.values()].some((each) => each.effect === shown?.effect && each.input === shown.input),
    )
    const isContested = same.some((each) => !['approve', 'edit'].includes(answers.get(questions.indexOf(each)) ?? ''))
    return shown?.effect.endsWith('_asked') === true && !isContested
  }

  async #resumeBoth(one: S, other: S): Promise<void> {
    // Of two answers at the same time, the first one to come counts: a denial may not be heard.
    const isGoing = (decision: Decision): boolean => decision === 'approve' || decision === 'edit'
    for (const id of [...(await this.#decide(one, isGoing)), ...(await this.#decide(other, isGoing))]) this.ledger.undecided(id)
    const ended = await Promise.all([this.#driver.resume(one, undefined), this.#driver.resume(other, undefined)])
    for (const after of ended) if (after !== 'refused') this.#keep(after)
  }

  async #desk(which: number, decision: Decision): Promise<void> {
    const { desk } = this.#driver
    const open = desk === undefined ? [] : [...(await desk.open())]
    const [id, shown] = open[which % Math.max(1, open.length)] ?? []
    if (desk === undefined || id === undefined || shown === undefined) return
    this.ledger.shown(id, shown)
    // It may have effect before the answer is there.
    if (this.#schedule.isDurable) this.ledger.decided(id, decision)
    const how = await desk.decide(id, decision)
    await this.#world.database?.idle()
    if (how === 'later') this.ledger.prepared(id, decision)
  }

  async #cancel(which: number): Promise<void> {
    const { desk } = this.#driver
    const open = desk === undefined || !this.#schedule.isDurable ? [] : [...(await desk.open())]
    const [id, shown] = open[which % Math.max(1, open.length)] ?? []
    if (id === undefined || shown === undefined) return
    this.ledger.shown(id, shown)
    this.ledger.decided(id, 'stop')
    await desk?.cancel(id)
  }

  async #giveUp(stored: S, place: number): Promise<void> {
    const { giveUp } = this.#driver
    if (giveUp === undefined) return
    const decided = new Set(await this.#decide(stored))
    const before = [...(await this.#driver.open()).keys()].filter((id) => !decided.has(id) && !this.ledger.isDenied(id))
    await giveUp(stored, place)
    const after = await this.#driver.open()
    const hasDenials = stored.rejectedBefore === true || [...stored.answers.values()].includes('reject')
    // Of a call that a state denies, a peer may tell the id and not the input.
    if (!hasDenials && before.some((id) => !after.has(id)))
      this.ledger.problems.push('whoever gives up a call that nobody approved takes back what waits')
  }
}

async function afterTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
}
