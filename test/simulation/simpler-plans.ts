import { simplerPrograms } from '../programs/simpler-programs.ts'
import type { NetworkPlan } from './network.ts'
import type { Plan, RunPlan } from './plan.ts'

const SHARES = [
  'lost',
  'unanswered',
  'unansweredCommits',
  'stuck',
  'swallowed',
  'lostNotices',
  'slow',
] as const satisfies (keyof NetworkPlan)[]

/** Worlds that are a little simpler, the boldest steps first. */
export function* simplerPlans(plan: Plan): Iterable<Plan> {
  const { runs, faults, network, people } = plan
  if (runs.length > 1) for (const index of runs.keys()) yield { ...plan, runs: runs.toSpliced(index, 1) }
  for (const share of SHARES) if (network[share] > 0) yield { ...plan, network: { ...network, [share]: 0 } }
  if (faults.length > 1) yield { ...plan, faults: [] }
  for (const index of faults.keys()) yield { ...plan, faults: faults.toSpliced(index, 1) }
  if (plan.workers > 1) yield { ...plan, workers: plan.workers - 1 }
  if (people.deciders > 1) yield { ...plan, people: { ...people, deciders: 1 } }
  if (people.action !== 'continue') yield { ...plan, people: { ...people, action: 'continue' } }
  yield* withoutOptions(plan)
  for (const [index, run] of runs.entries()) for (const simpler of simplerRuns(run)) yield { ...plan, runs: runs.with(index, simpler) }
}

function* withoutOptions(plan: Plan): Iterable<Plan> {
  const { isOneTool: _one, limit: _limit, ...unlimited } = plan
  if (plan.limit !== undefined) yield unlimited
  const { places, ...apart } = plan
  if (places !== undefined) yield apart
  if (places !== undefined && places.length > 1) for (const place of places) yield { ...plan, places: [place] }
  const { busyMs: _busy, ...idle } = plan
  if (plan.busyMs !== undefined) yield idle
  const { longestPath: _path, ...endless } = plan
  if (plan.longestPath !== undefined) yield endless
  const { upgrade: _upgrade, ...same } = plan
  if (plan.upgrade !== undefined) yield same
  const { isEncrypted: _sealed, ...plain } = plan
  if (plan.isEncrypted === true) yield plain
}

function* simplerRuns(run: RunPlan): Iterable<RunPlan> {
  const { startAfterMs: _start, ...now } = run
  if (run.startAfterMs !== undefined) yield now
  const { isStartedByWorker: _worker, ...apart } = run
  if (run.isStartedByWorker === true) yield apart
  const { deadlineMs: _deadline, ...patient } = run
  if (run.deadlineMs !== undefined) yield patient
  const { cancel: _cancel, ...wanted } = run
  if (run.cancel !== undefined) yield wanted
  for (const program of simplerPrograms(run.program)) yield { ...run, program }
}
