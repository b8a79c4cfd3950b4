import { isRecord } from '../../schema/json-schema.ts'
import { ABSENT, BROKEN, BUSY, DECLINED, FORBIDDEN, LOST, MALFORMED, NEVER, TAKEN, THROTTLED, type Verdict } from './verdict.ts'

const STATUSES: ReadonlyMap<number, Verdict> = new Map([
  ...[401, 402, 403, 407, 451, 511].map((status) => [status, FORBIDDEN] as const),
  ...[404, 410].map((status) => [status, ABSENT] as const),
  ...[409, 412, 423, 428].map((status) => [status, TAKEN] as const),
  ...[408, 499, 502, 504, 520, 522, 524].map((status) => [status, LOST] as const),
  ...[425, 503, 521, 523, 529].map((status) => [status, BUSY] as const),
  ...[420, 429].map((status) => [status, THROTTLED] as const),
  ...[501, 505, 506, 508, 510, 525, 526].map((status) => [status, NEVER] as const),
])

/** The meaning of an HTTP status from 400 to 599. */
export function httpVerdict(status: number): Verdict {
  return STATUSES.get(status) ?? (status < 500 ? MALFORMED : BROKEN)
}

/** The verdict on a refused request, where HTTP clients leave its status. */
export function statusVerdict(thrown: Record<string, unknown>): Verdict | undefined {
  const status = statusOf(thrown)
  if (status === undefined || hasNoAnswer(thrown)) return undefined
  if (status === 403 && isThrottled(thrown)) return THROTTLED
  if (UNPAID_STATUSES.has(status) && isUnpaid(thrown)) return FORBIDDEN
  if (status === 400 && isGrantRefused(thrown)) return FORBIDDEN
  if (status === 402 && isDeclined(thrown)) return DECLINED
  return httpVerdict(status)
}

/** Some clients give a request that got no answer a status of their own. */
function hasNoAnswer(thrown: Record<string, unknown>): boolean {
  if (thrown['name'] === 'GatewayResponseError') return thrown['cause'] instanceof Error
  return 'response' in thrown && thrown['response'] === undefined && 'request' in thrown && thrown['cause'] instanceof Error
}

function statusOf(thrown: Record<string, unknown>): number | undefined {
  const response = isRecord(thrown['response']) ? thrown['response'] : {}
  const metadata = isRecord(thrown['$metadata']) ? thrown['$metadata'] : {}
  return [
    thrown['status'],
    thrown['statusCode'],
    response['status'],
    response['statusCode'],
    metadata['httpStatusCode'],
    isRecord(thrown['meta']) ? thrown['meta']['statusCode'] : undefined,
    thrown['code'],
    statusInMessage(thrown['message']),
  ]
    .map((each) => (typeof each === 'string' && /^[45]\d\d$/.test(each) ? Number(each) : each))
    .find((each): each is number => typeof each === 'number' && each >= 400 && each <= 599)
}

/** Clients of WebSockets and of proxies say the status in words alone. */
function statusInMessage(message: unknown): string | undefined {
  return typeof message === 'string'
    ? /^(?:Unexpected server response: (?=\d{3}$)|Proxy response \()(\d{3})\b/.exec(message)?.[1]
    : undefined
}

/** Some services refuse what is too much as forbidden. */
function isThrottled(thrown: Record<string, unknown>): boolean {
  const headers = headersOf(thrown)
  if (headerOf(headers, 'x-ratelimit-remaining') === '0' || headerOf(headers, 'retry-after') !== undefined) return true
  return (
    typeof thrown['message'] === 'string' &&
    /\brate limit|too many requests|quota exceeded|abuse detection|slow down/i.test(thrown['message'])
  )
}

const UNPAID_STATUSES: ReadonlySet<number> = new Set([400, 403, 429])
const UNPAID_CODES: ReadonlySet<unknown> = new Set(['insufficient_quota', 'billing_hard_limit_reached'])
const UNPAID_WORDS = /\bcredit balance is too low\b|\bexceeded your current quota\b.*\bbilling\b/i

/** A quota that is used up does not come back by waiting. */
function isUnpaid(thrown: Record<string, unknown>): boolean {
  const { data, error, message } = thrown
  const inside = [data, error].filter(isRecord).flatMap((each) => [each, each['error']])
  const codes = [thrown, ...inside].filter(isRecord).flatMap(({ code, type }) => [code, type])
  return codes.some((word) => UNPAID_CODES.has(word)) || (typeof message === 'string' && UNPAID_WORDS.test(message))
}

/** OAuth says 400 where a login, and no request, is wrong. */
const GRANTS: ReadonlySet<unknown> = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_token', 'expired_token'])

function isGrantRefused({ response, data, body, error }: Record<string, unknown>): boolean {
  const answer = isRecord(response) ? response['data'] : (data ?? body)
  return GRANTS.has(error) || (isRecord(answer) && GRANTS.has(answer['error']))
}

/** A card that was refused is the customer's; without it, the tool itself has not paid. */
function isDeclined({ code, type, rawType }: Record<string, unknown>): boolean {
  return type === 'card_error' || rawType === 'card_error' || code === 'card_declined'
}

/** The headers of the answer, where an HTTP client left them on the error; of gRPC its metadata. */
export function headersOf(thrown: Record<string, unknown>): unknown {
  const answers = [thrown['response'], thrown['$response'], thrown['res'], thrown['meta']].map((each) =>
    isRecord(each) ? each['headers'] : undefined,
  )
  const { metadata } = thrown
  return (
    thrown['headers'] ??
    thrown['responseHeaders'] ??
    answers.find((each) => each !== undefined) ??
    (isRecord(metadata) ? metadata : undefined)
  )
}

/** From a `Headers` object or from a plain one, whatever the case of its names. */
export function headerOf(headers: unknown, name: string): string | undefined {
  if (!isRecord(headers)) return undefined
  const { get } = headers
  const found: unknown =
    typeof get === 'function' ? get.call(headers, name) : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const text = Array.isArray(found) ? String(found[0]) : typeof found === 'string' || typeof found === 'number' ? String(found) : ''
  return text.trim() === '' ? undefined : text.trim()
}
