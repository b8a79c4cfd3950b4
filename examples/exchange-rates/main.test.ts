import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importFlags } from '../../test/fixtures/prepared.ts'

test('each level answers when those before it fail, and says so [F1] [F3] [F4]', () => {
  const printed = execFileSync(process.execPath, [...importFlags, join(import.meta.dirname, 'main.ts')], {
    encoding: 'utf8',
  })
  expect(printed.trim().split('\n')).toEqual([
    'EURUSD, bank fine, mirror fine: {"rate":1.0842} by bank',
    'EURUSD, bank overloaded, mirror fine: {"rate":1.08} by mirror, confidence 0.95',
    '  before it: bank transient',
    'EURUSD, bank silent, mirror resets: {"rate":1.07} by table, confidence 0.6',
    '  before it: bank deadline, mirror transient',
    'EURUSD, bank broken, mirror overloaded: {"rate":1.07} by table, confidence 0.6',
    '  before it: bank server, mirror transient',
    "  a person is asked: 'exchange_rate' needs an answer by hand (urgency: high): bank failed (fetch failed: other side closed), mirror failed (fetch failed: other side closed), table failed (The table has no JPYUSD.).",
    'JPYUSD, bank resets, mirror resets: {"rate":0.0092} by person',
    '  before it: bank transient, mirror transient, table not_found',
  ])
})
