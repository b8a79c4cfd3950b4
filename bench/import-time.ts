import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runProgram } from '../scripts/run-program.ts'
import { builtPackage } from './built-package.ts'
import type { Benchmark } from './figure.ts'
import { quartilesOf } from './quartiles.ts'

const MOST_MS = 20

/** What importing the root of the published package adds to the start of a program, without any schema library. */
export const importTime: Benchmark = {
  name: 'import-time',
  run: async ({ starts }) => {
    const root = pathToFileURL(join(await builtPackage(), 'index.js')).href
    const programs = { bare: '', importing: `import ${JSON.stringify(root)}` }
    const times = { bare: [] as number[], importing: [] as number[] }
    await startMs(programs.importing)
    for (let round = 0; round < starts; round++) {
      for (const side of round % 2 === 0 ? (['bare', 'importing'] as const) : (['importing', 'bare'] as const)) {
        times[side].push(await startMs(programs[side]))
      }
    }
    return [
      {
        name: 'import-time',
        unit: 'ms',
        compares: 'difference',
        baseline: quartilesOf(times.bare).median,
        subject: quartilesOf(times.importing).median,
        quartiles: quartilesOf(times.importing.map((ms, round) => ms - (times.bare[round] ?? Number.NaN))),
        budget: MOST_MS,
        about: `the built root, ${await countModules(root)} modules, beside an empty program`,
      },
    ]
  },
}

async function startMs(program: string): Promise<number> {
  const start = performance.now()
  await runModule(program)
  return performance.now() - start
}

async function countModules(root: string): Promise<number> {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = new Set()
    registerHooks({ load: (url, context, next) => { if (url.startsWith('file:')) loaded.add(url); return next(url, context) } })
    await import(${JSON.stringify(root)})
    console.log(loaded.size)`
  return Number(await runModule(program))
}

async function runModule(program: string): Promise<string> {
  const { ok, stdout, stderr } = await runProgram(process.execPath, ['--input-type=module', '--eval', program])
  if (!ok) throw new Error(`A program that should be measured failed:\n${stderr}`)
  return stdout
}
