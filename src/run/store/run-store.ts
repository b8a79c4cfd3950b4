import type { App } from '../../store/app-options.ts'
import type { BreakerBoard } from '../../tool/ports/breaker-board.ts'
import type { Clock } from '../../tool/ports/clock.ts'
import type { LimitBoard } from '../../tool/ports/limit-board.ts'
import type { WorkerTimings } from '../worker/worker-options.ts'
import type { ApprovalStore } from './approval-store.ts'
import type { JournalStore } from './journal-store.ts'
import type { RunChanges } from './run-changes.ts'
import type { RunKeys } from './run-keys.ts'
import type { RunQueue } from './run-queue.ts'
import type { RunReading } from './run-reading.ts'

/**
 * What processes tell each other at once. Nothing depends on a notice: everybody who waits also looks from time to time, unless no notice is
 * lost. `written`, of the journal of a run, is told only where it costs nothing; `circuit`, `tally` and `limited` are of the boards.
 */
export type NoticeKind = 'queued' | 'woken' | 'ended' | 'requested' | 'decided' | 'withdrawn' | 'written' | 'circuit' | 'tally' | 'limited'

/** `reconnected`: notices may have been lost. The subject is the id of a run or of a request, or empty. */
export type NoticeListener = (kind: NoticeKind | 'reconnected', subject: string) => void

/** Tells the processes of a store that something has changed. */
export interface RunNotices {
  /** The returned function ends it. */
  readonly on: (listener: NoticeListener) => () => void
  /** No notice is ever lost, and every change of a run is told: nobody has to look again. */
  readonly isReliable?: boolean | undefined
}

/** What the breakers and limits of the processes of an app share. */
export interface SharedBoards {
  readonly breakers: BreakerBoard
  readonly limits: LimitBoard
  /** Removes what nobody reads any more. */
  readonly sweep: () => Promise<unknown>
}

/**
 * Everything that durable runs ask of a database: the port between the engine and PostgreSQL, or memory.
 *
 * Methods are transitions: each one happens wholly or not at all, and two that touch the same run happen one after the other. Values are texts
 * that are sealed already. A method rejects when the database cannot be reached or refuses a value; `isPassing` tells the two apart. A
 * transition that may be asked for twice, because its answer was lost, says what the second time does.
 *
 * A run carries two numbers. The **ticket** rises when the run is queued, and a job of an older ticket means nothing. The **epoch** rises when
 * the run is claimed, and what a claim of an older epoch writes is refused: that is the fence.
 *
 * A store is that of one app. Runs, requests, keys, jobs, workers and notices of other apps in the same database do not exist for it: their ids
 * are unknown, their keys are free, and nothing that it does changes them.
 */
export interface RunStore extends RunQueue, JournalStore, RunChanges, ApprovalStore, RunReading, RunNotices {
  /** By which this process waits and measures. Times that are stored are the store's own. */
  readonly clock: Clock
  /** Where `idempotent` tools keep their keys. */
  readonly idempotency: RunKeys
  /** Absent where one process is all there is: then its memory is enough. */
  readonly boards?: SharedBoards | undefined
  /** Whether the same call may succeed later: the database is away or full, and the values are not at fault. */
  readonly isPassing: (error: unknown) => boolean
  /** Resolves when this process has lost the store for good, and nothing that it waits for comes any more. Absent where that cannot be. */
  readonly lost?: Promise<void> | undefined
  readonly close: () => Promise<void>
}

/** What a store is told when it is opened. */
export interface OpeningRunStore {
  /** Whose runs. */
  readonly app: App
  /** Whether this process takes runs: then it also sees to the runs of workers that have died. */
  readonly hasWorker: boolean
  /** Receives what an operator should know. */
  readonly warn: (message: string) => void
}

/** A database for durable runs other than PostgreSQL, such as `memoryRuns` of `toolwright/testing`. */
export interface RunDatabase {
  /** Called once for each runtime. */
  readonly openRuns: (opening: OpeningRunStore) => Promise<RunStore>
  /** How often its workers look, where that is not the usual. */
  readonly timings?: Partial<WorkerTimings> | undefined
}
