import fc from 'fast-check'
import { type Answer, EXPIRY_MS } from './driver.ts'
import { type Program, programs, type TimeOut } from './program.ts'

const SHORT_MS = EXPIRY_MS / 2

interface Place {
  /** One of what was stored so far. */
  readonly which: number
}

export type Step =
  | { readonly do: 'start'; readonly turn: readonly { readonly tool: number; readonly input: number }[] }
  | ({ readonly do: 'answer'; readonly answers: readonly Answer[] } & Place)
  /** Goes on; the signal is aborted after so many turns of the event loop. */
  | ({ readonly do: 'resume'; readonly abortAfter: number | undefined } & Place)
  | ({ readonly do: 'resume at once'; readonly other: number } & Place)
  | { readonly do: 'go on'; readonly answers: readonly Answer[] }
  | ({ readonly do: 'desk'; readonly decision: 'approve' | 'edit' | 'reject' | 'stop' } & Place)
  | ({ readonly do: 'deny' | 'give up' | 'cancel' } & Place)
  | ({ readonly do: 'drop'; readonly how: number } & Place)
  | { readonly do: 'wait'; readonly ms: number }
  /** The conversation may begin there as it began first. */
  | { readonly do: 'enter'; readonly process: number; readonly isBegun: boolean }
  /** All processes die. */
  | { readonly do: 'crash' }

export interface Schedule {
  readonly isDurable: boolean
  /** Whether the model gives its calls ids that it has given before. */
  readonly idsRepeat: boolean
  readonly textsDiffer: boolean
  readonly timeOut: TimeOut | undefined
  readonly programs: readonly Program[]
  readonly inputs: readonly string[]
  readonly steps: readonly Step[]
}

const turn = fc.array(fc.record({ tool: fc.nat(5), input: fc.nat(5) }), { minLength: 1, maxLength: 3 })
const answer = fc.constantFrom<Answer>('approve', 'approve', 'approve', 'approve', 'reject', 'reject', 'edit', 'stop', 'leave')
const answers = fc.array(answer, { minLength: 4, maxLength: 4 })
const which = fc.nat(11)

function to<D extends Step['do']>(done: D): fc.Arbitrary<D> {
  return fc.constant(done)
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: to('start'), turn }) },
  { weight: 6, arbitrary: fc.record({ do: to('go on'), answers }) },
  { weight: 4, arbitrary: fc.record({ do: to('answer'), which, answers }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: to('resume'),
      which,
      abortAfter: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(20) }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: to('resume at once'), which, other: which }) },
  { weight: 2, arbitrary: fc.record({ do: to('desk'), which, decision: fc.constantFrom('approve', 'edit', 'edit', 'reject', 'stop') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('deny' as const, 'give up' as const, 'cancel' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: to('drop'), which, how: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ do: to('enter'), process: fc.nat(2), isBegun: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: to('wait'), ms: fc.constantFrom(10, SHORT_MS, EXPIRY_MS, 3 * EXPIRY_MS) }) },
  { weight: 1, arbitrary: fc.record({ do: to('crash') }) },
)

/** Gates whose time is over before what waits in memory expires, and after it. */
const timeOut: fc.Arbitrary<TimeOut> = fc.record({
  ms: fc.constantFrom(SHORT_MS, 2 * EXPIRY_MS),
  onTimeout: fc.constantFrom('reject', 'stop', 'continue'),
})

export const schedules: fc.Arbitrary<Schedule> = fc
  .record({
    isDurable: fc.boolean(),
    idsRepeat: fc.boolean(),
    textsDiffer: fc.boolean(),
    timeOut: fc.option(timeOut, { nil: undefined }),
    programs: fc.array(programs, { minLength: 1, maxLength: 2 }),
    inputs: fc.subarray(['x', 'y'], { minLength: 1 }),
    turn,
    steps: fc.array(step, { minLength: 2, maxLength: 14 }),
  })
  .map(({ turn: first, steps, ...rest }) => ({ ...rest, steps: [{ do: 'start', turn: first }, ...steps] }))
