import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importFlags } from '../../test/fixtures/prepared.ts'

test('deterministic tasks run in phases without a model, and say which one failed [T18]', () => {
  const printed = execFileSync(process.execPath, [...importFlags, join(import.meta.dirname, 'main.ts')], { encoding: 'utf8' })
  expect(printed.trim().split('\n').slice(1)).toEqual([
    'monday: 3 orders, 76.4 EUR',
    'steps: orders, rates, totals, report',
    "Error: The task 'totals' failed: There is no rate of XAU for the order B-1.",
    'steps: orders ok, rates ok, totals failed',
  ])
})
