import type { RunRow } from '../tables.ts'

/** How much of its time a run has left, at a time. */
export function timeLeft({ clock_runs_since: since, time_left_ms: left }: RunRow, now: number): number | null {
  return since === null || left === null ? left : Math.max(0, left - (now - since))
}
