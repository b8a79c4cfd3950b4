import { expect, test } from 'vitest'
import type { RunRecord } from '../run/view/run-record.ts'
import { Output } from './output.ts'
import { recordText } from './record-text.ts'

test('a result that is too large to show is named, with the way to have it', () => {
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
  expect(recordText(record, new Output(false))).toMatch(
    /^result +too large to show here \(1100002 bytes\); toolwright show 01234567 --export <file> has it$/m,
  )
})
