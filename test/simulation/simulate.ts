import type { RealGlobals } from './replace-globals.ts'
import { runWorld } from './run-world.ts'
import { planOf, type Profile } from './plan-of.ts'
import { kindOfProblem } from './kind-of-problem.ts'
export function simulate(args: readonly string[], real: RealGlobals): void {
  const [profile = 'calm', from = '1', count = '100'] = args
  Error.stackTraceLimit = 8
  real.setImmediate(() => {
    const t = real.now(), cpu = process.cpuUsage()
    let runs = 0, steps = 0, st = 0
    const kinds = new Map<string, { n: number; seed: number; ex: string }>()
    for (let seed = +from; seed < +from + +count; seed++) {
      const r = runWorld(planOf(seed, profile as Profile))
      runs += r.plan.runs.length; steps += r.steps; st += r.statements
      for (const p of r.problems) { const k = kindOfProblem(p); const e = kinds.get(k); if (e) e.n++; else kinds.set(k, { n: 1, seed, ex: p }) }
    }
    const u = process.cpuUsage(cpu)
    console.log(runs, 'runs', ((real.now() - t) / 1000).toFixed(1), 's', (runs / ((u.user + u.system) / 1e6)).toFixed(0), 'runs per CPU s', (steps / runs).toFixed(0), 'steps', (st / runs).toFixed(0), 'statements')
    for (const [k, v] of [...kinds].toSorted((a, b) => b[1].n - a[1].n)) console.log(v.n, 'x', k, 'seed', v.seed, '\n      ', v.ex.slice(0, 500))
    process.exit(0)
  })
}
