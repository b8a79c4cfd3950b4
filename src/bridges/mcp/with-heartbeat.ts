import type { Clock } from '../../tool/ports/clock.ts'
import type { ProgressReports } from './progress-reports.ts'

/** Clients give up after a minute by default, some after 30 seconds; most of them count from the last report, if they are told to. */
const INTERVAL_MS = 10_000

/** Reports at intervals that the call still waits, until `wait` has settled. */
export async function withHeartbeat<T>(progress: ProgressReports, clock: Clock, wait: () => Promise<T>): Promise<T> {
  const beatLater = (): (() => void) =>
    clock.timer(INTERVAL_MS, () => {
      progress.beat()
      stop = beatLater()
    })
  let stop = beatLater()
  try {
    return await wait()
  } finally {
    stop()
  }
}
