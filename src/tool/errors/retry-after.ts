import { isRecord } from '../../schema/json-schema.ts'
import { systemClock } from '../ports/clock.ts'
import { headerOf, headersOf } from './http-verdict.ts'

const MAX_MS = 24 * 60 * 60 * 1000

/** From this number on, seconds count from 1970 and not from now. */
const FIRST_DATE_SECONDS = 1_000_000_000
const FIRST_DATE_MS = FIRST_DATE_SECONDS * 1000

/** How long to wait before another attempt, if the error says so: never more than a day. */
export function retryAfterMs(thrown: unknown): number | undefined {
  if (!isRecord(thrown)) return undefined
  return [...ownWaits(thrown), ...headerWaits(headersOf(thrown))].map(bounded).find((ms) => ms !== undefined)
}

function ownWaits({ retryAfterMs: ms, msBeforeNext, retryAfter, retry_after: inSeconds }: Record<string, unknown>): readonly number[] {
  return [
    ...[ms, msBeforeNext].map((each) => (typeof each === 'number' ? each : Number.NaN)),
    ...[retryAfter, inSeconds].map((each) =>
      typeof each === 'number' || typeof each === 'string' ? secondsOrDate(String(each)) : Number.NaN,
    ),
  ]
}

/** `Retry-After` is exact. Where there is none, the time when the budget is full again is a fair answer. */
function headerWaits(headers: unknown): readonly number[] {
  const read = (name: string, convert: (text: string) => number): number => {
    const text = headerOf(headers, name)
    return text === undefined ? Number.NaN : convert(text)
  }
  const milliseconds = read('retry-after-ms', Number)
  const stated = read('retry-after', secondsOrDate)
  if (Number.isFinite(milliseconds) || Number.isFinite(stated)) return [milliseconds, stated]
  if (headerOf(headers, 'x-ratelimit-remaining') !== '0' && headerOf(headers, 'ratelimit-remaining') !== '0') return []
  return ['x-ratelimit-reset-after', 'ratelimit-reset', 'x-ratelimit-reset', 'x-rate-limit-reset'].map((name) => read(name, secondsOrDate))
}

/** Seconds from now, a moment in seconds or milliseconds since 1970, or a date in words. */
function secondsOrDate(text: string): number {
  if (text.trim() === '') return Number.NaN
  const number = Number(text)
  if (!Number.isFinite(number)) return Date.parse(text) - systemClock.now()
  if (number >= FIRST_DATE_MS) return number - systemClock.now()
  return number >= FIRST_DATE_SECONDS ? number * 1000 - systemClock.now() : number * 1000
}

function bounded(ms: number): number | undefined {
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), MAX_MS) : undefined
}
