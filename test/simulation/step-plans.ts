import type { FixedPlan } from './fixed-plans.ts'
import { act, after, look, pipe, quiet, race, saga, slow, unkeyed, world } from './small-world.ts'

/** Worlds in which steps fail: reads are tried again, and people are asked what happened. */
export const STEP_PLANS: readonly FixedPlan[] = [
  {
    name: 'a read of a branch that has lost waits for another attempt, whose end is recorded and not reached again',
    showed: 'a run is blocked: replay_diverged',
    plan: (schedule) =>
      world(
        pipe(
          race('first', [
            { ...look, mode: 'lost' },
            { ...look, ms: 100 },
          ]),
          act(100),
        ),
        {
          network: schedule % 3 === 0 ? slow : quiet,
          faults: [{ kind: 'kill', ...after(schedule) }],
        },
      ),
  },
  {
    name: 'a worker is killed between the attempts at a read, and they are counted anew',
    showed: 'a read was tried more often than it may',
    plan: (schedule) =>
      world(pipe({ ...look, mode: 'flaky' }, saga(act(), { ...look, mode: 'lost' })), {
        faults: [schedule, schedule + 7].map((each) => ({ kind: 'kill', ...after(each) })),
      }),
  },
  {
    name: 'a person is asked about an unknown outcome, and the step happens twice or never',
    showed: 'an effect without a key happened more than once',
    plan: (schedule) =>
      world(pipe(unkeyed, { ...unkeyed, mode: 'flaky' }, saga(act(), { ...unkeyed, mode: 'unsaid' })), {
        network: schedule % 3 === 0 ? slow : quiet,
        run: { asksOutcome: true },
        faults: [schedule, schedule + 11].map((each) => ({ kind: 'kill', ...after(each) })),
      }),
  },
]
