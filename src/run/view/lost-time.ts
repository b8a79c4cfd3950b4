import type { OpenedEntry } from './opened-run.ts'
import type { RunStage } from './run-record.ts'

/** Time in which a run had a worker that did not work any more. */
export interface LostTime {
  /** The last record of the worker that was lost. */
  readonly from: number
  /** Another one took the run up. */
  readonly to: number
}

/** A worker gives a run up by a record. Where another one takes it up without such a record, the first was lost. */
export function lostTimes(history: readonly RunStage[], entries: readonly OpenedEntry[]): readonly LostTime[] {
  const signs = entries.flatMap(({ begunAt, endedAt }) => (endedAt === undefined ? [begunAt] : [begunAt, endedAt]))
  return history.flatMap(({ status, at }, index) => {
    const next = history[index + 1]
    if (status !== 'running' || next?.status !== 'running') return []
    return [{ from: Math.max(at, ...signs.filter((sign) => sign <= next.at)), to: next.at }]
  })
}
