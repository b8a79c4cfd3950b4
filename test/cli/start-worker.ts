import { type ChildProcess, spawn } from 'node:child_process'
import { cliCommand } from './run-cli.ts'

export interface StartedWorker {
  readonly child: ChildProcess
  /** What it printed so far, with `--json`. */
  readonly lines: () => readonly Readonly<Record<string, unknown>>[]
  /** Resolves when the output has what is looked for. */
  readonly until: (wanted: string) => Promise<void>
}

interface Surroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** A worker of the fixture's tools in a process of its own, when it is ready. Whoever starts it ends it. */
export async function startWorker(flags: readonly string[], { cwd, env }: Surroundings): Promise<StartedWorker> {
  const { command, args, env: environment } = cliCommand(['worker', ...flags], env)
  const child = spawn(command, args, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const until = async (wanted: string): Promise<void> => {
    while (!`${stdout}${stderr}`.includes(wanted)) {
      if (child.exitCode !== null) throw new Error(`The worker ended: ${stderr}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  await until('Taking runs of 6 tools of toolwright.config.ts, for the app tests:test.')
  const lines = (): readonly Readonly<Record<string, unknown>>[] =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { child, lines, until }
}
