import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { FIXED_PLANS } from './fixed-plans.ts'
import { MUTANTS } from './mutant-list.ts'
import type { FixedReport } from './run-fixed-plans.ts'
import { isFull } from '../fixtures/is-full.ts'

const ROOT = join(import.meta.dirname, '../..')
const NODE = join(ROOT, 'node_modules/.bin/node')

/** The simulator replaces the globals of its process: it has one of its own. */
function simulated(...flags: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(NODE, ['--conditions=toolwright-source', join(ROOT, 'scripts/simulate.ts'), ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', reject)
    child.on('exit', (code) => resolve({ code, output }))
  })
}

describe('defects that were found once', () => {
  let output = ''
  beforeAll(async () => {
    ;({ output } = await simulated('--fixed', isFull ? '120' : '40'))
  }, 120_000)

  test.each(FIXED_PLANS.map(({ name }) => name))('no more: %s', (name) => {
    const reports = output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as FixedReport] : []))
    expect(reports.find((report) => report.name === name)?.problems, output.slice(-2000)).toEqual({})
  })
})

test.each(MUTANTS)('the mutant has its place: $name', ({ changes }) => {
  const missing = changes.filter(({ file, text }) => !readFileSync(join(ROOT, file), 'utf8').includes(text))
  expect(missing).toEqual([])
})

test('the same seed gives the same histories', { timeout: 60_000 }, async () => {
  const flags = ['--seed', '77', '--worlds', '70', '--shrink', '0']
  const [one, other] = [await simulated(...flags), await simulated(...flags)]
  const digest = /digest (\w+)/.exec(one.output)?.[1]
  expect(digest).toMatch(/^\w{16}$/)
  expect(/digest (\w+)/.exec(other.output)?.[1]).toBe(digest)
  const different = await simulated(...flags, '--seed', '78')
  expect(/digest (\w+)/.exec(different.output)?.[1]).not.toBe(digest)
})

test('[O9] worlds of today have no problem', { timeout: 150_000 }, async () => {
  const { code, output } = await simulated('--seconds', '60', '--shrink', '30')
  console.log(output)
  expect(code, output).toBe(0)
})
