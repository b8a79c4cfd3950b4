import { PassThrough } from 'node:stream'
import type { CliRun } from './run-cli.ts'

export interface HereOptions {
  /** Both streams are a terminal of so many columns. */
  readonly columns?: number | undefined
  /** What is typed; then standard input ends. */
  readonly stdin?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
}

type Listened = 'uncaughtException' | 'exit' | 'SIGINT' | 'SIGTERM'
const LISTENED: readonly Listened[] = ['uncaughtException', 'exit', 'SIGINT', 'SIGTERM']

/** Runs the program in this process, in place of one of its own: much faster, for thousands of cases. One at a time. */
export async function cliHere(flags: readonly string[], { columns, stdin, env = {} }: HereOptions = {}): Promise<CliRun> {
  const { runProgram } = await import('../../src/cli/describe-program.ts')
  const written = { stdout: '', stderr: '' }
  const undo: (() => void)[] = []
  const put = (target: object, name: string, value: unknown): void => {
    const before = Object.getOwnPropertyDescriptor(target, name)
    Object.defineProperty(target, name, { value, configurable: true, writable: true })
    undo.push(() => {
      if (before === undefined) Reflect.deleteProperty(target, name)
      else Object.defineProperty(target, name, before)
    })
  }
  for (const stream of ['stdout', 'stderr'] as const) {
    put(process[stream], 'isTTY', columns !== undefined)
    put(process[stream], 'columns', columns)
    put(process[stream], 'write', (text: string | Uint8Array, ...more: readonly unknown[]) => {
      written[stream] += typeof text === 'string' ? text : Buffer.from(text).toString()
      const done = more.findLast((each) => typeof each === 'function') as (() => void) | undefined
      done?.()
      return true
    })
  }
  if (stdin !== undefined) put(process, 'stdin', new PassThrough().end(stdin))
  for (const [name, value] of Object.entries(env)) {
    const before = process.env[name]
    process.env[name] = value
    undo.push(() => {
      if (before === undefined) Reflect.deleteProperty(process.env, name)
      else process.env[name] = before
    })
  }
  let code: number | undefined
  put(process, 'argv', ['node', 'toolwright', ...flags])
  put(process, 'exit', (given?: number) => void (code ??= given ?? Number(process.exitCode ?? 0)))
  const before = new Map(LISTENED.map((name) => [name, process.listeners(name as 'exit')]))
  const { exitCode } = process
  try {
    await runProgram()
    // An error that nobody caught ends the process as soon as it is told: that end is of this run, too.
    await new Promise((resolve) => setImmediate(resolve))
    return { code: code ?? Number(process.exitCode ?? 0), ...written }
  } finally {
    process.exitCode = exitCode
    for (const name of LISTENED)
      for (const each of process.listeners(name as 'exit'))
        if (before.get(name)?.includes(each) !== true) process.removeListener(name, each as () => void)
    for (const each of undo.toReversed()) each()
  }
}
