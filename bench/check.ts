import { fileURLToPath } from 'node:url'
import { runProgram } from '../scripts/run-program.ts'
import type { CheckSample } from './check-sample.ts'
import type { Benchmark, Effort, Figure } from './figure.ts'
import { quartilesOf } from './quartiles.ts'

const MOST_MS = 100

/** What `check` costs on a plan of a thousand tools. The budget is for all of it, so that the baseline of a budget is to do nothing. */
export const checkBenchmarks: readonly Benchmark[] = [
  {
    name: 'check',
    run: async () => {
      const { nothing, again, tools } = await sampleInChild('again')
      return [wholly({ name: 'check', about: `a plan of ${tools} tools, checked again` }, [nothing], again)]
    },
  },
  {
    name: 'check-first',
    run: async (effort) => {
      const { byZod, byCheck } = await startOften(effort)
      const { tools = 0, schemas = 0 } = byCheck[0] ?? {}
      const firsts = byCheck.map(({ first }) => first)
      const zods = byZod.map(({ first }) => first)
      const about = `a plan of ${tools} tools, checked for the first time, none of its ${schemas} schemas described before`
      const nothing = byCheck.map((each) => each.nothing)
      return [wholly({ name: 'check-first', about }, nothing, firsts), besideZod(zods, firsts)]
    },
  },
]

function wholly(of: Pick<Figure, 'name' | 'about'>, nothing: readonly number[], samples: readonly number[]): Figure {
  const baseline = quartilesOf(nothing).median
  return {
    ...of,
    unit: 'ms',
    compares: 'difference',
    baseline,
    subject: quartilesOf(samples).median,
    quartiles: quartilesOf(samples.map((each) => each - baseline)),
    budget: MOST_MS,
  }
}

function besideZod(zods: readonly number[], firsts: readonly number[]): Figure {
  return {
    name: 'check-first-zod',
    unit: 'ms',
    compares: 'ratio',
    baseline: quartilesOf(zods).median,
    subject: quartilesOf(firsts).median,
    quartiles: quartilesOf(firsts.map((first, round) => first / (zods[round] ?? Number.NaN))),
    about: 'the same, beside what zod needs to describe each of the schemas once',
  }
}

/** What is done for the first time can be measured once in a process. The two take turns. */
async function startOften({ starts }: Effort): Promise<Readonly<Record<'byZod' | 'byCheck', readonly CheckSample[]>>> {
  const byZod: CheckSample[] = []
  const byCheck: CheckSample[] = []
  for (let round = 0; round < Math.ceil(starts / 2); round++) {
    byZod.push(await sampleInChild('zod'))
    byCheck.push(await sampleInChild('check'))
  }
  return { byZod, byCheck }
}

async function sampleInChild(what: 'again' | 'check' | 'zod'): Promise<CheckSample> {
  const child = fileURLToPath(new URL('check-sample.ts', import.meta.url))
  const { ok, stdout, stderr } = await runProgram(process.execPath, ['--conditions=toolwright-source', child, what])
  if (!ok) throw new Error(`The check of a plan could not be measured:\n${stderr}`)
  return JSON.parse(stdout) as CheckSample
}
