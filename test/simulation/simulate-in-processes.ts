import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** Hunts in several processes, each with seeds of its own, and gives the highest exit code. */
export async function simulateInProcesses(
  flags: readonly string[],
  { processes, seed }: { processes: number; seed: number },
): Promise<number> {
  const script = process.argv[1] ?? ''
  const codes = Array.from({ length: processes }, (_, number) => {
    const own = ['--seed', String(seed + number), '--stride', String(processes), '--processes', '1']
    const child = spawn(process.execPath, ['--conditions=toolwright-source', script, ...flags, ...own], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    createInterface({ input: child.stdout }).on('line', (line) => console.log(`${number}: ${line}`))
    return new Promise<number>((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
  })
  return Math.max(...(await Promise.all(codes)))
}
