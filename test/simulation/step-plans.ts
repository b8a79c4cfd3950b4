import type { Program } from '../programs/program.ts'
import type { FixedPlan } from './fixed-plans.ts'
import { act, after, gate, look, map, pipe, quiet, race, saga, slow, unkeyed, world } from './small-world.ts'

/** Worlds in which steps fail: reads are tried again, people are asked what happened, other levels answer. */
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
  {
    name: 'a level of a fallback uses up its own time while it sleeps; the next level asks a person',
    showed: 'a run is blocked: replay_diverged',
    plan: (schedule) =>
      world(
        pipe({ kind: 'fallback', levelMs: 8, isForAll: true, levels: [{ kind: 'sleep', ms: 1600, inner: look }, gate(look)] }, act(2)),
        {
          faults: schedule % 2 === 0 ? [] : [{ kind: 'kill', afterMs: schedule }],
        },
      ),
  },
  {
    name: 'a saga in a level of a fallback uses up its own time between two attempts',
    showed: 'a run is blocked: replay_diverged',
    plan: (schedule) =>
      world(
        { kind: 'fallback', levelMs: 8, isForAll: true, levels: [saga(act(2), { ...look, mode: 'unsaid' }), gate(look)] },
        {
          faults: schedule % 2 === 0 ? [] : [{ kind: 'kill', afterMs: schedule }],
        },
      ),
  },
  {
    name: 'a layer around a saga that only reads, in a branch that has lost: a layer has the name of the tool inside it',
    showed: 'a run is blocked: replay_diverged',
    plan: (schedule) =>
      world(race('first', [look, saga({ kind: 'retry', inner: saga(look), attempts: 1, baseMs: 10 })]), {
        faults: [{ kind: 'kill', afterHappening: { what: 'undoing', times: 1 + (schedule % 3) }, afterMs: 0.8 }],
      }),
  },
  {
    name: 'a saga is repeated and undone by two layers, and an attempt has the keys of an earlier one',
    showed: 'an effect without a key happened more than once',
    plan: () =>
      world({
        ...{ kind: 'retry', attempts: 2, baseMs: 10 },
        inner: { kind: 'heal', inner: saga(unkeyed, { ...look, mode: 'unsaid' }), attempts: 2, hasRepairer: false },
      }),
  },
  {
    name: 'a run leaves its process while its parts wait for the first call of a breaker, and the next segment waits for them',
    showed: 'a cancelled run ended much later',
    plan: (schedule) =>
      world(race('first', [map(saga({ kind: 'breaker', inner: look, minCalls: 1 }), 3), look], 3), {
        run: { cancel: { afterMs: 10 + (schedule % 20) } },
        longestPath: 30,
      }),
  },
  {
    name: 'a group that is out of time ends anew at each resume, where its end can no longer be recorded',
    showed: 'a run is blocked: replay_diverged',
    plan: (schedule) => {
      const group: Program = {
        kind: 'together',
        parts: [saga(act()), saga({ ...look, ms: 100 })],
        until: 'all',
        afterMs: 40,
        concurrency: 8,
      }
      return world(saga(group, look), {
        run: { deadlineMs: 432 },
        faults: [
          { kind: 'kill', afterStatements: 8 + (schedule % 4), afterMs: 0.01 },
          { kind: 'kill', afterHappening: { what: 'undoing', times: 1 + (schedule % 3) }, afterMs: 0.6 + (schedule % 7) / 5 },
        ],
      })
    },
  },
  {
    name: 'an item that was cut off in the line of a limit takes a turn at each resume, and those under way sleep for ever',
    showed: 'a run never ended: it is waiting',
    plan: (schedule) => {
      const limited: Program = {
        ...{ kind: 'limit', concurrency: 8, perMs: schedule % 2 === 0 ? 2000 : 1100 },
        inner: act(2, 'flaky'),
      }
      return world({ kind: 'heal', inner: map(limited), attempts: 3, hasRepairer: false })
    },
  },
  {
    name: 'a worker that slept is given the job of its run again after another one had it, and removes it when it leaves the run to others',
    showed: 'the search for lost runs found one that was running',
    plan: () => ({
      ...world(look, {
        network: { ...quiet, slow: 0.3, usualMs: 0.1 },
        faults: [
          { kind: 'kill', afterStatements: 72, afterMs: 0.01 },
          { kind: 'pause', afterStatements: 41, afterMs: 0.72, ms: 10_194.5 },
          { kind: 'kill', afterStatements: 24, afterMs: 0.27 },
        ],
        people: { action: 'continue', afterMs: 3000, deciders: 1 },
        places: [{ start: 1, name: 1, space: 1 }],
        upgrade: 'rename_step',
      }),
      runs: [
        { program: look, cancel: { afterStatements: 49, afterMs: 1.14 } },
        { program: map(saga({ kind: 'sleep', ms: 8000, inner: look })) },
      ],
    }),
  },
  {
    name: 'a claim that was given up arrives when its call has ended, and holds the key for nobody',
    showed: 'a run never ended: it is waiting',
    plan: (schedule) =>
      world(
        map(
          { kind: 'heal', inner: { kind: 'idempotent', inner: { ...look, mode: 'unsaid', ms: 100 } }, attempts: 3, hasRepairer: false },
          3,
        ),
        {
          network: { ...quiet, usualMs: 0.1, stuck: 0.02 * (1 + (schedule % 5)) },
        },
      ),
  },
]
