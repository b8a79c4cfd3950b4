import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface ChildOptions {
  /** What the process is told first. */
  readonly order?: object | undefined
  readonly flags?: readonly string[] | undefined
}

/** Starts a process of this folder; resolves when it says that it is ready. */
export async function startChild(name: string, { order, flags = [] }: ChildOptions = {}): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, name), [...flags], {
    execArgv: ['--conditions=toolwright-source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  if (order !== undefined) child.send(order)
  const [first] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown]
  if (first !== 'ready') throw new Error(`${name} ended before it was ready: ${String(first)}`)
  return child
}

/** Kills a process outright, and waits until it is gone. */
export async function killChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
