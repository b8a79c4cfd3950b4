import type { LostTime, RunStage } from './run-record.ts'

interface Recorded {
  readonly begunAt: number
  readonly endedAt: number | undefined
}

/**
 * A worker gives a run up by a record. Where another one takes it up without such a record, the first was lost. So is the last one, if the run
 * is its own and it is silent.
 */
export function lostTimes(history: readonly RunStage[], entries: readonly Recorded[], hasLivingWorker: boolean): readonly LostTime[] {
  const signs = entries.flatMap(({ begunAt, endedAt }) => (endedAt === undefined ? [begunAt] : [begunAt, endedAt]))
  return history.flatMap(({ status, at }, index) => {
    const next = history[index + 1]
    const isLost = next === undefined ? !hasLivingWorker : next.status === 'running'
    if (status !== 'running' || !isLost) return []
    const last = signs.filter((sign) => sign <= (next?.at ?? Infinity)).reduce((latest, sign) => Math.max(latest, sign), at)
    return [{ from: last, ...(next === undefined ? {} : { to: next.at }) }]
  })
}
