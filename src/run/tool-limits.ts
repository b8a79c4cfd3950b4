import type { Duration } from '../tool/duration.ts'

/** How much of one tool may go on, over all workers of a database. Every worker should be given the same. */
export interface ToolLimit {
  /** Runs of the tool that are under way at the same time. */
  readonly concurrency?: number | undefined
  /** Runs of the tool that begin within a stretch of time. */
  readonly rate?: { readonly count: number; readonly per: Duration } | undefined
}

export type ToolLimits = Readonly<Record<string, ToolLimit>>
