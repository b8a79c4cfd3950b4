import { expect, test } from 'vitest'
import type { RunRecord } from '../run/view/run-record.ts'
import type { ReviewDecision } from '../tool/review.ts'
import { Output } from './output.ts'
import { recordText } from './record-text.ts'

const record: RunRecord = {
  id: '01234567-89ab-4def-8123-456789abcdef',
  tool: 'grow',
  version: '1.0.0',
  status: 'completed',
  createdAt: 0,
  input: 'a',
  options: {},
  steps: [],
  decisions: [],
  sleeps: [],
  approvals: [],
  artifacts: [],
  history: [],
  lost: [],
  events: 0,
  usage: {},
}

test('a result that is too large to show is named, with the way to have it', () => {
  expect(recordText({ ...record, result: { artifact: 'x', bytes: 1_100_002 } }, new Output(false))).toMatch(
    /^result +too large to show here \(1100002 bytes\); toolwright show 01234567 --export <file> has it$/m,
  )
})

test('a run that is due and still queued says that no worker has taken it up', () => {
  const statusOf = (more: Partial<RunRecord>): string =>
    /^status +(.+)$/m.exec(recordText({ ...record, result: undefined, status: 'queued', ...more }, new Output(false)))?.[1] ?? ''
  const now = Date.now()
  expect(statusOf({ createdAt: now - 60_000 })).toMatch(/^queued: no worker has taken it up: start one .+ toolwright worker/)
  expect(statusOf({ createdAt: now })).toBe('queued')
  expect(statusOf({ createdAt: now - 60_000, wakeAt: now + 60_000 })).toBe('queued')
  expect(statusOf({ createdAt: now - 60_000, why: { code: 'retry', message: 'It waits.' } as never })).toBe('queued: It waits.')
  expect(statusOf({ createdAt: now - 60_000, status: 'running' })).toBe('running')
})

test('the issues of a result are shown, one on a line [V3]', () => {
  const provenance = { tool: 'grow@1.0.0', invocationId: 'i', timestamp: 0 }
  const issues = [
    { severity: 'warning', message: 'It is high.' },
    { severity: 'critical', message: 'They disagree.' },
  ] as const
  const text = recordText({ ...record, result: { ok: true, text: '5', value: 5, issues, provenance } }, new Output(false))
  expect(text).toMatch(/^issues {4}warning: It is high\.\n {10}critical: They disagree\.$/m)
  expect(recordText({ ...record, result: { ok: true, text: '5', value: 5, provenance } }, new Output(false))).not.toContain('issues')
})

const request = { id: 'abcdef01-0000', kind: 'question', tool: 'price', path: 'price:ask', why: 'Which price?', risk: 'low' }
const asked = (decision: ReviewDecision): RunRecord['approvals'] => [
  { request: request as never, status: 'decided', requestedAt: 0, closedAt: 5, decision },
]

test.each<readonly [ReviewDecision, string]>([
  [{ action: 'answer', value: { price: 7 }, by: 'ada', note: 'from the desk' }, 'answer by ada: {"price":7} "from the desk"'],
  [{ action: 'reject', reason: 'too much', by: 'ada' }, 'reject by ada: "too much"'],
  [{ action: 'continue', note: 'fine' }, 'continue: "fine"'],
  [{ action: 'edit', patch: { amount: 5 } }, 'edit: the patch {"amount":5}'],
])('what a person said is shown: %j', (decision, text) => {
  expect(
    recordText({ ...record, approvals: asked(decision) }, new Output(false))
      .split('\n')
      .at(-1),
  ).toBe(`abcdef01: ${text}`)
})

test('the level of a fallback that answered is shown, with its confidence', () => {
  const provenance = { tool: 'grow@1.0.0', invocationId: 'i', timestamp: 0 }
  const result = { ok: true, text: '5', value: 5, level: 'cents', confidence: 0.7 * 0.9, provenance } as const
  expect(recordText({ ...record, result }, new Output(false))).toMatch(/^level {5}cents, confidence 0\.63$/m)
})

test('a run whose worker is silent says so', () => {
  const text = recordText({ ...record, status: 'running', lost: [{ from: Date.now() - 60_000 }] }, new Output(false))
  expect(text).toMatch(/^status +running: its worker is silent \(its last record is of 1 m 00 s ago\)/m)
})

test('the caller who started the run is shown, with the session, the agent and the task', () => {
  const starterOf = (starter: RunRecord['starter']): string | undefined =>
    /^starter +(.+)$/m.exec(recordText({ ...record, starter }, new Output(false)))?.[1]
  const principal = { id: 'ada', tenant: { org: 'acme' }, permissions: ['desk'] }
  expect(starterOf({ principal, session: 's-1', agent: 'desk', task: 'refund\n7' })).toBe(
    'ada of {"org":"acme"}, session s-1, agent desk, task refund\\n7',
  )
  expect(starterOf({ agent: 'desk' })).toBe('agent desk')
  expect(starterOf({ principal: { id: 'ada\u001b[2J', permissions: [] } })).not.toContain('\u001b')
  expect(starterOf(undefined)).toBeUndefined()
})

test('a cancelled run shows why it was cancelled', () => {
  const message = 'It did not go on.'
  const hint = 'It was cancelled because: not wanted'
  const result: RunRecord['result'] = {
    ok: false,
    text: `Error: ${message}`,
    error: { code: 'cancelled', class: 'cancelled', message, hint, retryable: false, outcome: 'unknown' },
    provenance: { tool: 'grow@1.0.0', invocationId: 'i', timestamp: 0 },
  }
  const text = recordText({ ...record, status: 'cancelled', why: { code: 'cancelled', message }, result }, new Output(false))
  expect(text).toMatch(/^status +cancelled: It did not go on\. It was cancelled because: not wanted$/m)
})
