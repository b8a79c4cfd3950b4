import { RandomStream } from '../programs/random-stream.ts'
import { Place } from './place.ts'
import { TaskHeap } from './task-heap.ts'

/** A process of the simulated world: a tag on tasks, that can stand still and die. */
export interface SimulatedProcess {
  readonly name: string
  readonly place: Place
  /** Its number in its place. */
  readonly pid: number
  isAlive: boolean
  diedAt?: number
  /** Its tasks wait until then. */
  pausedUntil: number
  /** How much its `Date.now` is ahead of the true time. */
  clockOffset: number
  /** Immediates of a process keep their order. */
  lastImmediate: number
  readonly onDeath: (() => void)[]
}

export interface Task {
  at: number
  readonly order: number
  readonly process: SimulatedProcess
  readonly run: () => void
  isCancelled: boolean
}

/** Simulated time begins here, in milliseconds since the epoch. */
export const BEGINNING = 1_700_000_000_000

/** How far apart two immediates of a process can be: a reply may come between them. */
const IMMEDIATE_GAP_MS = 0.002

const drainMicrotasks = (process as unknown as { _tickCallback: () => void })._tickCallback.bind(process)

/** One queue of tasks for all processes. It owns time, the order of tasks, and randomness: the same seed gives the same history. */
export class Scheduler {
  /** Milliseconds since the beginning. */
  now = 0
  steps = 0
  /** The process whose task runs. */
  current: SimulatedProcess
  /** Undefined where nobody reads it. */
  trace: string[] | undefined
  /** After a task, its process may be busy for so long. */
  busyMs = 0
  readonly outside = newProcess('outside')
  /** For the order and the duration of what happens. */
  readonly random: RandomStream
  /** For ids and other values: what is drawn here changes no order. */
  readonly values: RandomStream
  readonly #heap = new TaskHeap()
  #orders = 0

  constructor(seed: number) {
    this.random = new RandomStream(Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995)
    this.values = new RandomStream(Math.imul(seed, 0x85ebca6b) ^ 0x27d4eb2f)
    this.current = this.outside
  }

  /** Runs a task of a process after some time. */
  after(ms: number, owner: SimulatedProcess, run: () => void): Task {
    return this.#heap.push({ at: this.now + ms, order: this.#orders++, process: owner, run, isCancelled: false })
  }

  immediate(run: () => void): Task {
    const owner = this.current
    const at = Math.max(this.now, owner.lastImmediate) + IMMEDIATE_GAP_MS * this.random.next()
    owner.lastImmediate = at
    return this.#heap.push({ at, order: this.#orders++, process: owner, run, isCancelled: false })
  }

  /** Whatever is done inside belongs to the process. */
  within<T>(owner: SimulatedProcess, work: () => T): T {
    const before = this.current
    this.current = owner
    try {
      return work()
    } finally {
      this.current = before
    }
  }

  kill(victim: SimulatedProcess): void {
    if (!victim.isAlive) return
    victim.isAlive = false
    victim.diedAt = this.now
    this.note('died', victim.name)
    for (const hear of victim.onDeath) hear()
  }

  pause(victim: SimulatedProcess, ms: number): void {
    victim.pausedUntil = Math.max(victim.pausedUntil, this.now + ms)
    this.note('stands still', `${victim.name} for ${Math.round(ms)} ms`)
  }

  note(what: string, detail: string): void {
    this.trace?.push(`${this.now.toFixed(2).padStart(10)} ${this.current.name.padEnd(8)} ${what}: ${detail}`)
  }

  /** Runs one task, and every microtask that follows from it. Works only outside of microtasks. False where nothing is left to do. */
  step(): boolean {
    const task = this.#next()
    if (task === undefined) return false
    if (task.at > this.now) this.now = task.at
    const owner = task.process
    this.current = owner
    this.steps++
    task.run()
    drainMicrotasks()
    this.current = this.outside
    if (this.busyMs > 0 && owner !== this.outside) this.#keepBusy(owner)
    return true
  }

  #next(): Task | undefined {
    for (;;) {
      const task = this.#heap.pop()
      if (task === undefined) return undefined
      if (task.isCancelled || !task.process.isAlive) continue
      if (task.process.pausedUntil <= task.at) return task
      task.at = task.process.pausedUntil
      this.#heap.push(task)
    }
  }

  /** Now and then a task takes time: then timers and replies of its process race for what comes next. */
  #keepBusy(owner: SimulatedProcess): void {
    if (!this.random.chance(0.3)) return
    const ms = (this.random.chance(0.1) ? 40 : 1) * this.busyMs * this.random.next()
    owner.pausedUntil = Math.max(owner.pausedUntil, this.now + ms)
  }
}

/** A process that has just begun; alone on its machine, unless it is said where. */
export function newProcess(name: string, place: Place = new Place({ start: 0, name: 0, space: 0 })): SimulatedProcess {
  const pid = place.nextNumber()
  const begun = { name, place, pid, isAlive: true, pausedUntil: 0, clockOffset: 0, lastImmediate: 0, onDeath: [] }
  place.enter(begun)
  return begun
}
