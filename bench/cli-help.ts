import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../scripts/run-program.ts'
import { builtPackage } from './built-package.ts'
import type { Benchmark } from './figure.ts'
import { quartilesOf } from './quartiles.ts'

const MOST_TIMES = 1.35

/** What `toolwright --help` of the published package costs beside the start of a program that does nothing. */
export const cliHelp: Benchmark = {
  name: 'cli-help',
  run: async ({ starts }) => {
    const empty = join(tmpdir(), `toolwright-empty-${process.pid}.mjs`)
    await writeFile(empty, '')
    const programs = { bare: [empty], help: [join(await builtPackage(), 'cli', 'main.js'), '--help'] }
    const times = { bare: [] as number[], help: [] as number[] }
    await startMs(programs.help)
    for (let round = 0; round < starts; round++) {
      for (const side of round % 2 === 0 ? (['bare', 'help'] as const) : (['help', 'bare'] as const)) {
        times[side].push(await startMs(programs[side]))
      }
    }
    await rm(empty)
    return [
      {
        name: 'cli-help',
        unit: 'ms',
        compares: 'ratio',
        baseline: quartilesOf(times.bare).median,
        subject: quartilesOf(times.help).median,
        quartiles: quartilesOf(times.help.map((ms, round) => ms / (times.bare[round] ?? Number.NaN))),
        budget: MOST_TIMES,
        about: 'toolwright --help, beside an empty program',
      },
    ]
  },
}

async function startMs(flags: readonly string[]): Promise<number> {
  const start = performance.now()
  const { ok, stderr } = await runProgram(process.execPath, flags)
  if (!ok) throw new Error(`A program that should be measured failed:\n${stderr}`)
  return performance.now() - start
}
