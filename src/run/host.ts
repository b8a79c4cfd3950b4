import { randomBytes, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { CancelTimer, Clock } from '../tool/ports/clock.ts'

// The one place of `src/run` that asks the machine for timers of its own and for random numbers: a house rule
// holds all others to the clock that they are given.

/** A timer that keeps no process alive. */
export function idleTimer(ms: number, callback: () => void): CancelTimer {
  const timer = setTimeout(callback, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.timer(ms, resolve))
}

/** Calls again and again, until the returned function is called. */
export function every(clock: Pick<Clock, 'timer'>, ms: number, work: () => void): CancelTimer {
  let cancel: CancelTimer = () => {}
  let isOver = false
  const arm = (): void => {
    cancel = clock.timer(ms, () => {
      work()
      if (!isOver) arm()
    })
  }
  arm()
  return () => {
    isOver = true
    cancel()
  }
}

/** Pauses that grow, for trying again while a database is away. */
export function growingPause(clock: Clock, firstMs = 50, longestMs = 2000): () => Promise<void> {
  let next = firstMs
  return () => {
    const ms = next
    next = Math.min(longestMs, ms * 2)
    return pause(clock, ms)
  }
}

/** Resolves when the work has ended, however it ended, and at the latest when the time is over. */
export async function within(clock: Clock, work: Promise<unknown>, ms: number): Promise<void> {
  let cancel: CancelTimer = () => {}
  const late = new Promise<void>((resolve) => (cancel = clock.timer(ms, resolve)))
  await Promise.race([work.catch(() => {}), late])
  cancel()
}

export function newRunId(): string {
  return randomUUID()
}

/** The machine and the process, for operators, and a random part: a process may have several workers, one after the other. */
export function newWorkerId(): string {
  return `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`
}
