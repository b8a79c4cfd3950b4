import { type Verdict, verdict } from './verdict.ts'

/** SQLSTATE classes (the first two characters), and the codes that differ from their class. */
const STATES: ReadonlyMap<string, Verdict> = new Map([
  ['08', verdict('service_unavailable', 'unknown')],
  ['08001', verdict('service_unavailable', 'not_started')],
  ['08004', verdict('service_unavailable', 'not_started')],
  ['0A', verdict('invalid_request', 'failed')],
  ['22', verdict('invalid_request', 'failed')],
  ['23', verdict('conflict', 'failed')],
  ['23502', verdict('invalid_request', 'failed')],
  ['23514', verdict('invalid_request', 'failed')],
  ['25006', verdict('access_denied', 'failed')],
  ['28', verdict('access_denied', 'not_started')],
  ['3D', verdict('not_found', 'not_started')],
  ['40', verdict('service_unavailable', 'failed')],
  ['40003', verdict('service_unavailable', 'unknown')],
  ['42', verdict('invalid_request', 'failed')],
  ['42501', verdict('access_denied', 'failed')],
  ['53', verdict('service_unavailable', 'failed')],
  ['54', verdict('invalid_request', 'failed')],
  ['55', verdict('service_unavailable', 'failed')],
  ['57', verdict('service_unavailable', 'unknown')],
  ['57014', verdict('deadline_exceeded', 'failed')],
  ['58', verdict('upstream_error', 'unknown')],
  ['XX', verdict('upstream_error', 'unknown')],
])

/** What a SQLSTATE means; undefined for anything that is not one. */
export function sqlVerdict(state: unknown): Verdict | undefined {
  if (typeof state !== 'string' || !/^[0-9A-Z]{5}$/.test(state)) return undefined
  return STATES.get(state) ?? STATES.get(state.slice(0, 2))
}
