import type { LostTime, RunStage } from './run-record.ts'

interface Recorded {
  readonly begunAt: number
  readonly endedAt: number | undefined
}

/** A worker gives a run up by a record. Where another one takes it up without such a record, the first was lost. */
export function lostTimes(history: readonly RunStage[], entries: readonly Recorded[]): readonly LostTime[] {
  const signs = entries.flatMap(({ begunAt, endedAt }) => (endedAt === undefined ? [begunAt] : [begunAt, endedAt]))
  return history.flatMap(({ status, at }, index) => {
    const next = history[index + 1]
    if (status !== 'running' || next?.status !== 'running') return []
    const last = signs.filter((sign) => sign <= next.at).reduce((latest, sign) => Math.max(latest, sign), at)
    return [{ from: last, to: next.at }]
  })
}
