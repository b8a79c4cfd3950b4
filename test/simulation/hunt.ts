import { createHash } from 'node:crypto'
import { kindOfProblem } from './kind-of-problem.ts'
import { planOf, type Profile } from './plan-of.ts'
import type { Plan } from './plan.ts'
import { runWorld } from './run-world.ts'

export interface HuntOptions {
  readonly profiles: readonly Profile[]
  readonly seed: number
  /** From one seed to the next: several processes take turns. */
  readonly stride: number
  readonly isOver: (worlds: number) => boolean
  readonly onFound?: (found: Found) => void
}

/** The first world in which a kind of problem was seen. */
export interface Found {
  readonly kind: string
  readonly problem: string
  readonly plan: Plan
  readonly profile: Profile
  /** How many worlds it took. */
  readonly worlds: number
}

export interface HuntReport {
  readonly worlds: number
  readonly badWorlds: number
  readonly runs: number
  readonly steps: number
  readonly statements: number
  readonly simulatedMs: number
  readonly effects: number
  readonly cpuSeconds: number
  /** Of worlds without a problem, how many runs a second of one processor makes: one that never ends costs as much as a hundred others. */
  readonly goodRunsPerSecond: number
  /** How many worlds showed each kind. */
  readonly kinds: ReadonlyMap<string, { readonly worlds: number; readonly first: Found }>
  readonly digest: string
}

/** To ask for the time of the processor costs as much as a small world: one in so many is measured. */
const SAMPLED = 16

/** Runs one world after the other, the profiles by turns, until it is told that it is over. */
export function hunt({ profiles, seed, stride, isOver, onFound }: HuntOptions): HuntReport {
  const begun = process.cpuUsage()
  const digest = createHash('sha256')
  const kinds = new Map<string, { worlds: number; first: Found }>()
  const sum = { worlds: 0, badWorlds: 0, runs: 0, steps: 0, statements: 0, simulatedMs: 0, effects: 0 }
  const good = { runs: 0, seconds: 0 }
  for (; !isOver(sum.worlds); sum.worlds++) {
    const profile = profiles[sum.worlds % profiles.length] ?? 'calm'
    const before = sum.worlds % SAMPLED === 0 ? process.cpuUsage() : undefined
    const plan = planOf(seed + sum.worlds * stride, profile)
    const report = runWorld(plan)
    if (report.problems.length === 0 && before !== undefined) {
      good.runs += plan.runs.length
      good.seconds += secondsSince(before)
    }
    digest.update(report.digest)
    sum.runs += plan.runs.length
    for (const figure of ['steps', 'statements', 'simulatedMs', 'effects'] as const) sum[figure] += report[figure]
    if (report.problems.length > 0) sum.badWorlds++
    for (const problem of report.problems) {
      const kind = kindOfProblem(problem)
      const known = kinds.get(kind)
      if (known !== undefined) {
        known.worlds++
        continue
      }
      const first = { kind, problem, plan, profile, worlds: sum.worlds + 1 }
      kinds.set(kind, { worlds: 1, first })
      onFound?.(first)
    }
  }
  const goodRunsPerSecond = Math.round(good.runs / Math.max(good.seconds, 1e-6))
  return { ...sum, cpuSeconds: secondsSince(begun), goodRunsPerSecond, kinds, digest: digest.digest('hex').slice(0, 16) }
}

/** Of processor time. */
function secondsSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1e6
}
