import { type Verdict, verdict } from './verdict.ts'

const STATUSES: ReadonlyMap<number, Verdict> = new Map([
  [401, verdict('access_denied', 'failed')],
  [402, verdict('access_denied', 'failed')],
  [403, verdict('access_denied', 'failed')],
  [404, verdict('not_found', 'failed')],
  [407, verdict('access_denied', 'failed')],
  [408, verdict('service_unavailable', 'unknown')],
  [409, verdict('conflict', 'failed')],
  [410, verdict('not_found', 'failed')],
  [412, verdict('conflict', 'failed')],
  [423, verdict('conflict', 'failed')],
  [425, verdict('service_unavailable', 'failed')],
  [429, verdict('rate_limited', 'failed')],
  [501, verdict('upstream_error', 'failed', false)],
  [502, verdict('service_unavailable', 'unknown')],
  [503, verdict('service_unavailable', 'failed')],
  [504, verdict('service_unavailable', 'unknown')],
  [505, verdict('upstream_error', 'failed', false)],
  [529, verdict('service_unavailable', 'failed')],
])

/** What an HTTP status from 400 to 599 means. */
export function httpVerdict(status: number): Verdict {
  return STATUSES.get(status) ?? (status < 500 ? verdict('invalid_request', 'failed') : verdict('upstream_error', 'unknown'))
}
