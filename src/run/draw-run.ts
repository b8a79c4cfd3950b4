import { drawRows, type TimelineOptions } from '../telemetry/draw-timeline.ts'
import type { RunRecord } from './run-record.ts'
import { runRows } from './run-rows.ts'

/**
 * Draws a run as bars over time: the run itself, its steps with their attempts, its sleeps, and who decided what. A light bar is time in
 * which nothing was under way. `now` is where a run that has not ended is cut off.
 */
export function drawRun(record: RunRecord, { now = Date.now(), ...options }: DrawRunOptions = {}): string {
  return drawRows(runRows(record, now), options)
}

export interface DrawRunOptions extends TimelineOptions {
  /** Milliseconds since the epoch. */
  readonly now?: number | undefined
}
