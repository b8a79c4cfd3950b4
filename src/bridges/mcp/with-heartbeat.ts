import type { Clock } from '../../tool/ports/clock.ts'
import type { ReviewHandler } from '../../tool/review.ts'
import type { ProgressReports } from './progress-reports.ts'

/** Clients give up after a minute by default, some after 30 seconds; most of them count from the last report, if they are told to. */
const INTERVAL_MS = 10_000

/** Reports at intervals that the call still waits, as long as the handler is asked. */
export function withHeartbeat(handler: ReviewHandler, progress: ProgressReports, clock: Clock): ReviewHandler {
  return {
    ...handler,
    review: async (request, context) => {
      const beatLater = (): (() => void) =>
        clock.timer(INTERVAL_MS, () => {
          progress.beat()
          stop = beatLater()
        })
      let stop = beatLater()
      try {
        return await handler.review(request, context)
      } finally {
        stop()
      }
    },
  }
}
