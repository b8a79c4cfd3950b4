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
  const waits = [...ownWaits(thrown), ...headerWaits(headersOf(thrown))].map(bounded).find((ms) => ms !== undefined)
  return waits ?? [...answersOf(thrown).flatMap(answerWaits), messageWait(thrown['message'])].map(bounded).find((ms) => ms !== undefined)
}

const LONGEST_ANSWER = 20_000

/** Where clients keep the body of the answer. Some keep it as the message. */
function answersOf(thrown: Record<string, unknown>): readonly Record<string, unknown>[] {
  const { data, body, responseBody, error, rawError, parameters, response, message } = thrown
  const inResponse = isRecord(response) ? [response['data'], response['body'], response['parameters']] : []
  const told = [data, body, error, rawError, parameters, ...inResponse, parsed(message), parsed(body), parsed(responseBody)].filter(
    isRecord,
  )
  return [...told, ...told.map((each) => each['error']).filter(isRecord), ...told.map((each) => each['parameters']).filter(isRecord)]
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string' || text.length > LONGEST_ANSWER || !text.startsWith('{')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `retry_after: 3`, and `retryDelay: '3s'` among the details of Google's services. */
function answerWaits(answer: Record<string, unknown>): readonly number[] {
  const details = Array.isArray(answer['details']) ? answer['details'].slice(0, MOST_DETAILS).filter(isRecord) : []
  return [...ownWaits(answer), ...[answer, ...details].map(({ retryDelay }) => spokenWait(retryDelay))]
}

const MOST_DETAILS = 20
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** `3s`, `1m30s`, `200ms`. */
function spokenWait(text: unknown): number {
  if (typeof text !== 'string' || text.length > 40) return Number.NaN
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*(ms|s|m|h)[a-z]*\s*/gi)]
  if (parts.length === 0 || parts.map(([all]) => all).join('') !== text.trim()) return Number.NaN
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit.toLowerCase()] ?? Number.NaN), 0)
}

/** `Please try again in 1.5s.` */
function messageWait(message: unknown): number {
  if (typeof message !== 'string') return Number.NaN
  const said =
    /\b(?:try(?:ing)? again|retry(?:ing)?) (?:in|after) ((?:\d+(?:\.\d+)?\s?(?:ms|milliseconds?|s|seconds?|secs?|m|minutes?|mins?|h|hours?)){1,3})(?![a-z])/i.exec(
      message.slice(0, LONGEST_ANSWER),
    )?.[1]
  const waited = /\bwait (\d+(?:\.\d+)?\s?(?:seconds?|minutes?|hours?|s|m|h)) before (?:re)?trying\b/i.exec(
    message.slice(0, LONGEST_ANSWER),
  )?.[1]
  const bare = /\bretry after (\d{1,5})$/i.exec(message.slice(-40).trim())?.[1]
  return spokenWait((said ?? waited ?? (bare === undefined ? undefined : `${bare}s`))?.trim())
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
  const milliseconds = read('retry-after-ms', Number) || read('grpc-retry-pushback-ms', Number) || read('x-ms-retry-after-ms', Number)
  const stated = read('retry-after', secondsOrDate)
  if (Number.isFinite(milliseconds) || Number.isFinite(stated)) return [milliseconds, stated]
  const spent = BUDGETS.filter(([remaining]) => headerOf(headers, remaining) === '0')
  const waits = spent.map(([, ...resets]) => resets.map((reset) => read(reset, secondsOrDate)).find(Number.isFinite) ?? Number.NaN)
  return [Math.max(...[...waits, read('ratelimit', policyWait)].filter(Number.isFinite))]
}

/** What is left of a budget, and when it is full again; services with several budgets have a pair for each. */
const BUDGETS: readonly (readonly [remaining: string, ...resets: string[]])[] = [
  ['x-ratelimit-remaining', 'x-ratelimit-reset-after', 'x-ratelimit-reset'],
  ['ratelimit-remaining', 'ratelimit-reset'],
  ['x-rate-limit-remaining', 'x-rate-limit-reset'],
  ...['requests', 'tokens', 'input-tokens', 'output-tokens'].flatMap((each): [string, string][] => [
    [`x-ratelimit-remaining-${each}`, `x-ratelimit-reset-${each}`],
    [`anthropic-ratelimit-${each}-remaining`, `anthropic-ratelimit-${each}-reset`],
  ]),
]

/** `limit=10, remaining=0, reset=5` and `"default";r=0;t=5`. */
function policyWait(text: string): number {
  const reset = /\b(?:remaining|r)=0\b/.test(text) ? /\b(?:reset|t)=(\d+)/.exec(text)?.[1] : undefined
  return reset === undefined ? Number.NaN : Number(reset) * 1000
}

/** Seconds from now, a moment in seconds or milliseconds since 1970, or a date in words. */
function secondsOrDate(text: string): number {
  if (text.trim() === '') return Number.NaN
  const number = Number(text)
  if (!Number.isFinite(number)) {
    const spoken = spokenWait(text)
    return Number.isFinite(spoken) ? spoken : Date.parse(text) - systemClock.now()
  }
  if (number >= FIRST_DATE_MS) return number - systemClock.now()
  return number >= FIRST_DATE_SECONDS ? number * 1000 - systemClock.now() : number * 1000
}

function bounded(ms: number): number | undefined {
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), MAX_MS) : undefined
}
