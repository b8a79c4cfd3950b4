import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Does a program's work. When somebody ends the program, or stops reading what it prints (`npm start | head`), the promise that the work is
 * given rejects, and the work can clear away before the process ends. A second signal ends it at once.
 */
export async function untilInterrupted(work: (interrupted: Promise<never>) => Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  let exitCode: number | undefined
  const interrupt = (code: number): void => {
    exitCode ??= code
    reject(new Error('Interrupted.'))
  }
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => interrupt(code === 'EPIPE' ? 0 : 1))
  for (const signal of SIGNALS) process.once(signal, () => interrupt(128 + constants.signals[signal]))
  try {
    await work(promise)
  } catch (error) {
    // Ctrl-C reaches the processes of the program too: what fails by that is no failure.
    if (exitCode === undefined) throw error
  }
  if (exitCode !== undefined) process.exit(exitCode)
}
