import { showProgram } from '../programs/table.ts'
import { type Found, hunt, type HuntReport } from './hunt.ts'
import { kindOfProblem } from './kind-of-problem.ts'
import type { Plan } from './plan.ts'
import type { RealGlobals } from './replace-globals.ts'
import { recordTraces } from './record-trace.ts'
import { runFixedPlans } from './run-fixed-plans.ts'
import { runWorld } from './run-world.ts'
import { shrinkPlan } from './shrink-plan.ts'
import type { SimulateOptions } from './simulate-options.ts'

/** Hunts in this process, or runs the given world, and gives the exit code. The globals have been replaced. */
export function simulate(options: SimulateOptions, real: RealGlobals): Promise<number> {
  // Stacks of errors that nobody prints cost as much as everything else.
  Error.stackTraceLimit = options.plan === undefined ? 0 : 12
  // A world runs synchronously, outside of any microtask.
  return new Promise((resolve) => real.setImmediate(() => resolve(work(options, real))))
}

function work(options: SimulateOptions, real: RealGlobals): number {
  const { plan, fixed, record } = options
  if (plan !== undefined) return showOne(plan, options)
  if (record !== undefined) {
    recordTraces(record.file, { seed: options.seed, statements: record.statements })
    return 0
  }
  return fixed === undefined ? huntFor(options, real) : showFixed(fixed)
}

function showFixed(schedules: number): number {
  const reports = runFixedPlans(schedules)
  for (const report of reports) console.log(JSON.stringify(report))
  return reports.some(({ problems }) => Object.keys(problems).length > 0) ? 1 : 0
}

function showOne(plan: Plan, { isTraced }: SimulateOptions): number {
  const { problems, trace, simulatedMs, statements } = runWorld(plan, { isTraced })
  for (const line of trace) console.log(line)
  console.log(`${showRuns(plan)}: ${statements} statements, ${(simulatedMs / 1000).toFixed(1)} simulated seconds`)
  for (const problem of problems) console.log(`PROBLEM ${problem}`)
  return problems.length === 0 ? 0 : 1
}

function huntFor(options: SimulateOptions, real: RealGlobals): number {
  const { seconds, worlds: most = Infinity, until, ignored } = options
  const begun = real.now()
  const elapsed = (): number => (real.now() - begun) / 1000
  let counted: Found | undefined
  const report = hunt({
    ...options,
    isOver: (worlds) => worlds >= most || elapsed() > seconds || (counted !== undefined && until !== undefined),
    onFound: (found) => {
      if (ignored?.test(found.kind) === true || until?.test(found.kind) === false) return
      counted ??= found
      const { kind, plan, profile, worlds } = found
      console.log(`FOUND after ${elapsed().toFixed(2)} s, ${worlds} worlds: ${kind} (${profile}, seed ${plan.seed})`)
    },
  })
  console.log(figures(report, options, elapsed()))
  for (const [kind, { worlds, first }] of [...report.kinds].toSorted(([, one], [, other]) => other.worlds - one.worlds))
    if (ignored?.test(kind) !== true) console.log(`${worlds} worlds: ${kind} (first: ${first.profile}, seed ${first.plan.seed})`)
  if (counted !== undefined && options.shrinkSeconds > 0) explain(counted, options, real)
  return counted === undefined ? 0 : 1
}

function figures(report: HuntReport, { seed }: SimulateOptions, seconds: number): string {
  const { runs, worlds, badWorlds, cpuSeconds, goodRunsPerSecond, steps, statements, simulatedMs, digest } = report
  const rate = `${Math.round(runs / cpuSeconds)} runs per CPU second (${goodRunsPerSecond} in worlds without a problem)`
  const each = `${Math.round(steps / runs)} tasks, ${Math.round(statements / runs)} statements and ${(simulatedMs / 1000 / runs).toFixed(1)} simulated seconds a run`
  return `seed ${seed}: ${runs} runs in ${worlds} worlds, ${badWorlds} of them bad, ${seconds.toFixed(1)} s, ${rate}, ${each}, digest ${digest}`
}

function explain({ plan, kind, problem }: Found, { shrinkSeconds }: SimulateOptions, real: RealGlobals): void {
  const end = real.now() + 1000 * shrinkSeconds
  const { plan: smallest, failing } = shrinkPlan(plan, kind, () => real.now() > end)
  const { problems } = runWorld(smallest)
  console.log(`\n${problems.find((each) => kindOfProblem(each) === kind) ?? problem}\n  ${showRuns(smallest)}`)
  console.log(`  fails in ${failing} of 300 schedules; again with its trace:`)
  console.log(`  npm run test:simulate -- --trace --plan '${JSON.stringify(smallest)}'`)
}

function showRuns({ runs }: Plan): string {
  return runs.map(({ program }) => showProgram(program)).join(' | ')
}
