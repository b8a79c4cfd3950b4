import type { InboxItem } from '../../review/inbox.ts'
import type { Principal } from '../../tool/principal.ts'
import type { FailureDetails, Usage } from '../../tool/result/result.ts'
import type { RunInfo } from './run-info.ts'
import type { KeptResult } from './run-info.ts'
import type { RunReason, RunStatus } from '../state/run-state.ts'

/** Everything that a run has left behind so far. Times are milliseconds since the epoch. */
export interface RunRecord extends RunInfo {
  readonly input: unknown
  /** Who started it; undefined where nobody is named. */
  readonly starter?: RunStarter | undefined
  /** All that its starter said: the caller, the trace, the budget and so on. */
  readonly options: unknown
  /** Undefined until the run has ended; only named where it has more than a megabyte. */
  readonly result?: KeptResult | RunArtifact | undefined
  /** In the order in which they began. */
  readonly steps: readonly RunStep[]
  readonly decisions: readonly RunDecision[]
  readonly sleeps: readonly RunSleep[]
  readonly approvals: readonly InboxItem[]
  /** Values that are too large to stand with the others. */
  readonly artifacts: readonly RunArtifact[]
  /** Where it stood when. */
  readonly history: readonly RunStage[]
  /** Times in which its worker was lost, and no other had it yet. */
  readonly lost: readonly LostTime[]
  /** How many events `events()` tells. */
  readonly events: number
  /** What all steps used together. */
  readonly usage: Usage
}

/** Who started a run, and for what. Masked as all values of the record are. */
export interface RunStarter {
  readonly principal?: Principal | undefined
  readonly session?: string | undefined
  readonly agent?: string | undefined
  readonly task?: string | undefined
}

/** A call of a leaf, with all its attempts. */
export interface RunStep {
  readonly path: string
  readonly tool: string
  readonly input: unknown
  /** Of the last attempt; neither this nor `error` is there while it is under way. */
  readonly output?: unknown
  readonly error?: FailureDetails | undefined
  /**
   * `not needed`: it failed, and those beside it were enough, as in a quorum. `cancelled`: it was under way when they were, or when the run
   * ended. `unknown`: a person is asked whether it took effect.
   */
  readonly standing?: 'not needed' | 'cancelled' | 'unknown' | undefined
  /** Of the call and of the calls around it that were tried again. */
  readonly attempts: readonly StepAttempt[]
  readonly startedAt: number
  readonly endedAt?: number | undefined
  /** From the first attempt to the end of the last. */
  readonly durationMs?: number | undefined
  readonly usage?: Usage | undefined
  /** The idempotency key that the tool was given. */
  readonly key: string
}

/** One attempt at a step of a durable run. */
export interface StepAttempt {
  /** From 1. */
  readonly number: number
  readonly startedAt: number
  /** Absent while it is under way, and where its worker was lost. */
  readonly endedAt?: number | undefined
  readonly error?: FailureDetails | undefined
  /** Its worker was lost in the middle of it. */
  readonly isLost?: boolean | undefined
}

/** Something that was chosen once: a winner, a branch, the state of a saga. */
export interface RunDecision {
  readonly path: string
  readonly value: unknown
  readonly at: number
}

/** A sleep of a durable run, by the time of the store. */
export interface RunSleep {
  readonly path: string
  readonly from: number
  readonly until: number
}

/** Stands also where the value itself would stand, when that has more than a megabyte. */
export interface RunArtifact {
  readonly artifact: string
  readonly bytes: number
}

/** A status that a run had, and from when on. */
export interface RunStage {
  readonly status: RunStatus
  readonly at: number
  readonly why?: RunReason | undefined
  readonly worker?: string | undefined
}

/** Time in which a run had a worker that did not work any more. */
export interface LostTime {
  /** The last record of the worker that was lost. */
  readonly from: number
  /** Another one took the run up; undefined as long as none has. */
  readonly to?: number | undefined
}
