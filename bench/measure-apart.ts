import { runProgram } from '../scripts/run-program.ts'
import type { Rounds } from './measure.ts'

/** What one process measured of one contest. */
export interface Sample {
  readonly time: Rounds
  readonly bytes: Rounds | undefined
}

export interface Apart {
  readonly processes: number
  readonly measureMs: number
  /** More flags for the processes. */
  readonly flags?: readonly string[]
}

/**
 * Measures a contest in processes of its own and pools their rounds. No figure then depends on what ran before it, and the compiler's
 * luck, which differs from start to start, is spread over several starts.
 */
export async function measureApart(contest: string, apart: Apart): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  for (let started = 0; started < apart.processes; started++) samples.push(await measureInChild(contest, apart))
  return samples
}

async function measureInChild(contest: string, { measureMs, flags = [] }: Apart): Promise<Sample> {
  const child = new URL('main.ts', import.meta.url).pathname
  const all = ['--expose-gc', '--conditions=toolwright-source', child, '--sample', contest, '--ms', String(measureMs), ...flags]
  const { ok, stdout, stderr } = await runProgram(process.execPath, all)
  if (!ok) throw new Error(`The contest '${contest}' could not be measured:\n${stderr}`)
  return JSON.parse(stdout) as Sample
}
