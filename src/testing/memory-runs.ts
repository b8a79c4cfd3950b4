import { MemoryRunDatabase } from '../run/memory/memory-run-store.ts'
import type { RunDatabase } from '../run/store/run-store.ts'
import type { WorkerTimings } from '../run/worker/worker-options.ts'
import { type Clock, nextTurn, systemClock } from '../tool/ports/clock.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** The options of `memoryRuns`. */
export interface MemoryRunsOptions {
  /** The time of the runs, and of all that waits for them. A `fakeClock` moves it at will. */
  readonly clock?: Clock | undefined
}

/** Durable runs in memory. Each runtime that is given them stands for a process. */
export interface MemoryRuns extends RunDatabase {
  /** Resolves when no run moves without a person, a time or another worker. Steps that are under way are waited for. */
  readonly idle: () => Promise<void>
  /**
   * Ends all runtimes that use these runs, as if their processes had died: nothing that they still do is recorded, and the promises that they
   * gave stay open. A runtime that is made afterwards takes their runs up again.
   */
  readonly crash: () => void
}

const NAMES = optionNames<MemoryRunsOptions>({ clock: true })
const AN_HOUR_MS = 60 * 60 * 1000

/** Notices are never lost, so that workers need not look: a fake clock moves over days without a thousand timers. A sleep parks its run
 * however short it is. */
const TIMINGS: WorkerTimings = { beatMs: 8 * AN_HOUR_MS, pollMs: 8 * AN_HOUR_MS, leaseMs: 24 * AN_HOUR_MS, lingerMs: 1 }

/**
 * Runs durable tools without a database, in milliseconds: the same engine, with its journal, its queue and its inbox in memory.
 * @example
 * const runs = memoryRuns({ clock: fakeClock() })
 * const runtime = createRuntime({ tools: [issueRefund], database: runs })
 * const run = await runtime.start(issueRefund, { orderId: 'o1', amount: 20 })
 * await runs.idle()
 * console.log((await run.status()).status) // completed
 * await runtime.close()
 */
export function memoryRuns(options: MemoryRunsOptions = {}): MemoryRuns {
  checkOptionNames(options, NAMES, 'The options of memoryRuns')
  const { clock = systemClock } = options
  const database = new MemoryRunDatabase({ clock, leaseMs: TIMINGS.leaseMs })
  return {
    openRuns: async ({ app }) => database.connect(app),
    timings: TIMINGS,
    idle: async () => {
      while (database.isMoving) await new Promise<void>((resolve) => nextTurn(resolve))
    },
    crash: () => database.crash(),
  }
}
