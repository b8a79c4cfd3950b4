import crypto from 'node:crypto'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import { BEGINNING, type Scheduler, type SimulatedProcess, type Task } from './scheduler.ts'

/** What the process had before. */
export interface RealGlobals {
  readonly setImmediate: typeof setImmediate
  /** Milliseconds on the real clock. */
  readonly now: () => number
}

/** Which scheduler owns the time of this process. */
let scheduler: Scheduler | undefined

export function useScheduler(next: Scheduler): void {
  scheduler = next
}

function owner(): Scheduler {
  if (scheduler === undefined) throw new Error('No simulated world is under way: nothing may wait or draw.')
  return scheduler
}

/**
 * Puts simulated time, timers and randomness in place of those of this process, once and for good: modules that are imported later, and
 * those that took a function by its name, see them too. Only a process that does nothing but simulate can do so.
 */
export function replaceGlobals(): RealGlobals {
  const real: RealGlobals = { setImmediate: globalThis.setImmediate, now: performance.now.bind(performance) }
  const replaced = {
    setTimeout: later,
    setInterval: again,
    setImmediate: soon,
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  }
  Object.assign(globalThis, replaced)
  Object.assign(timers, replaced)
  Object.assign(timersPromises, { setTimeout: pause, setImmediate: turn })
  Object.defineProperty(performance, 'now', { value: () => owner().now, configurable: true })
  Date.now = () => BEGINNING + Math.floor(owner().now + owner().current.clockOffset)
  Math.random = () => owner().values.next()
  Object.assign(crypto, { randomUUID, randomBytes })
  Object.assign(os, { hostname: () => owner().current.place.hostname })
  replaceSystem()
  Object.defineProperty(globalThis.crypto, 'randomUUID', { value: randomUUID, configurable: true })
  // What the product warns of in every tenth world is not read.
  process.emitWarning = () => {}
  syncBuiltinESMExports()
  return real
}

/** Who asks for its own number, or for other processes, is told what its place says. */
function replaceSystem(): void {
  const current = (): SimulatedProcess => owner().current
  const shown = (path: string): string => current().place.read(current(), path)
  const { readFileSync, readlinkSync } = fs
  Object.defineProperty(process, 'pid', { get: () => current().pid, configurable: true })
  process.kill = (pid: number) => current().place.probe(current(), pid)
  Object.assign(fs, {
    readFileSync: (path: fs.PathOrFileDescriptor, ...given: [never]) => (isOfSystem(path) ? shown(path) : readFileSync(path, ...given)),
    readlinkSync: (path: fs.PathLike, ...given: [never]) => (isOfSystem(path) ? shown(path) : readlinkSync(path, ...given)),
  })
}

function isOfSystem(path: unknown): path is string {
  return typeof path === 'string' && path.startsWith('/proc/')
}

class SimulatedTimer {
  task: Task | undefined

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return true
  }
}

type Callback = (...given: unknown[]) => void

function later(callback: Callback, ms: unknown = 0, ...given: unknown[]): SimulatedTimer {
  const timer = new SimulatedTimer()
  const { current } = owner()
  timer.task = owner().after(atLeastOne(ms), current, () => callback(...given))
  return timer
}

function again(callback: Callback, ms: unknown = 0, ...given: unknown[]): SimulatedTimer {
  const timer = new SimulatedTimer()
  const { current } = owner()
  const arm = (): void => {
    timer.task = owner().after(atLeastOne(ms), current, () => {
      arm()
      callback(...given)
    })
  }
  arm()
  return timer
}

function soon(callback: Callback, ...given: unknown[]): SimulatedTimer {
  const timer = new SimulatedTimer()
  timer.task = owner().immediate(() => callback(...given))
  return timer
}

function clear(timer: unknown): void {
  if (timer instanceof SimulatedTimer && timer.task !== undefined) timer.task.isCancelled = true
}

/** As Node has it. */
function atLeastOne(ms: unknown): number {
  const given = Number(ms)
  return given >= 1 ? given : 1
}

function pause(ms?: number, value?: unknown, options: { readonly signal?: AbortSignal } = {}): Promise<unknown> {
  const { signal } = options
  return new Promise((resolve, reject) => {
    const timer = later(() => resolve(value), ms)
    signal?.addEventListener('abort', () => {
      clear(timer)
      reject(signal.reason as Error)
    })
  })
}

function turn(value?: unknown): Promise<unknown> {
  return new Promise((resolve) => void soon(() => resolve(value)))
}

function randomUUID(): string {
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`
}

function randomBytes(count: number): Buffer {
  return Buffer.from(hex(2 * count), 'hex')
}

const BYTES: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Four bytes for each number that is drawn. */
function hex(digits: number): string {
  const { values } = owner()
  let text = ''
  while (text.length < digits) {
    const drawn = Math.floor(values.next() * 2 ** 32)
    text += `${BYTES[drawn >>> 24]}${BYTES[(drawn >>> 16) & 255]}${BYTES[(drawn >>> 8) & 255]}${BYTES[drawn & 255]}`
  }
  return text.length === digits ? text : text.slice(0, digits)
}
