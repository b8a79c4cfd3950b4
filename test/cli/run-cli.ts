import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { root } from '../../scripts/run-program.ts'
import { cliMain, importFlags } from '../fixtures/prepared.ts'

/** Most of the start is the reading of our sources, which are the same every time. */
const COMPILED = join(root, '.cache', 'compiled')

/** A project of a user with tools of its own. */
export const FIXTURE = join(root, 'test', 'fixtures', 'cli')

export interface CliOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** What is typed; then standard input ends. */
  readonly stdin?: string
  /** Standard input does not end after what is typed. */
  readonly keepsOpen?: boolean
  /** Whoever reads the output goes away after the first piece of it. */
  readonly stopsReading?: boolean
  /** Nobody ever reads the output. */
  readonly neverReads?: boolean
  /** A device that cannot take the output, such as `/dev/full`. */
  readonly outputTo?: string
  /** When to end a run that hangs; its code is null then. */
  readonly mostMs?: number
  /** Told of everything that was written to standard error so far. */
  readonly onStderr?: (text: string, child: ChildProcess) => void
}

export interface CliRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliCommand {
  readonly command: string
  readonly args: string[]
  readonly env: Record<string, string>
}

/** How to start the program. */
export function cliCommand(flags: readonly string[], env: CliOptions['env'] = {}): CliCommand {
  return {
    command: process.execPath,
    args: [...importFlags, cliMain, ...flags],
    env: { ...plainEnvironment(), NODE_COMPILE_CACHE: COMPILED, ...env },
  }
}

/** Runs the program as a shell would, in the fixture unless told otherwise. */
export function runCli(flags: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  const { command, args, env } = cliCommand(flags, options.env)
  const device = options.outputTo === undefined ? undefined : openSync(options.outputTo, 'w')
  const child = spawn(command, args, {
    cwd: options.cwd ?? FIXTURE,
    env,
    stdio: ['pipe', device ?? 'pipe', 'pipe'],
    timeout: options.mostMs,
    killSignal: 'SIGKILL',
  })
  if (device !== undefined) closeSync(device)
  const { stdin, stderr: errors } = child
  if (stdin === null || errors === null) throw new Error('The program has no standard input or error.')
  return new Promise((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    if (options.neverReads === true) child.stdout?.destroy()
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      if (options.stopsReading === true) child.stdout?.destroy()
    })
    errors.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      options.onStderr?.(stderr, child)
    })
    stdin.on('error', () => {})
    if (options.stdin !== undefined) stdin.write(options.stdin)
    if (options.keepsOpen !== true) stdin.end()
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** A folder inside the package, so that `import 'toolwright'` is this very source. It goes when the test ends. */
export async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const cache = join(root, '.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)))
  return folder
}

const LEFT_OUT = ['NO_COLOR', 'FORCE_COLOR', 'TOOLWRIGHT_DEBUG', 'NODE_OPTIONS']

function plainEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined || LEFT_OUT.includes(name) ? [] : [[name, value]])),
  )
}
