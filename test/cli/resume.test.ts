import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/run-program.ts'
import { durableRuns } from '../fixtures/run/durable-runs.ts'
import { notingTools } from '../fixtures/run/noting-tools.ts'
import { runCli } from './run-cli.ts'

const database = durableRuns()

test('resume takes up one blocked run, or all, or all of one reason or tool', { timeout: 60_000 }, async () => {
  const { noting } = notingTools()
  const pay = noting('pay')
  const runs = await database.open([pay], { worker: false })
  const { id } = await runs.start(pay, 'ann')
  await runs.start(pay, 'bob')
  const block = (): Promise<unknown> =>
    runs.store.pool.query(`UPDATE toolwright.run SET status = 'blocked', why = '{"code":"plan_changed","message":"It has changed."}'`)
  const cwd = join(root, 'test', 'fixtures', 'cli-runs')
  const cli = (...words: readonly string[]): ReturnType<typeof runCli> =>
    runCli(['resume', ...words], { cwd, env: { TOOLWRIGHT_HOME: database.home, DATABASE_URL: '' } })
  await block()
  expect(await cli('--all', '--code', 'unknown_tool')).toMatchObject({
    code: 0,
    stderr: '0 blocked runs continue with the next free worker.\n',
  })
  expect(await cli('--all', '--tool', 'mail')).toMatchObject({ code: 0, stderr: '0 blocked runs continue with the next free worker.\n' })
  expect(await cli(id.slice(0, 8))).toMatchObject({ code: 0, stderr: `The next free worker continues the run ${id}.\n` })
  expect(await cli('--all', '--code', 'plan_changed')).toMatchObject({
    code: 0,
    stderr: '1 blocked run continues with the next free worker.\n',
  })
  await block()
  const all = await cli('--all', '--json')
  expect(JSON.parse(all.stdout)).toEqual({ resumed: 2 })
  for (const wrong of [[], [id, '--all'], [id, '--code', 'plan_changed']])
    expect(await cli(...wrong)).toMatchObject({ code: 2, stderr: expect.stringContaining('resume --all') })
})
