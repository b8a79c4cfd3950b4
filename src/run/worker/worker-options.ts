import type { Duration } from '../../tool/duration.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import { checkLimitNames, type ToolLimits } from './tool-limit.ts'

/** How long runs that have ended are kept. A run goes as soon as one of the two says so. */
export interface Retention {
  /** Runs that ended longer ago than this go. */
  readonly olderThan?: Duration | undefined
  /** So many of those that ended last stay; the others go. */
  readonly keep?: number | undefined
}

/** How much a worker takes on. */
export interface WorkerOptions {
  /** Runs that this worker has under way at the same time: 20 by default. */
  readonly concurrency?: number | undefined
  /** Limits for single tools, over all workers. */
  readonly limits?: ToolLimits | undefined
  /** How long `stop` lets steps under way come to an end: 30 seconds by default. */
  readonly drain?: Duration | undefined
  /** How long runs that have ended are kept: for ever by default. Looked at once an hour. */
  readonly retention?: Retention | undefined
}

const NAMES = optionNames<WorkerOptions>({ concurrency: true, limits: true, drain: true, retention: true })

/** For the names of options that hold those of retention too. */
export const RETENTION_NAMES: Readonly<Record<keyof Retention, true>> = { olderThan: true, keep: true }

/** Catches misspelt options before a worker begins. */
export function checkWorkerNames(options: WorkerOptions): void {
  checkOptionNames(options, NAMES, 'The options of a worker')
  const { limits, retention } = options
  if (limits !== undefined) checkLimitNames(limits)
  if (retention !== undefined)
    checkOptionNames(retention, optionNames<Retention>(RETENTION_NAMES), "The options of 'retention' of a worker")
}

/** How often a worker looks, and how long things hold. Only tests and simulations choose others than the usual ones. */
export interface WorkerTimings {
  /** Between two signs of life. */
  readonly beatMs: number
  /** Between two looks at a queue that told nothing. */
  readonly pollMs: number
  /** A worker that is silent for so long loses its runs to others. */
  readonly leaseMs: number
  /** Sleeps and requests that are over sooner than this are waited for in the process. */
  readonly lingerMs: number
}

export const USUAL_TIMINGS: WorkerTimings = { beatMs: 3000, pollMs: 2000, leaseMs: 10_000, lingerMs: 1500 }

/** Told when this worker takes a run up, and when the run has ended or is parked here. */
export type OnSegment = (change: {
  readonly run: string
  readonly tool: string
  readonly state: 'taken' | 'left'
  /** Why it cannot go on here, if it is left to other workers. */
  readonly unable?: string | undefined
}) => void
