import { type CancelTimer, LONGEST_TIMEOUT_MS } from '../tool/ports/clock.ts'

/** A timer that does not keep the program alive. */
export function unreferencedTimer(ms: number, callback: () => void): CancelTimer {
  const timer = setTimeout(callback, Math.min(ms, LONGEST_TIMEOUT_MS)).unref()
  return () => clearTimeout(timer)
}
