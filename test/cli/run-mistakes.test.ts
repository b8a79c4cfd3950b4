import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/run-program.ts'
import { type OpenedRuns, openRuns } from '../../src/run/open-runs.ts'
import { fillHome } from '../fixtures/prepared.ts'
import { temporaryHome } from '../fixtures/store/temporary-home.ts'
import { type CliOptions, type CliRun, folderWith, runCli } from './run-cli.ts'

const cwd = join(root, 'test', 'fixtures', 'cli-runs')
const home = temporaryHome()
fillHome(home)
const env = { TOOLWRIGHT_HOME: home, DATABASE_URL: '' }

/** Looks at the database beside the commands. */
let beside: OpenedRuns

beforeAll(async () => {
  beside = await openRuns({ database: { home }, worker: false, tools: async () => new Map() })
}, 60_000)

afterAll(() => beside.close())

function cli(words: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  return runCli(words, { cwd, ...options, env: { ...env, ...options.env } })
}

test('an id may be cut short as long as it stays clear', async () => {
  await beside.store.pool.query(
    `INSERT INTO toolwright.run (id, tool, version, plan, input, input_hash, options, status, ended_at)
     SELECT unnest(ARRAY['abcdefgh', 'abcdefgh1', 'abcdefgh2']), 't', '1', '', '"x"', '', '{}', 'failed', now()`,
  )
  const [whole, alone, several, short] = await Promise.all(['abcdefgh', 'abcdefgh2', 'abcdefg', 'abc'].map((id) => cli(['show', id])))
  expect(whole?.stdout).toMatch(/^run +abcdefgh\n/)
  expect(alone?.stdout).toMatch(/^run +abcdefgh2\n/)
  for (const each of [several, short])
    expect(each).toMatchObject({ code: 2, stderr: expect.stringContaining('needs 8 characters at least') })
  await beside.store.pool.query("DELETE FROM toolwright.run WHERE id = 'abcdefgh'")
  const unclear = await cli(['show', 'abcdefgh'])
  expect(unclear).toMatchObject({ code: 2 })
  expect(unclear.stderr).toBe("error: 'abcdefgh' is the beginning of several ids: abcdefgh1, abcdefgh2.\nWrite more of it.\n")
})

describe('what is wrong', () => {
  test('with an id, a flag or a status is told with what to do', async () => {
    const mistakes: readonly (readonly [readonly string[], RegExp])[] = [
      [['show', 'ffffffff'], /^error: There is no run 'ffffffff' in the app 'tests:test'\.\nList them with: toolwright runs\n$/],
      [['show', 'abc'], /needs 8 characters at least/],
      [
        ['approve', 'ffffffff'],
        /^error: There is no request 'ffffffff' in the app 'tests:test'\.\nList them with: toolwright approvals\n$/,
      ],
      [['runs', '--status', 'done'], /^error: A status must be one of queued, .*not "done"/],
      [['runs', '--limit', 'many'], /^error: --limit must be a whole number, not 'many'\.\n$/],
      [['prune'], /^error: Nothing says which runs are to go\.\nUse --older-than 30d, or --keep 1000\.\n$/],
      [['show', 'x', '--timeline', '--json'], /--timeline and --json exclude each other/],
      [['runs', '--home', home, '--database-url', 'postgres://x@y/z'], /--database-url and --home exclude each other/],
      [['worker', '--limit', 'take_time'], /^error: --limit must be a tool and a number, such as send_mail=2, not 'take_time'\.\n$/],
      [['worker', '--limit', 'take_tim=2'], /Did you mean 'take_time'\?/],
      [['worker', '--concurrency', '0'], /^error: The concurrency of a worker must be a whole number from 1 on, not 0\.\n$/],
    ]
    const told = await Promise.all(mistakes.map(([words]) => cli(words)))
    for (const [index, [, message]] of mistakes.entries()) {
      expect(told[index]).toMatchObject({ code: 2 })
      expect(told[index]?.stderr).toMatch(message)
    }
  })

  test('with the credentials is told without the password', async () => {
    const { host = '' } = beside.store.connection
    const url = `postgres://wrong:hunter22secret@localhost/postgres?host=${encodeURIComponent(host)}`
    const [flag, environment, asData, doctor, unreadable, folder] = await Promise.all([
      cli(['runs', '--database-url', url]),
      cli(['worker'], { env: { DATABASE_URL: url } }),
      cli(['approvals', '--json'], { env: { DATABASE_URL: url } }),
      cli(['doctor'], { env: { DATABASE_URL: url } }),
      cli(['runs', '--database-url', 'mysql://root:hunter22secret@localhost/x']),
      cli(['runs', '--home', home, '--limit', '1', '--json'], { env: { DATABASE_URL: url, TOOLWRIGHT_HOME: '' } }),
    ])
    expect(flag).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: The database 'postgres' at .* for user 'wrong' refused the credentials: /),
    })
    expect(environment).toMatchObject({ code: 1, stderr: expect.stringContaining('refused the credentials') })
    expect(JSON.parse(asData.stdout)).toMatchObject({ ok: false, error: { code: 'store_credentials' } })
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(/^problem +database +.*refused the credentials/m) })
    expect(unreadable).toMatchObject({ code: 2, stderr: expect.stringContaining('does not begin with postgres://') })
    expect(JSON.parse(folder.stdout)).toMatchObject({ runs: [{}] })
    for (const { stdout, stderr } of [flag, environment, asData, doctor, unreadable])
      expect(stdout + stderr).not.toContain('hunter22secret')
  })

  test('with the configuration does not matter where the command line names the database', async () => {
    const folder = await folderWith({ 'toolwright.config.mjs': 'throw new Error("broken")' })
    const [named, unnamed, withConfig, doctor] = await Promise.all([
      runCli(['runs', '--home', home, '--limit', '1'], { cwd: folder, env }),
      runCli(['runs'], { cwd: folder, env }),
      runCli(['approvals', '--config', 'toolwright.config.mjs'], { cwd: folder, env }),
      cli(['doctor']),
    ])
    expect(named).toMatchObject({ code: 0, stderr: expect.stringMatching(/^warning: toolwright\.config\.mjs could not be loaded\./) })
    expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringMatching(/^error: toolwright\.config\.mjs could not be loaded\./) })
    expect(unnamed.stderr).toContain(' To go on without it, name the database with --home or --database-url, and the app with --app.\n')
    expect(withConfig).toMatchObject({ code: 2, stderr: expect.stringContaining(' To go on without it, leave out --config and name') })
    expect(doctor.stdout).toMatch(/^ok +database +embedded in .*, answers$/m)
  })
})
