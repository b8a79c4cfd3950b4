import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/run-program.ts'
import { sell } from '../fixtures/cli-runs/sell.ts'
import { durableRuns } from '../fixtures/run/durable-runs.ts'
import { runCli } from './run-cli.ts'

const database = durableRuns()
const tools = join(root, 'test', 'fixtures', 'cli-runs', 'sell.ts')
const check = (...words: readonly string[]): ReturnType<typeof runCli> =>
  runCli(['check', '--tools', tools, ...words], { cwd: root, env: { TOOLWRIGHT_HOME: database.home, DATABASE_URL: '' } })

test('check tells notes of several tools as one, and with --strict warnings fail it', async () => {
  const [lax, strict, single, asData] = await Promise.all([check(), check('--strict'), check('sell'), check('--strict', '--json')])
  expect([lax, strict, single, asData].map(({ code }) => code)).toEqual([0, 1, 0, 1])
  expect(lax.stdout).toMatch(/^warning +sell {2}order_unseen\n/)
  expect(lax.stdout).toMatch(/\nnote +2 tools: other, sell {2}unknown_estimates\n +Latency or reliability is not known of them/)
  expect(lax.stdout).toMatch(/\n2 tools checked: 0 errors, 1 warning, 2 notes\.\n$/)
  expect(single.stdout).toMatch(/\nnote +sell {2}unknown_estimates\n +Latency or reliability is not known of 'sell'/)
  expect(JSON.parse(asData.stdout)).toMatchObject({
    sound: false,
    strict: true,
    errors: 0,
    warnings: 1,
    notes: 2,
    tools: [
      { tool: 'other' },
      { tool: 'sell', sound: false, findings: [{ severity: 'warning', code: 'order_unseen' }, { severity: 'note' }] },
    ],
  })
})

test('check --recorded judges the order that runs of a compound recorded', { timeout: 60_000 }, async () => {
  const runs = await database.open([sell])
  await (await runs.start(sell, 'A-1')).result()
  await (await runs.start(sell, 'A-2')).result()
  const { code, stdout } = await check('sell', '--recorded')
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^warning +sell\/charge {2}irreversible_before_fallible\n +.* ran before 'ship', which can fail, in 2 of 2 recorded calls\./,
  )
  expect(stdout).toContain('Recorded calls of it: charge, ship (2 times).')
})
