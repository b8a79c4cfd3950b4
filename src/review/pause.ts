import type { ReviewWait } from '../tool/review.ts'

/** Waits on the clock of the request. A withdrawal rejects at once; neither timer nor listener stays behind. */
export function pause(ms: number, { clock, signal }: ReviewWait): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error)
      return
    }
    const onAbort = (): void => {
      stopTimer()
      reject(signal.reason as Error)
    }
    const stopTimer = clock.timer(ms, () => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    })
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
