import { systemClock } from '../ports/clock.ts'
import { isRecord } from '../../schema/json-schema.ts'
import { messageOf } from './message-of.ts'
import { isToolError, ToolError } from './tool-error.ts'
import { httpVerdict, sqlVerdict, systemVerdict, type Verdict, verdict } from './verdict.ts'

/** JSON-RPC, as MCP servers speak it. */
const JSON_RPC: ReadonlyMap<number, Verdict> = new Map([
  [-32700, verdict('invalid_request', 'not_started')],
  [-32600, verdict('invalid_request', 'not_started')],
  [-32601, verdict('not_found', 'not_started')],
  [-32602, verdict('invalid_request', 'not_started')],
  [-32603, verdict('upstream_error', 'unknown')],
  [-32001, verdict('service_unavailable', 'unknown')],
  [-32002, verdict('not_found', 'failed')],
])

const NAMES: ReadonlyMap<unknown, Verdict> = new Map([
  ['AbortError', verdict('cancelled', 'unknown')],
  ['TimeoutError', verdict('service_unavailable', 'unknown')],
])

/** A mistake in the tool's own code. */
const DEFECTS: ReadonlySet<unknown> = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'EvalError', 'URIError'])
const DEFECT = verdict('tool_crashed', 'failed')

const UNRECOGNISED = verdict('tool_failed', 'failed')
const MAX_CAUSES = 5

/**
 * Converts a thrown value to a coded error: by HTTP status, SQLSTATE, system code, JSON-RPC code or name.
 * @example
 * const { code, retryable } = classifyError(Object.assign(new Error('Slow down'), { status: 429 })) // rate_limited, true
 */
export function classifyError(thrown: unknown): ToolError {
  try {
    if (isToolError(thrown)) return thrown
    const { code, outcome, retryable } = verdictOn(thrown) ?? UNRECOGNISED
    const waits = code === 'rate_limited' || code === 'service_unavailable'
    return new ToolError(messageOf(thrown), {
      code,
      outcome,
      retryable,
      cause: thrown,
      retryAfterMs: waits ? retryAfterMs(thrown) : undefined,
    })
  } catch {
    // An object that throws when it is read cannot be classified.
    return new ToolError('', { cause: thrown })
  }
}

function verdictOn(thrown: unknown): Verdict | undefined {
  if (!isRecord(thrown)) return undefined
  return (
    byStatus(thrown) ??
    byCode(thrown) ??
    NAMES.get(thrown['name']) ??
    byCauses(thrown) ??
    (DEFECTS.has(thrown['name']) ? DEFECT : undefined)
  )
}

function byCode({ code, sqlState }: Record<string, unknown>): Verdict | undefined {
  if (typeof code === 'number') return JSON_RPC.get(code) ?? (isServerError(code) ? verdict('upstream_error', 'unknown') : undefined)
  return (typeof code === 'string' ? systemVerdict(code) : undefined) ?? sqlVerdict(code) ?? sqlVerdict(sqlState)
}

/** The range that JSON-RPC leaves to servers. */
function isServerError(code: number): boolean {
  return code >= -32099 && code <= -32000
}

/** `fetch failed` and the like keep the reason in a cause. */
function byCauses(thrown: Record<string, unknown>): Verdict | undefined {
  let cause = thrown['cause']
  for (let hops = 0; hops < MAX_CAUSES && isRecord(cause); hops++) {
    const found = byCode(cause)
    if (found !== undefined) return found
    cause = cause['cause']
  }
  return undefined
}

/** Where HTTP clients put the status of a refused request. */
function byStatus(thrown: Record<string, unknown>): Verdict | undefined {
  const response = isRecord(thrown['response']) ? thrown['response'] : {}
  const metadata = isRecord(thrown['$metadata']) ? thrown['$metadata'] : {}
  const status = [
    thrown['status'],
    thrown['statusCode'],
    response['status'],
    response['statusCode'],
    metadata['httpStatusCode'],
    thrown['code'],
  ]
    .map((each) => (typeof each === 'string' && /^[45]\d\d$/.test(each) ? Number(each) : each))
    .find((each): each is number => typeof each === 'number' && each >= 400 && each <= 599)
  return status === undefined ? undefined : httpVerdict(status)
}

const MAX_MS = 24 * 60 * 60 * 1000

/** Reads `Retry-After` where an HTTP client left its headers on the error: seconds, or a date. Never more than a day. */
function retryAfterMs(thrown: unknown): number | undefined {
  if (!isRecord(thrown)) return undefined
  if (typeof thrown['retryAfterMs'] === 'number') return bounded(thrown['retryAfterMs'])
  const response = thrown['response']
  const headers = thrown['headers'] ?? thrown['responseHeaders'] ?? (isRecord(response) ? response['headers'] : undefined)
  const exact = headerOf(headers, 'retry-after-ms')
  if (exact !== undefined) return bounded(Number(exact))
  const value = headerOf(headers, 'retry-after')
  if (value === undefined) return undefined
  const seconds = Number(value)
  return bounded(Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - systemClock.now())
}

/** From a `Headers` object or from a plain one, whatever the case of its names. */
function headerOf(headers: unknown, name: string): string | undefined {
  if (!isRecord(headers)) return undefined
  const { get } = headers
  const found: unknown =
    typeof get === 'function' ? get.call(headers, name) : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const text = Array.isArray(found) ? String(found[0]) : typeof found === 'string' || typeof found === 'number' ? String(found) : ''
  return text.trim() === '' ? undefined : text
}

function bounded(ms: number): number | undefined {
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), MAX_MS) : undefined
}
