import type { Program } from '../programs/program.ts'
import type { Plan } from './plan.ts'
import { STEP_PLANS } from './step-plans.ts'
import { STOP_PLANS } from './stop-plans.ts'
import {
  after,
  whileUndoing,
  look,
  act,
  unkeyed,
  saga,
  race,
  map,
  gate,
  loop,
  pipe,
  sleep,
  quiet,
  slow,
  PEOPLE,
  NOBODY,
  world,
  parkedSaga,
  whileParked,
} from './small-world.ts'

/** The smallest world that once showed a defect. */
export interface FixedPlan {
  /** What was wrong, in a sentence. */
  readonly name: string
  /** How the kind of problem began that it showed. */
  readonly showed: string
  /** One world for each schedule: what befalls it comes after another statement each time. */
  readonly plan: (schedule: number) => Omit<Plan, 'seed'>
}

export const FIXED_PLANS: readonly FixedPlan[] = [
  {
    name: 'a race in a race is left while it undoes its losers',
    showed: 'a saga was left',
    plan: () => world(race('partial', [race('partial', [saga(act(5)), look]), look]), { network: slow }),
  },
  {
    name: 'a race of sagas is left when it is cancelled',
    showed: 'a saga was left',
    plan: (schedule) =>
      world(race('first', [saga(act(), act(12)), saga(act(), act(12))]), { network: slow, run: { cancel: after(schedule) } }),
  },
  {
    name: 'a saga of a loser completes while the race is cancelled',
    showed: 'a completed saga of a loser stands',
    plan: (schedule) => world(race('partial', [map(saga(act())), look], 40), { network: slow, run: { cancel: after(schedule) } }),
  },
  {
    name: 'a saga of a loser completes after its compound has failed',
    showed: 'a completed saga of a loser stands',
    plan: () =>
      world(
        { kind: 'flows', parts: [{ ...look, mode: 'refused' }, race('first', [saga(look), saga(act())])], waitsFor: 'first' },
        { network: slow },
      ),
  },
  {
    name: 'a map of sagas is cancelled while it waits for people',
    showed: 'a saga was left',
    plan: () => world(map(parkedSaga), whileParked),
  },
  {
    name: 'a saga behind a map is cancelled while it waits',
    showed: 'a saga was left',
    plan: () => world(pipe(map(look), parkedSaga), whileParked),
  },
  {
    name: 'a saga behind a sleep is cancelled while it waits',
    showed: 'a saga was left',
    plan: () => world(sleep(5, parkedSaga), whileParked),
  },
  {
    name: 'the deadline passes while the worker is dead, in a map of loops',
    showed: 'a saga was left',
    plan: (schedule) => world(map(loop(saga(act(5))), 3, 1), { run: { deadlineMs: 2000 }, faults: [{ kind: 'kill', ...after(schedule) }] }),
  },
  {
    name: 'the deadline passes while the worker is dead, in a map of sagas',
    showed: 'a saga was left',
    plan: (schedule) => world(map(saga(act(5, 'unsaid'))), { run: { deadlineMs: 2000 }, faults: [{ kind: 'kill', ...after(schedule) }] }),
  },
  {
    name: 'a message holds half of a surrogate pair',
    showed: 'a run never ended',
    plan: () => world({ kind: 'leaf', mode: 'odd_message', ms: 2, effect: 'read', isKeyed: true }),
  },
  {
    name: 'a message holds half of a surrogate pair, and workers die',
    showed: 'a run',
    plan: () =>
      world(act(2, 'odd_message'), {
        faults: [
          { kind: 'kill', afterMs: 500 },
          { kind: 'kill', afterMs: 14_000 },
        ],
      }),
  },
  {
    name: 'a path that is refused blocks the runs beside it',
    showed: 'a run is blocked',
    plan: () => ({
      ...world(look),
      runs: [{ program: look }, { program: map(map(loop(look))) }, { program: pipe(look, look) }],
      longestPath: 30,
    }),
  },
  {
    name: 'runs that are held back are forgotten by a worker without the limit',
    showed: 'a run never ended: it is queued and held back',
    plan: (schedule) => ({
      ...world(gate(act()), { faults: [{ kind: 'kill', ...after(schedule) }] }),
      runs: [{ program: gate(act()) }, { program: gate(act()) }, { program: gate(act()) }],
      isOneTool: true,
      limit: { concurrency: 1, isOnFirstOnly: true },
    }),
  },
  {
    name: 'an effect begins long after its write, when the run has ended elsewhere',
    showed: 'an effect after the end of its run',
    plan: (schedule) =>
      world(map(saga(unkeyed)), { network: { ...quiet, usualMs: 3 }, faults: [{ kind: 'pause', ...after(schedule), ms: 20_000 }] }),
  },
  {
    name: 'a run that starts later is cancelled',
    showed: 'a cancelled run ended much later',
    plan: () => world(look, { run: { startAfterMs: 200_000, cancel: { afterMs: 20 } } }),
  },
  {
    name: 'a gate whose time is up is claimed again and again',
    showed: 'a run was claimed again and again',
    plan: () => world(gate(look, 5000), { people: NOBODY, busyMs: 0.05 }),
  },
  {
    name: 'a worker that stands still in a transaction holds the row of a run',
    showed: 'a row was locked for longer',
    plan: (schedule) => world(map(gate(saga(look))), { faults: [{ kind: 'pause', ...after(schedule), ms: 19_000 }] }),
  },
  {
    name: 'a worker claims by a job that another worker has by now',
    showed: 'a run was taken from a worker that was alive',
    plan: (schedule) =>
      world(pipe(act(3000), act(3000)), { faults: [{ kind: 'pause', afterStatements: 5 + (schedule % 4), afterMs: 0.01, ms: 12_500 }] }),
  },
  {
    name: 'somebody stops a run that is being undone',
    showed: 'a saga was left compensating',
    plan: (schedule) =>
      world(saga(act(), gate(look)), {
        people: { action: 'stop', afterMs: 9000, deciders: 1 },
        run: { cancel: { afterMs: 2000 } },
        faults: [{ kind: 'kill', ...whileUndoing(schedule) }],
      }),
  },
  {
    name: 'a loser is being undone when its worker dies',
    showed: 'a saga was left',
    plan: (schedule) =>
      world(race('first', [map(saga(act())), { ...look, ms: 5 }]), {
        network: slow,
        faults: [{ kind: 'kill', ...whileUndoing(schedule) }],
      }),
  },
  {
    name: 'a limit counts a run whose worker is dead',
    showed: 'all runs of a tool with a limit stood still',
    plan: (schedule) => ({
      ...world(pipe(act(100), act(100), act(100)), { faults: [{ kind: 'kill', ...after(schedule) }] }),
      runs: [{ program: pipe(act(100), act(100), act(100)) }, { program: look }],
      isOneTool: true,
      limit: { concurrency: 1, isOnFirstOnly: false },
    }),
  },
  {
    name: 'a request that is written again covers the decision that came in between',
    showed: 'a decision stands in the journal otherwise',
    plan: () => world(gate(look), { people: { ...PEOPLE, afterMs: 1 }, network: { ...quiet, usualMs: 3, unansweredCommits: 0.05 } }),
  },
  {
    name: 'a saga does not say what stands of a race inside it',
    showed: 'not undone, and not said to be',
    plan: () => world(saga(race('partial', [{ kind: 'leaf', mode: 'refused', ms: 2, effect: 'read', isKeyed: true }, act(100)]))),
  },
  {
    name: 'a compound returns while its parts still run',
    showed: 'a saga was left running',
    plan: () => world({ kind: 'flows', parts: [look, saga(act(), act(100))], waitsFor: 'first' }),
  },
  {
    name: 'the reason of a cancellation stands in plain text',
    showed: 'plain text in run.cancel',
    plan: () => world(gate(look), { ...whileParked, isEncrypted: true }),
  },
  {
    name: 'the name of an assignee stands in plain text',
    showed: 'plain text in approval.assignee',
    plan: () => world(gate(look), { people: { ...PEOPLE, assigns: true }, isEncrypted: true }),
  },
  {
    name: 'a part of a compound that is renamed is done again',
    showed: 'done again under another name',
    plan: () =>
      world({ kind: 'seq', parts: [act(), sleep(8000, act())] }, { upgrade: 'rename_part', faults: [{ kind: 'kill', afterMs: 3000 }] }),
  },
  {
    name: 'a run ends at a bound of its loop that was lowered below what it has done',
    showed: 'a run ended at a bound',
    plan: () =>
      world(loop(gate(act()), 3), {
        people: { ...PEOPLE, afterMs: 3000 },
        upgrade: 'lower_bound',
        faults: [{ kind: 'kill', afterMs: 8_000 }],
      }),
  },
  {
    name: 'a run is blocked by a worker with another version, beside one that could go on',
    showed: 'a run was blocked beside',
    plan: () => world(saga(act(), gate(act())), { workers: 2, upgrade: 'rename_step' }),
  },
  {
    name: 'the time of a request is up whose decision was covered in the journal',
    showed: 'a run never ended',
    plan: (schedule) =>
      world(
        { kind: 'ask', inner: look, timeoutMs: 5000 },
        {
          people: { ...PEOPLE, afterMs: 1 },
          network: { ...quiet, usualMs: 3, unansweredCommits: 0.15 },
          faults: [{ kind: 'pause', afterHappening: { what: 'claimed', times: 1 }, afterMs: 20 + schedule, ms: 20_000 }],
        },
      ),
  },
  {
    name: 'a request is withdrawn at the deadline of a part, and the worker dies before it goes on',
    showed: 'a run never ended: it is waiting',
    plan: (schedule) =>
      world(
        { kind: 'deadline', inner: race('all', [saga(look), gate(look)]), ms: 3 },
        { network: { ...quiet, usualMs: 3 }, people: { ...PEOPLE, afterMs: 9000 }, faults: [{ kind: 'kill', ...after(schedule) }] },
      ),
  },
  {
    name: 'a stop that came before the cancellation is forgotten when the run is taken up',
    showed: 'a saga was left compensating in a run that completed',
    plan: (schedule) =>
      world(race('first', [gate(look), saga(act(100), act(100), act())], 3), {
        people: { action: 'stop', afterMs: 1, deciders: 2 },
        network: { ...quiet, slow: 0.3, slowMs: 400 },
        run: { cancel: { afterStatements: 20 + (schedule % 12) * 2, afterMs: 0.7 } },
        faults: [{ kind: 'pause', afterStatements: 18 + (Math.floor(schedule / 12) % 7) * 2, afterMs: 0.01, ms: 14_000 }],
      }),
  },
  {
    name: 'a store of keys that could not be asked at first is asked when the run is taken up',
    showed: 'a run is blocked: replay_diverged',
    plan: (schedule) =>
      world(
        { ...race('all', [saga({ ...look, ms: 100 }, act()), { kind: 'idempotent', inner: act() }, look]), concurrency: 2 } as Program,
        { network: { ...quiet, usualMs: 3, lost: 0.1 }, faults: [{ kind: 'kill', ...after(schedule) }] },
      ),
  },
  {
    name: 'a part of a step without a compensation is renamed while the saga is undone',
    showed: 'not undone, and not said to be',
    plan: (schedule) =>
      world(saga({ kind: 'seq', parts: [act(), saga(act(), act()), saga(look)] }, { ...look, mode: 'refused' }), {
        upgrade: 'rename_part',
        faults: [{ kind: 'kill', afterStatements: 20 + (schedule % 20), afterMs: schedule % 2 === 0 ? 0.01 : 1 }],
      }),
  },
  {
    name: 'a part of a branch that has lost is renamed while the branch is undone',
    showed: 'a saga was left',
    plan: () =>
      world(race('first', [{ kind: 'seq', parts: [saga(look, act())] }, look], 3), {
        network: { ...quiet, slow: 0.3, slowMs: 400 },
        upgrade: 'rename_part',
        faults: [{ kind: 'kill', afterHappening: { what: 'undoing', times: 1 }, afterMs: 0.01 }],
      }),
  },
  {
    name: 'a request is withdrawn while its run is put away',
    showed: 'a run never ended: it is waiting',
    plan: () =>
      world(race('all', [{ kind: 'ask', inner: look, timeoutMs: 0 }, act(30)]), {
        people: { ...PEOPLE, afterMs: 3000 },
        run: { deadlineMs: 4 },
      }),
  },
  {
    name: 'a store of keys that is slow is taken for a program that does something else',
    showed: 'a run is blocked: replay_diverged',
    plan: () =>
      world(map({ kind: 'idempotent', inner: act() }), {
        network: { ...quiet, usualMs: 0.1, stuck: 0.03 },
        faults: [{ kind: 'kill', afterStatements: 12, afterMs: 0.01 }],
      }),
  },
  {
    name: 'a stop in a branch that has lost comes up when the run is taken up',
    showed: 'a completed saga of a loser stands',
    plan: (schedule) =>
      world(race('partial', [map(saga(gate(act())), 3), saga(act())], 100), {
        people: { action: 'stop', afterMs: 1, deciders: 1 },
        network: { ...quiet, usualMs: 0.1, slow: 0.3, slowMs: 50 },
        faults: [{ kind: 'kill', afterHappening: { what: 'undoing', times: 3 }, afterMs: (schedule % 40) / 10 }],
      }),
  },
  {
    name: 'two parts of a run wait for each other, one for the key and one for the record',
    showed: 'a run is blocked: replay_diverged',
    plan: (schedule) =>
      world(map({ kind: 'idempotent', inner: act(2, 'refused') }, 3), {
        network: { ...quiet, slow: 0.3, slowMs: 400 },
        faults: [{ kind: 'kill', ...after(schedule) }],
      }),
  },
  {
    name: 'a worker that has lost the run claims a key for it, and nobody gives it back',
    showed: 'a run never ended: it is waiting',
    plan: (schedule) =>
      world({ ...map({ kind: 'idempotent', inner: { ...look, mode: 'unsaid' } }, 3), collects: true } as Program, {
        faults: [{ kind: 'pause', ...after(schedule), ms: 11_800 }],
      }),
  },
  {
    name: 'a step that only reads and failed is taken for one that was added',
    showed: 'a run is blocked: replay_diverged',
    plan: (schedule) =>
      world(map(race('partial', [saga(unkeyed, look, act()), look], 8)), {
        faults: [{ kind: 'kill', afterHappening: { what: 'undoing', times: 2 }, afterMs: (schedule % 40) / 10 }],
      }),
  },
  {
    name: 'a race that was stopped undoes its parts, and leaves them half undone when it is cancelled meanwhile',
    showed: 'a saga was left compensating in a run that stopped',
    plan: (schedule) => {
      const branch = race(schedule % 2 === 0 ? 'all' : 'partial', [{ kind: 'ask', inner: look, timeoutMs: 0 }, saga(act(2))], 100)
      return world(race('first', [branch, branch]), {
        people: { action: 'stop', afterMs: 1, deciders: 1 },
        run: { cancel: { afterMs: 7168 } },
        faults: [{ kind: 'pause', afterHappening: { what: 'undoing', times: 1 }, afterMs: (schedule % 40) / 100, ms: 14_971 }],
      })
    },
  },
  {
    name: 'a map in a branch that has lost waits for the undoing of its items, which the race around it begins later',
    showed: 'a run is blocked: replay_diverged',
    plan: (schedule) =>
      world(
        race('all', [
          pipe(race('first', [{ ...look, ms: 12 + (schedule % 10) / 10 }, map(saga(act(5), { ...look, ms: 5 }), 2, 1)]), act(100)),
          saga({ kind: 'ask', inner: act(0.5), timeoutMs: 5000 }),
        ]),
        { people: { action: 'reject', afterMs: 100, deciders: 1 } },
      ),
  },
  {
    name: 'a breaker inside a breaker of the same rules waits for itself',
    showed: 'all runs of a tool with a limit stood still',
    plan: () => ({
      ...world({ kind: 'breaker', inner: { kind: 'breaker', inner: look, minCalls: 1 }, minCalls: 1 }),
      isOneTool: true,
      limit: { concurrency: 1, isOnFirstOnly: true },
    }),
  },
  {
    name: 'a wait for a turn that was given up takes the turns of those that still wait, at each resume',
    showed: 'a run never ended',
    plan: () => {
      const waits: Program = { kind: 'limit', inner: look, concurrency: 8, perMs: 2000 }
      const turn: Program = {
        kind: 'parallel',
        join: 'first',
        afterMs: 20,
        concurrency: 1,
        parts: [map(saga(waits, act(2, 'odd_message'))), look],
      }
      return world(loop(turn, 3))
    },
  },
  ...STEP_PLANS,
  ...STOP_PLANS,
]
