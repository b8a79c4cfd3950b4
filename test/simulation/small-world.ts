import type { JoinKind } from '../../src/combinators/parallel/join.ts'
import type { LeafMode, LeafProgram, Program } from '../programs/program.ts'
import { FAULTLESS } from './network.ts'
import type { Moment, Plan, RunPlan } from './plan.ts'

// Words for the smallest worlds: programs, moments, networks.

/** Right after a statement that is another one in each schedule. */
export function after(schedule: number): Moment {
  return { afterStatements: 5 + (schedule % 40), afterMs: schedule % 2 === 0 ? 0.01 : 1 }
}

/** A saga has just begun to be undone. */
export function whileUndoing(schedule: number): Moment {
  return { afterHappening: { what: 'undoing', times: 1 }, afterMs: 0.01 + 0.3 * (schedule % 10) }
}

export const look: LeafProgram = { kind: 'leaf', mode: 'ok', ms: 2, effect: 'read', isKeyed: true }

export function act(ms = 2, mode: LeafMode = 'ok'): LeafProgram {
  return { kind: 'leaf', mode, ms, effect: 'write', isKeyed: true }
}

export const unkeyed: LeafProgram = { ...act(), isKeyed: false }

/** Each write has a compensation. */
export function saga(...steps: readonly Program[]): Program {
  return {
    kind: 'saga',
    steps: steps.map((program) => {
      const isUndone = program.kind === 'leaf' && program.effect === 'write'
      return { program, compensation: isUndone ? 'works' : 'none', attempts: 1 }
    }),
  }
}

export function race(join: JoinKind, parts: readonly Program[], afterMs = 8): Program {
  return { kind: 'parallel', join, afterMs, concurrency: 8, parts }
}

export function map(item: Program, count = 2, concurrency = 8): Program {
  return { kind: 'map', item, count, concurrency, collects: false }
}

export function gate(inner: Program, timeoutMs = 0): Program {
  return { kind: 'gate', inner, timeoutMs, onTimeout: 'reject' }
}

export function loop(turn: Program, turns = 1): Program {
  return { kind: 'loop', turn, turns, most: 5 }
}

export function pipe(...parts: readonly Program[]): Program {
  return { kind: 'pipe', parts }
}

export function sleep(ms: number, inner: Program): Program {
  return { kind: 'sleep', ms, inner }
}

export const quiet = { ...FAULTLESS, slow: 0, slowMs: 5, usualMs: 0.5 }
export const slow = { ...quiet, slow: 0.5, slowMs: 50, usualMs: 3 }
export const PEOPLE = { action: 'continue', afterMs: 100, deciders: 1 } as const
/** They do not come to it. */
export const NOBODY = { ...PEOPLE, afterMs: 200_000 }

/** A world with one run of a program, where nothing goes wrong but what is said. */
export function world(
  program: Program,
  more: Partial<Omit<Plan, 'seed' | 'runs'>> & { readonly run?: Omit<RunPlan, 'program'> } = {},
): Omit<Plan, 'seed'> {
  const { run, ...rest } = more
  return { runs: [{ program, ...run }], workers: 1, people: PEOPLE, network: quiet, faults: [], ...rest }
}

export const parkedSaga = saga(act(), gate(act()))
export const whileParked = { people: NOBODY, run: { cancel: { afterMs: 500 } } } as const
