import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

interface Hunt {
  readonly processes: number
  readonly seed: number
  /** For how long all of them hunt. */
  readonly seconds: number
}

/** A process grows a little with its worlds: after this time a new one goes on. */
const LONGEST_SECONDS = 600
/** No process comes to so many worlds in its time. */
const SEEDS_APART = 10_000_000

/** Hunts in several processes side by side, each with seeds of its own, and gives the highest exit code. */
export async function simulateInProcesses(flags: readonly string[], { processes, seed, seconds }: Hunt): Promise<number> {
  let code = 0
  for (let begun = 0; begun < seconds; begun += LONGEST_SECONDS) {
    const slice = Math.min(LONGEST_SECONDS, seconds - begun)
    const from = seed + (begun / LONGEST_SECONDS) * SEEDS_APART
    const codes = Array.from({ length: processes }, (_, number) => {
      const own = ['--seed', String(from + number), '--stride', String(processes), '--processes', '1', '--seconds', String(slice)]
      return codeOf(number, [...withoutTime(flags), ...own])
    })
    code = Math.max(code, ...(await Promise.all(codes)))
  }
  return code
}

function codeOf(number: number, flags: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, ['--conditions=toolwright-source', process.argv[1] ?? '', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  createInterface({ input: child.stdout }).on('line', (line) => console.log(`${number}: ${line}`))
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}

function withoutTime(flags: readonly string[]): readonly string[] {
  return flags.filter((flag, index) => !TIMES.has(flag) && !TIMES.has(flags[index - 1] ?? ''))
}

const TIMES: ReadonlySet<string> = new Set(['--hours', '--minutes', '--seconds'])
