import { STATUS_CODES } from 'node:http'
import { isRecord } from '../../schema/json-schema.ts'
import { excerpt } from '../../schema/quote.ts'
import { classifyError } from '../../tool/errors/classify-error.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { tooLarge } from './decoded-body.ts'
import type { GuardedResponse } from './guarded-fetch.ts'
import { shownUrl } from './url-refused.ts'

const LONGEST_DETAIL = 500
const MOST_PROBLEMS = 5

/**
 * The content of an answer: JSON as a value, anything else as a text, null if there is none. A refusal of the service is thrown, classified: its status
 * counts, also where its body was cut.
 */
export function httpAnswer(response: GuardedResponse): unknown {
  const { status, headers, body } = response
  if (status >= 300) throw httpRefusal(response)
  if (response.truncated) throw tooLarge(shownUrl(response.url), body.length)
  if (body.length === 0) return null
  const text = bodyText(response)
  if (!isJson(headers)) return text
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new ToolError(`The service answered ${named(status)} with a text that says that it is JSON, and is none.`, {
      code: 'upstream_error',
      outcome: 'unknown',
      cause,
    })
  }
}

/** The failure that an answer without success stands for: by status, `Retry-After` and what the service says of the problem. */
export function httpRefusal(response: GuardedResponse): ToolError {
  const { status, headers } = response
  if (status < 400)
    return new ToolError(`The service answered ${named(status)}, which leads nowhere.`, {
      code: 'upstream_error',
      retryable: false,
      outcome: 'unknown',
    })
  const detail = detailOf(response)
  const message = `The service answered ${named(status)}${detail === '' ? '.' : `: ${excerpt(detail, LONGEST_DETAIL)}`}`
  return classifyError(Object.assign(new Error(message), { status, headers }))
}

function named(status: number): string {
  return [status, STATUS_CODES[status]].filter(Boolean).join(' ')
}

function detailOf(response: GuardedResponse): string {
  const type = response.headers.get('content-type') ?? ''
  const text = bodyText(response).trim()
  if (!isJson(response.headers)) return /^text\/plain\b/i.test(type) ? text : ''
  try {
    const said: unknown = JSON.parse(text)
    return isRecord(said) ? problemText(said) : typeof said === 'string' ? said : ''
  } catch {
    return ''
  }
}

/** The members of problem+json (RFC 9457), or those under which other services keep their words. */
function problemText(problem: Record<string, unknown>): string {
  const error = isRecord(problem['error']) ? problem['error'] : {}
  const words = [problem['title'], problem['detail'], problem['message'], error['message'], problem['error'], problem['error_description']]
  const said = words.filter((each): each is string => typeof each === 'string' && each.trim() !== '')
  const listed = [problem['errors'], problem['invalid-params'], problem['invalid_params']].find(Array.isArray) as
    | readonly unknown[]
    | undefined
  const problems = (listed ?? []).slice(0, MOST_PROBLEMS).flatMap(problemLine)
  return [...new Set([...said, ...problems])].map((each) => each.trim().replace(/[.;]$/, '')).join('. ')
}

function problemLine(each: unknown): string[] {
  if (typeof each === 'string') return [each]
  if (!isRecord(each)) return []
  const place = [each['pointer'], each['name'], each['field'], each['path']].find((one) => typeof one === 'string')
  const reason = [each['detail'], each['reason'], each['message'], each['title']].find((one) => typeof one === 'string')
  return reason === undefined ? [] : [place === undefined ? String(reason) : `'${String(place)}': ${String(reason)}`]
}

function isJson(headers: Headers): boolean {
  return /^(?:application|text)\/(?:[\w.-]+\+)?json\b/i.test(headers.get('content-type') ?? '')
}

function bodyText({ body, headers }: GuardedResponse): string {
  const charset = /charset="?([\w-]+)/i.exec(headers.get('content-type') ?? '')?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}
