import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
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

/**
 * The machine and the process, for operators; then eight digits for the place in which the number of the process counts, where it is known, and
 * a random part: a process may have several workers, one after the other.
 */
export function newWorkerId(): string {
  return `${hostname()}:${process.pid}:${ownPlace() ?? ''}${randomBytes(3).toString('hex')}`
}

const WORKER_ID = /:(\d+):([0-9a-f]{8})[0-9a-f]{6}$/
const ENDED = /^\d+ \(.*\) [ZX]/s

/**
 * A start of this machine, its name, and a space of process numbers on it; undefined where the system does not tell, or where `/proc` shows the
 * numbers of another space: a container may have that of its host. The name tells copies of a running machine apart that were given one each.
 */
function ownPlace(): string | undefined {
  try {
    if (readlinkSync('/proc/self') !== String(process.pid)) return undefined
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
    return createHash('sha256')
      .update(`${boot}${readlinkSync('/proc/self/ns/pid')} ${hostname()}`)
      .digest('hex')
      .slice(0, 8)
  } catch {
    return undefined
  }
}

/** Of these workers, those whose process is certainly no more: it ran where this one runs, and there is no process with its number. */
export function goneAmong(workers: readonly string[]): readonly string[] {
  const here = workers.length === 0 ? undefined : ownPlace()
  return here === undefined ? [] : workers.filter((worker) => isGone(worker, here))
}

function isGone(worker: string, here: string): boolean {
  const [, pid, digits] = WORKER_ID.exec(worker) ?? []
  if (pid === undefined || digits !== here || Number(pid) === process.pid) return false
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true
  }
  return isUnburied(pid)
}

/** It has ended, and its parent has not asked how. */
function isUnburied(pid: string): boolean {
  try {
    return ENDED.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
