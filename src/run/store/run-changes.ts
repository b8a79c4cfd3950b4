import type { RunStatus } from '../state/run-state.ts'
import type { Artifact, JournalRow } from './journal-store.ts'
import type { Claim } from './run-queue.ts'

/** What a worker says when it parks a run. */
export interface Parking {
  readonly claim: Claim
  /** The requests that the run waits for, as far as it knows. */
  readonly open: readonly string[]
  /** When the next sleep is over, by the time of the store. */
  readonly sleepsUntil: number | undefined
  /** It knows that it is cancelled, and waits all the same: its undoing asks a person. */
  readonly isCancelled: boolean
  /** It knows that its time is up, and sleeps all the same, in what undoes or cleans up: its deadline wakes it no more. */
  readonly isOutOfTime: boolean
  /** Why it waits, as it is stored. */
  readonly why: string
}

/** Whether a run was parked. */
export type Parked =
  | { readonly outcome: 'parked'; readonly wakeAt: number | undefined }
  /** Somebody else has claimed the run. */
  | { readonly outcome: 'lost' }
  /** There is news for the run, as it is stored: it goes on. */
  | {
      readonly outcome: 'refused'
      readonly decided: readonly { readonly id: string; readonly decision: string }[]
      readonly cancel: string | null
    }

/** The end of a run, or the reason why it cannot go on. */
export interface RunEnding {
  readonly status: RunStatus
  readonly result: string | null
  /** As it is stored; null where there is nothing to say. */
  readonly why: string | null
  /** The text of a result that is too large for a row. */
  readonly artifact?: Artifact | undefined
  /** The last entry of the run, which is recorded with its end. It has nothing that goes along: no request, event or artifact. */
  readonly last?: JournalRow | undefined
}

/** How a run goes back to the queue. */
export interface PutBack {
  /** Seconds from now, by the time of the store. */
  readonly afterSeconds?: number | undefined
  /** The worker that cannot go on with it. */
  readonly unable?: string | undefined
}

/** A decision of a run, as its journal keeps it. */
export interface RecordedDecision {
  readonly path: string
  readonly data: string
}

/** Which blocked runs are taken up again; all of them by default. */
export interface ResumeOptions {
  /** Those that are blocked for this reason: `plan_changed`, for example. */
  readonly code?: string | undefined
  readonly tool?: string | undefined
}

/** Which ended runs a store removes. */
export interface Pruning {
  readonly statuses: readonly RunStatus[]
  readonly olderThanMs: number | undefined
  /** So many of those that ended last stay. */
  readonly keep: number | undefined
}

/**
 * How runs change their status. `TRANSITIONS` of the state machine says from which statuses each may happen. A transition that takes a run from
 * its worker queues a run of the same tool that a limit held back, if there is one; where that fails, the next beat of a worker does so.
 */
export interface RunChanges {
  /**
   * The run waits, with a new ticket, and a job at the time when it goes on by itself. Requires the epoch, and that nothing was decided and
   * nobody cancelled it meanwhile. Without a sleep the clock of its deadline stops. One statement; it holds the run, as `decide` and
   * `cancel` do, so that no news is lost.
   */
  readonly park: (parking: Parking) => Promise<Parked>
  /**
   * The run has ended or is blocked. Requires the epoch. Its open requests are withdrawn, unless it is blocked. Gives whether this claim ended
   * it; the same end again by the same claim gives true. One statement; a transaction where the result is large.
   */
  readonly end: (claim: Claim, ending: RunEnding) => Promise<boolean>
  /**
   * Queues a run that this claim does not go on with, with no deaths. Requires the epoch; else nothing happens. Gives whether it was queued.
   * One statement.
   */
  readonly putBack: (claim: Claim, options?: PutBack) => Promise<boolean>
  /** Queues the runs that a worker still has, and fences it off. Requires that the worker has them. One statement. */
  readonly giveBack: (runs: readonly string[], worker: string) => Promise<void>
  /**
   * Notes that a run is to end; the first reason counts. A run that does not move is queued, also one that was to begin later; a running one
   * is told. Its open requests are withdrawn, but for those of shielded calls. Gives `ended` where it has ended, undefined where there is none.
   * One statement; where it changes nothing, a second one reads why.
   */
  readonly cancel: (id: string, cancel: string) => Promise<'cancelled' | 'ended' | undefined>
  /**
   * Queues a blocked run; every worker may try it. Gives the status of a run that is not blocked, undefined where there is none. One
   * statement; where it changes nothing, a second one reads why.
   */
  readonly resume: (id: string) => Promise<'resumed' | RunStatus | undefined>
  /** Queues the runs that are blocked now, by code and tool, and gives how many. One statement for each 500 runs. */
  readonly resumeBlocked: (which: ResumeOptions) => Promise<number>
  /**
   * Queues a run that has ended, with more decisions in its journal. `choose` is given its status and its recorded decisions while the run is
   * held, and gives those to add; when it throws, nothing happens. Gives false where there is no such run. A transaction.
   */
  readonly retryCompensation: (
    id: string,
    choose: (status: RunStatus, decisions: readonly RecordedDecision[]) => readonly RecordedDecision[],
  ) => Promise<boolean>
  /**
   * Removes runs that have ended, with all that belongs to them, and gives how many. A run that somebody holds stays for the next time. With an
   * age, closed requests outside runs go too. A transaction of one statement for each 500 runs.
   */
  readonly prune: (pruning: Pruning) => Promise<number>
}
