import type { ToolLimits } from '../worker/tool-limit.ts'

/** A run that is to be recorded. */
export interface NewRun {
  readonly id: string
  /** Unique among all runs. */
  readonly key: string | null
  readonly tool: string
  readonly version: string
  readonly plan: string
  readonly input: string
  readonly inputHash: string
  readonly options: string
  /** How much time it has; null without a deadline. */
  readonly timeLeftMs: number | null
  readonly startAt: Date | null
}

/** Whether a new run was stored. */
export type Started =
  /** `taken` where a worker has taken it up with its start. */
  | { readonly outcome: 'started'; readonly taken?: TakenRun | undefined }
  /** The key belongs to this run; undefined where that run was removed a moment later. */
  | { readonly outcome: 'taken'; readonly by: { readonly id: string; readonly tool: string; readonly inputHash: string } | undefined }

/** A job says which run is to be taken up, and under which ticket: only the latest ticket of a run counts. */
export interface FetchedJob {
  readonly id: string
  readonly run: string
  readonly tool: string
  readonly ticket: number
  /** Rises each time that the job is fetched: what is said of an earlier fetch does not count. */
  readonly attempt: number
}

/** A run that this worker holds: nobody else writes to it unless they claim it anew. */
export interface ClaimedRun {
  readonly id: string
  readonly epoch: number
  /** Of the job by which it was claimed. */
  readonly ticket: number
  readonly tool: string
  readonly version: string
  readonly plan: string
  readonly input: string
  readonly options: string
  readonly cancel: string | null
  /** How much of its time is left; null without a deadline. */
  readonly timeLeftMs: number | null
  /** Claims in a row after which nothing was recorded, this one included: each earlier one may be a worker that the run brought down. */
  readonly deaths: number
  /** How many entries it had when `deaths` was looked at last. */
  readonly entriesSeen: number
  /** Added to a tick of the store's clock, it gives the time of the store: one time for all workers. */
  readonly clockBase: number
}

/** By which a holder of a run is known. */
export type Claim = Pick<ClaimedRun, 'id' | 'epoch' | 'tool'>

/** A run that a worker has taken, and the job by which it has. */
export interface TakenRun {
  readonly run: ClaimedRun
  readonly job: FetchedJob
}

/** What a worker says when it claims runs. */
export interface Claiming {
  readonly jobs: readonly FetchedJob[]
  readonly worker: string
  /** The worker may take one of the runs that may have brought workers down. */
  readonly takesSuspect: boolean
  /** Runs of a tool beyond its limit wait until another run of the tool ends, parks or is put back. */
  readonly limits: ToolLimits
  /** A worker that is silent for longer counts as dead. */
  readonly leaseMs: number
}

/** The answer to a worker that claims runs. */
export interface Claims {
  readonly runs: readonly TakenRun[]
  /** Jobs whose runs somebody else holds at this moment: the caller claims them again. */
  readonly locked: readonly FetchedJob[]
  /** Jobs that mean nothing any more: their ticket is old, their run has ended, is held back, or is left to others. */
  readonly over: readonly FetchedJob[]
  /** Some of them are left to other workers, who should look first. */
  readonly leavesSome: boolean
}

/** What a worker tells of itself. */
export interface WorkerInfo {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly tools: readonly string[]
  /** Tools for which it has a limit. */
  readonly limited: readonly string[]
}

/** After so many claims in a row without progress, a run may be the cause of the deaths of its workers. */
export const SUSPECT_AFTER = 3

/** Runs on their way to workers. */
export interface RunQueue {
  /**
   * Records a run as `queued`, with its job. Requires that its key is free. Two starts with one key: one of them records a run. One
   * statement; where the key is taken, a second one reads by whom.
   * With a worker, the run is `running` from the start, as if that worker had fetched its job and claimed it: for runs that start now.
   */
  readonly start: (run: NewRun, worker?: string) => Promise<Started>
  /**
   * Gives the caller up to `most` jobs that are due and that nobody has, or whose holder was silent for the lease. Each raises its attempt.
   * One statement of the queue.
   */
  readonly fetch: (most: number) => Promise<readonly FetchedJob[]>
  /** Renews the lease of jobs. Gives the ids of the jobs that are still the caller's: same attempt, not completed. One statement. */
  readonly touch: (jobs: readonly FetchedJob[]) => Promise<ReadonlySet<string>>
  /** Removes jobs that are done. A job that somebody else has fetched since stays. One statement. */
  readonly complete: (jobs: readonly FetchedJob[]) => Promise<void>
  /** Lets others fetch jobs that were fetched and not begun. A job that somebody else has fetched since stays. One statement. */
  readonly leave: (jobs: readonly FetchedJob[]) => Promise<void>
  /**
   * Takes the runs of jobs: `running`, epoch + 1, deaths + 1. Requires that the job is still the caller's, that its ticket is the run's
   * latest, and that the status allows it. Of the runs that may have brought workers down it takes one at most; the others are queued for a
   * moment later. A run that this worker is unable to go on with is queued for another worker, as long as one lives that may.
   * One statement for the tools without a limit; a transaction for each tool with one, which counts its runs under a lock of the tool.
   */
  readonly claim: (claiming: Claiming) => Promise<Claims>
  /**
   * Queues runs that a limit held back and that nothing else would release: as many as the limits leave room for, and one of each tool of
   * which no run is under way. Several statements; each may fail without harm.
   */
  readonly releaseHeldBack: (limits: ToolLimits) => Promise<void>
  /**
   * Queues runs that nothing would ever take up: their job is lost, or they are blocked by one of the codes and a worker is there now that
   * has not tried them. One statement to find them, one for each of them.
   */
  readonly recover: (codes: readonly string[]) => Promise<void>
  /** Records a worker as alive now, and forgets workers that were silent for a day. One statement. */
  readonly announce: (worker: WorkerInfo) => Promise<void>
  /** Forgets a worker. One statement. */
  readonly forget: (worker: string) => Promise<void>
  /** Whether another living worker knows the tool of the run and has not found out that it cannot go on with it. One statement. */
  readonly othersMayGoOn: (run: string, worker: string) => Promise<boolean>
}
