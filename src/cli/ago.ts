import { durationText } from '../tool/duration-text.ts'

const A_DAY_MS = 24 * 60 * 60 * 1000

/** How long ago a moment was, or how far off it is. */
export function ago(moment: number, now: number = Date.now()): string {
  const ms = Math.abs(now - moment)
  const text = ms >= 2 * A_DAY_MS ? `${Math.round(ms / A_DAY_MS)} days` : durationText(Math.max(1000, Math.round(ms / 1000) * 1000))
  return moment > now ? `in ${text}` : `${text} ago`
}
