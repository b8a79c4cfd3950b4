import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runProgram } from '../scripts/run-program.ts'
import { builtPackage } from './built-package.ts'
import type { Benchmark, Figure } from './figure.ts'
import { quartilesOf } from './quartiles.ts'

const MOST_MS = 20
/** Most of the time is spent on reading the text. */
const MOST_BYTES = 680_000

/** What importing the root of the published package adds to the start of a program, without any schema library. */
export const importTime: Benchmark = {
  name: 'import-time',
  run: async ({ starts }) => {
    const root = pathToFileURL(join(await builtPackage(), 'index.js')).href
    const costs = await importCosts(root, starts)
    const { modules, bytes } = await textOf(root)
    return [
      {
        name: 'import-time',
        ...costs,
        budget: MOST_MS,
        about: `the built root, ${modules} modules, beside an empty program`,
      },
      {
        name: 'import-bytes',
        unit: 'bytes',
        compares: 'difference',
        baseline: 0,
        subject: bytes,
        quartiles: quartilesOf([bytes]),
        budget: MOST_BYTES,
        about: 'the text of these modules',
      },
    ]
  },
}

/** What importing a module adds to the start of a program. */
export async function importCosts(
  url: string,
  starts: number,
): Promise<Pick<Figure, 'unit' | 'compares' | 'baseline' | 'subject' | 'quartiles'>> {
  const programs = { bare: '', importing: `import ${JSON.stringify(url)}` }
  const times = { bare: [] as number[], importing: [] as number[] }
  await startMs(programs.importing)
  for (let round = 0; round < starts; round++) {
    for (const side of round % 2 === 0 ? (['bare', 'importing'] as const) : (['importing', 'bare'] as const)) {
      times[side].push(await startMs(programs[side]))
    }
  }
  return {
    unit: 'ms',
    compares: 'difference',
    baseline: quartilesOf(times.bare).median,
    subject: quartilesOf(times.importing).median,
    quartiles: quartilesOf(times.importing.map((ms, round) => ms - (times.bare[round] ?? Number.NaN))),
  }
}

async function startMs(program: string): Promise<number> {
  const start = performance.now()
  await runModule(program)
  return performance.now() - start
}

interface Text {
  readonly modules: number
  readonly bytes: number
}

/** The modules that an import reads, and their text. */
export async function textOf(root: string): Promise<Text> {
  const program = `
    import { registerHooks } from 'node:module'
    import { statSync } from 'node:fs'
    const loaded = new Set()
    registerHooks({ load: (url, context, next) => { if (url.startsWith('file:')) loaded.add(url); return next(url, context) } })
    await import(${JSON.stringify(root)})
    const bytes = [...loaded].reduce((sum, url) => sum + statSync(new URL(url)).size, 0)
    console.log(JSON.stringify({ modules: loaded.size, bytes }))`
  return JSON.parse(await runModule(program)) as Text
}

async function runModule(program: string): Promise<string> {
  const { ok, stdout, stderr } = await runProgram(process.execPath, ['--input-type=module', '--eval', program])
  if (!ok) throw new Error(`A program that should be measured failed:\n${stderr}`)
  return stdout
}
