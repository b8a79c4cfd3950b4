import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, runProgram } from '../../scripts/run-program.ts'
import { importFlags } from '../../test/fixtures/prepared.ts'

test('the three ways to do a thing once hold against a real database [G4]', { timeout: 60_000 }, async () => {
  const { code, stdout, stderr } = await runProgram('node', [...importFlags, join(import.meta.dirname, 'main.ts')])
  expect(code, stderr).toBe(0)
  expect(stdout.trim().split('\n')).toEqual([
    'by key: 20 calls at once, 1 charge',
    "by key: another amount for the same order: Error: Tool 'charge' was called before with the same key and another input.",
    'by precondition: 2 edits of version 4, 1 made',
    'by precondition: the other one: Error: Page terms is not at version 4 any more.',
    'by upsert: 3 calls, 1 address',
  ])
})

test.each(['by-key.ts', 'by-precondition.ts', 'by-upsert.ts'])('the guide quotes %s as it is', (file) => {
  const guide = readFileSync(join(root, 'docs/guides/idempotency.md'), 'utf8')
  expect(guide).toContain(readFileSync(join(import.meta.dirname, file), 'utf8').trim())
})
