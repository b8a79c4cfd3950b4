import { expect, test } from 'vitest'
import type { RunRecord } from '../run/view/run-record.ts'
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
  result: { artifact: 'x', bytes: 1_100_002 },
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
  expect(recordText(record, new Output(false))).toMatch(
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
