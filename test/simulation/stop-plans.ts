import type { Program } from '../programs/program.ts'
import type { FixedPlan } from './fixed-plans.ts'
import { act, gate, look, loop, map, quiet, PEOPLE, race, saga, sleep, world } from './small-world.ts'

const asked: Program = { kind: 'ask', inner: act(), timeoutMs: 0 }

/** Waits for the first flow only. */
function firstFlow(...parts: readonly Program[]): Program {
  return { kind: 'flows', parts, waitsFor: 'first' }
}

const tidy = (inner: Program): Program => ({ kind: 'tidy', inner })
const askedAbout: Program = { kind: 'saga', steps: [{ program: act(), compensation: 'asked', attempts: 1 }] }
/** Two items at a time, and all of them. */
const collected = (item: Program): Program => ({ kind: 'map', item, count: 3, concurrency: 2, collects: true })
const shielded = (inner: Program): Program => ({ kind: 'shielded', inner })

/** Worlds in which a run is taken up after somebody has stopped or cancelled it. */
export const STOP_PLANS: readonly FixedPlan[] = [
  {
    name: 'a stop that is taken up keeps branches from beginning that had begun',
    showed: 'said to be not undone, and is undone',
    plan: (schedule) =>
      world(saga({ ...race('all', [saga(gate(look)), saga(look), saga(sleep(300, act(0.5)), act(100))]), concurrency: 2 } as Program), {
        people: { action: 'stop', afterMs: 1, deciders: 1 },
        network: { ...quiet, usualMs: 3 },
        faults: [{ kind: 'kill', afterHappening: { what: 'undoing', times: 1 }, afterMs: (schedule % 40) / 4 }],
      }),
  },
  {
    name: 'a map waits for a stop before it records that an item failed',
    showed: 'a run never ended: it is running',
    plan: (schedule) =>
      world(map(loop(saga(act(5), gate(act(30))))), {
        people: { action: 'stop', afterMs: 100, deciders: 2 },
        faults: [{ kind: 'kill', afterHappening: { what: 'undoing', times: 2 }, afterMs: (schedule % 40) / 4 }],
      }),
  },
  {
    name: 'a compound does not wait for the flow that was stopped, and what the stop holds back in another never ends',
    showed: 'a run never ended: it is running',
    plan: (schedule) =>
      world(firstFlow(race('all', [act(), saga(asked)]), gate(look)), {
        people: { action: 'stop', afterMs: 3000, deciders: 1 },
        network: { ...quiet, slow: 0.3, slowMs: 400, usualMs: 0.1 },
        faults: [{ kind: 'pause', afterHappening: { what: 'effect', times: 1 }, afterMs: (schedule % 40) / 40, ms: 15_610 }],
      }),
  },
  {
    name: 'the same without a fault: the other flow sleeps when somebody stops the run',
    showed: 'a run never ended: it is running',
    plan: () => world(firstFlow(saga(act(), sleep(8000, asked)), gate(look)), { people: { action: 'stop', afterMs: 3000, deciders: 1 } }),
  },
  {
    name: 'a run is cancelled while a shielded call waits for a person',
    showed: 'a run never ended: it is waiting',
    plan: () => world(shielded(gate(act())), { people: { ...PEOPLE, afterMs: 900 }, run: { cancel: { afterMs: 500 } } }),
  },
  {
    name: 'a step of a saga tidies up when its run is cancelled while it waits for a person',
    showed: 'not tidied up',
    plan: (schedule) =>
      world(saga(act(), tidy(gate(act()))), {
        people: { ...PEOPLE, afterMs: 9000 },
        run: { cancel: { afterMs: 500 + (schedule % 40) * 7 } },
      }),
  },
  {
    name: 'a person is asked about the undoing of a part of a race, and the record of a cancelled read beside it holds other parts of the run',
    showed: 'a run is blocked: replay_diverged',
    plan: () =>
      world(collected(race('partial', [askedAbout, { ...look, ms: 12 }])), {
        people: { ...PEOPLE, afterMs: 6000 },
        network: { ...quiet, usualMs: 3 },
      }),
  },
  {
    name: 'a run that is out of time is taken up while it tidies up, and walks where nothing had begun',
    showed: 'a run is blocked: replay_diverged',
    plan: (schedule) =>
      world(tidy(collected(tidy(map({ ...look, ms: 30 })))), {
        run: { deadlineMs: 6 },
        faults: [{ kind: 'kill', afterHappening: { what: 'effect', times: 1 }, afterMs: (schedule % 40) / 10 }],
      }),
  },
  {
    name: 'a shielded call asks a person when its run is cancelled already',
    showed: 'a run never ended: it is waiting',
    plan: (schedule) => world(shielded(sleep(300, gate(act()))), { run: { cancel: { afterMs: 20 + (schedule % 40) * 7 } } }),
  },
  {
    name: 'a shielded call sleeps beyond the deadline of its run, which wakes it again and again',
    showed: 'a run was claimed again and again for nothing',
    plan: (schedule) => world(shielded(sleep(8000, look)), { run: { deadlineMs: 2500 + schedule } }),
  },
  {
    name: 'a race tries a shielded call again that was cut off before, and something else of the run is recorded',
    showed: 'a run is blocked: replay_diverged',
    plan: (schedule) =>
      world(
        {
          kind: 'retried',
          inner: race('partial', [{ kind: 'ask', inner: shielded(act(2)), timeoutMs: 0 }, saga(look)], 8),
          attempts: 2,
        } as Program,
        {
          people: { ...PEOPLE, afterMs: 6000 },
          network: { ...quiet, usualMs: 3 },
          faults: [{ kind: 'pause', afterStatements: 17, afterMs: (schedule % 40) / 10, ms: 11_823 }],
        },
      ),
  },
]
