import { memoryIdempotency } from '../../combinators/idempotent/memory-idempotency.ts'
import { appText } from '../../store/app.ts'
import type { App } from '../../store/app-options.ts'
import type { Clock } from '../../tool/ports/clock.ts'
import type { IdempotencyStore } from '../../tool/ports/idempotency-store.ts'
import { nextTurn } from '../../tool/ports/clock.ts'
import { never } from '../never.ts'
import { SegmentClock } from '../segment/segment-clock.ts'
import type { RunKeys } from '../store/run-keys.ts'
import type { RunStore } from '../store/run-store.ts'
import { memoryApprovals } from './memory-approvals.ts'
import { memoryChanges } from './memory-changes.ts'
import { memoryJournal } from './memory-journal.ts'
import { memoryQueue } from './memory-queue.ts'
import { memoryReading } from './memory-reading.ts'
import { MemoryTables, type MemoryTablesOptions } from './memory-tables.ts'

/** Everything that belongs to one app. */
interface MemoryApp {
  readonly tables: MemoryTables
  readonly keys: IdempotencyStore
}

interface Connection {
  readonly tables: MemoryTables
  readonly clock: SegmentClock
  readonly lost: PromiseWithResolvers<void>
  isLost: boolean
}

/** A database of runs in memory. Each connection to it stands for a process: it can die, and the others go on. */
export class MemoryRunDatabase {
  readonly #options: MemoryTablesOptions
  readonly #clock: Clock
  readonly #apps = new Map<string, MemoryApp>()
  readonly #connections = new Set<Connection>()

  constructor(options: MemoryTablesOptions) {
    this.#options = options
    this.#clock = options.clock
  }

  /** Whether some run moves without a person or a time. */
  get isMoving(): boolean {
    return [...this.#apps.values()].some(({ tables }) => tables.isMoving)
  }

  /** The store of an app. */
  connect(app: App): RunStore {
    const { tables, keys } = this.#openApp(appText(app))
    const clock = new SegmentClock(dueAtOnce(this.#clock), this.#clock.now() - this.#clock.tick())
    const connection: Connection = { tables, clock, lost: Promise.withResolvers<void>(), isLost: false }
    this.#connections.add(connection)
    tables.connect(connection)
    const close = async (): Promise<void> => {
      this.#connections.delete(connection)
      tables.disconnect(connection)
    }
    return {
      ...answering(connection, {
        ...memoryQueue(tables, connection),
        ...memoryJournal(tables),
        ...memoryChanges(tables),
        ...memoryApprovals(tables),
        ...memoryReading(tables),
      }),
      on: (listener) => tables.listen(connection, listener),
      isReliable: true,
      clock,
      // A key whose time is over is forgotten when another one is claimed.
      idempotency: {
        ...answering(connection, keys),
        ...answering(connection, { claimIn: claimingIn(tables, keys) }),
        sweep: () => Promise.resolve(0),
      },
      isPassing: () => false,
      lost: connection.lost.promise,
      close,
    }
  }

  #openApp(name: string): MemoryApp {
    const found = this.#apps.get(name)
    if (found !== undefined) return found
    const app: MemoryApp = { tables: new MemoryTables(this.#options), keys: memoryIdempotency({ clock: this.#clock }) }
    this.#apps.set(name, app)
    return app
  }

  /** All processes die: nothing that they wait for comes, and their jobs are free. */
  crash(): void {
    for (const connection of this.#connections) {
      const { tables } = connection
      connection.isLost = true
      connection.clock.stop()
      tables.disconnect(connection)
      for (const job of tables.jobs.values()) if (job.holder === connection) Object.assign(job, { state: 'retry', holder: undefined })
      for (const [id, worker] of tables.workers) if (worker.connection === connection) tables.workers.delete(id)
      connection.lost.resolve()
    }
    this.#connections.clear()
  }
}

function claimingIn(tables: MemoryTables, keys: IdempotencyStore): RunKeys['claimIn'] {
  return async (run, key, claim) => (tables.claimed(run)?.status === 'running' ? keys.claim(key, claim) : undefined)
}

/** A time that has come needs no move of a clock that moves only when it is told to. */
function dueAtOnce(clock: Clock): Clock {
  return {
    now: () => clock.now(),
    tick: () => clock.tick(),
    soon: (callback) => clock.soon(callback),
    timer: (ms, callback) => {
      if (ms > 0) return clock.timer(ms, callback)
      let isCancelled = false
      nextTurn(() => void (isCancelled || callback()))
      return () => void (isCancelled = true)
    },
  }
}

/** The same methods. To a process that is dead they answer nothing, also where the question came before its death. */
function answering<T extends object>(connection: Connection, methods: T): T {
  return Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [
      name,
      async (...given: readonly unknown[]): Promise<unknown> => {
        if (connection.isLost) return never()
        const answer: unknown = await (method as (...all: readonly unknown[]) => Promise<unknown>)(...given)
        return connection.isLost ? never() : answer
      },
    ]),
  ) as T
}
