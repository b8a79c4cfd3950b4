import fc from 'fast-check'
import { type Asked, EXPIRY_MS, INPUTS, type PlannedCall, TOOLS, World } from './world.ts'

/** A conversation that a program has stored, with what people were asked in it, and what they have answered. */
export interface Stored {
  readonly asked: readonly Asked[]
  readonly approved: readonly Asked[]
  readonly denied: readonly Asked[]
}

/** One framework. What it stores may be used again at any time. */
export interface Framework<S extends Stored> {
  /** The model makes these calls. Undefined where nothing is left to decide. */
  readonly start: (turn: readonly PlannedCall[]) => Promise<S | undefined>
  /** Adds answers; nothing runs. */
  readonly answer: (stored: S, answers: readonly Answer[]) => Promise<S>
  /** Goes on. Undefined where nothing is left to decide, or where the framework refuses. */
  readonly resume: (stored: S, signal: AbortSignal | undefined) => Promise<S | 'refused' | undefined>
  /** Rejects what is denied, without going on. */
  readonly reject: (stored: S) => Promise<void>
  /** Executes a call of the conversation as if the framework did, with a signal that is aborted. */
  readonly giveUp: (stored: S, place: number) => Promise<void>
  /** The ids of the requests that wait. */
  readonly waiting: () => readonly string[]
  readonly edit: (request: string) => Promise<void>
  /** The process ends, and another one begins: what waits in memory is lost, and what is stored is not. */
  readonly restart?: () => Promise<void>
  /** The next steps happen in this process, which shares nothing in memory with the others. One to which nobody comes back was restarted. */
  readonly enter?: ((process: number) => void) | undefined
}

export type Answer = 'approve' | 'deny' | 'leave'

type Step =
  | { readonly do: 'start'; readonly turn: readonly { readonly tool: number; readonly input: number }[] }
  | { readonly do: 'answer'; readonly which: number; readonly answers: readonly Answer[] }
  | { readonly do: 'resume'; readonly which: number; readonly isAborted: boolean }
  | { readonly do: 'resume at once'; readonly which: number; readonly other: number }
  | { readonly do: 'go on'; readonly answers: readonly Answer[] }
  | { readonly do: 'reject' | 'give up' | 'edit'; readonly which: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'restart' }
  /** The conversation may begin there as it began first. */
  | { readonly do: 'enter'; readonly process: number; readonly isBegun: boolean }

export interface Schedule {
  readonly idsRepeat: boolean
  readonly textsDiffer: boolean
  /** Few of them, so that calls are often equal. */
  readonly tools: readonly PlannedCall['tool'][]
  readonly inputs: readonly PlannedCall['input'][]
  readonly steps: readonly Step[]
}

/** The calls of a turn, as places in the tools and inputs of the schedule. */
const turn = fc.array(fc.record({ tool: fc.nat(5), input: fc.nat(5) }), { minLength: 1, maxLength: 3 })
const answers = fc.array(fc.constantFrom<Answer>('approve', 'approve', 'deny', 'leave'), { minLength: 3, maxLength: 3 })
const which = fc.nat(11)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('start' as const), turn }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('go on' as const), answers }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('answer' as const), which, answers }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('resume' as const), which, isAborted: fc.constantFrom(false, false, false, true) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resume at once' as const), which, other: which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('reject' as const, 'give up' as const, 'edit' as const), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('enter' as const), process: fc.nat(2), isBegun: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(10, EXPIRY_MS, 3 * EXPIRY_MS) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
)

export const schedules: fc.Arbitrary<Schedule> = fc
  .record({
    idsRepeat: fc.boolean(),
    textsDiffer: fc.boolean(),
    tools: fc.subarray([...TOOLS], { minLength: 1 }),
    inputs: fc.subarray([...INPUTS], { minLength: 1 }),
    turn,
    steps: fc.array(step, { minLength: 2, maxLength: 14 }),
  })
  .map(({ turn: first, steps, ...rest }) => ({ ...rest, steps: [{ do: 'start', turn: first }, ...steps] }))

/** Plays a schedule, and says what went wrong. */
export async function play<S extends Stored>(
  { steps, tools, inputs, ...options }: Schedule,
  frameworkOf: (world: World) => Promise<Framework<S>>,
): Promise<readonly string[]> {
  const world = new World(options)
  const framework = await frameworkOf(world)
  const stored: S[] = []
  const planned = (call: { readonly tool: number; readonly input: number }): PlannedCall => ({
    tool: tools[call.tool % tools.length] ?? 'two',
    input: inputs[call.input % inputs.length] ?? 'x',
  })
  const keep = (each: S | undefined): void => void (each !== undefined && stored.push(each))
  const resume = async (from: S, signal?: AbortSignal): Promise<void> => {
    const shown = new Set(from.approved.flatMap(({ requests }) => [...requests]))
    const counting = framework.waiting().filter((id) => shown.has(id))
    world.decided(from)
    const after = await framework.resume(from, signal)
    if (after !== 'refused') keep(after)
    const isHeard = after !== 'refused' && signal === undefined
    if (isHeard && framework.waiting().some((id) => counting.includes(id))) world.problems.push('an approval of what waits does not count')
  }
  const giveUp = async (from: S, place: number): Promise<void> => {
    const decided = new Set([...from.approved, ...from.denied].flatMap(({ requests }) => [...requests]))
    const before = framework.waiting().filter((id) => !decided.has(id))
    await framework.giveUp(from, place)
    const after = framework.waiting()
    // Of a call that a state denies, OpenAI Agents tells the id and not the input: where ids repeat, it is that of any such call.
    if (from.denied.length === 0 && before.some((id) => !after.includes(id)))
      world.problems.push('whoever gives up a call that nobody approved takes back what waits')
  }
  for (const each of steps) {
    const chosen = 'which' in each ? stored[each.which % Math.max(1, stored.length)] : stored.at(-1)
    if (each.do === 'start') keep(await framework.start(each.turn.map(planned)))
    else if (each.do === 'wait') await world.clock.advance(each.ms)
    else if (each.do === 'edit') await edited(framework, each.which)
    else if (each.do === 'restart') {
      if (framework.restart === undefined) continue
      world.restarted()
      await framework.restart()
    } else if (each.do === 'enter') {
      if (framework.enter === undefined) continue
      framework.enter(each.process)
      const [first] = steps
      if (each.isBegun && first?.do === 'start') keep(await framework.start(first.turn.map(planned)))
    } else if (chosen === undefined) continue
    else if (each.do === 'answer') keep(await framework.answer(chosen, each.answers))
    else if (each.do === 'go on') {
      keep(await framework.answer(chosen, each.answers))
      await resume(stored.at(-1) ?? chosen)
    } else if (each.do === 'resume') await resume(chosen, each.isAborted ? AbortSignal.abort(new Error('Given up.')) : undefined)
    else if (each.do === 'resume at once') await Promise.all([resume(chosen), resume(stored[each.other % stored.length] ?? chosen)])
    else if (each.do === 'give up') await giveUp(chosen, each.which)
    else {
      world.decided({ approved: [], denied: chosen.denied })
      await framework.reject(chosen)
    }
  }
  return world.problems
}

async function edited(framework: Pick<Framework<Stored>, 'waiting' | 'edit'>, place: number): Promise<void> {
  const open = framework.waiting()
  const request = open[place % Math.max(1, open.length)]
  if (request !== undefined) await framework.edit(request)
}
