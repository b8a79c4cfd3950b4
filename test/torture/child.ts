import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface ChildOptions {
  /** What the process is told first. */
  readonly order?: object | undefined
  readonly flags?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** Starts a process of this folder. */
export function forkChild(name: string, { order, flags = [], env = {} }: ChildOptions = {}): ChildProcess {
  const { DATABASE_URL: _database, ...inherited } = process.env
  const child = fork(join(import.meta.dirname, name), [...flags], {
    execArgv: ['--conditions=toolwright-source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...inherited, ...env },
  })
  if (order !== undefined) child.send(order)
  return child
}

/** Starts a process of this folder; resolves when it says that it is ready. */
export async function startChild(name: string, options?: ChildOptions): Promise<ChildProcess> {
  const child = forkChild(name, options)
  const [first] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown]
  if (first !== 'ready') throw new Error(`${name} ended before it was ready: ${String(first)}`)
  return child
}

/** Whether the process has ended, of itself or not. */
export function isGone({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** Kills a process outright, and waits until it is gone. */
export async function killChild(child: ChildProcess): Promise<void> {
  if (isGone(child)) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
