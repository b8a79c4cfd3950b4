import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith, runCli } from './run-cli.ts'

/** Every command that reads the record of runs or decides about one. */
const COMMANDS: readonly (readonly string[])[] = [
  ['runs'],
  ['show', 'ffffffff'],
  ['cancel', 'ffffffff'],
  ['resume', 'ffffffff'],
  ['retry-compensation', 'ffffffff'],
  ['settle', 'ffffffff', 'pay', '--not-happened'],
  ['approvals'],
  ['approve', 'ffffffff'],
  ['reject', 'ffffffff'],
  ['assign', 'ffffffff', 'ann'],
  ['expire', 'ffffffff'],
  ['prune', '--keep', '1'],
  ['seal'],
  ['traces', 'export'],
  ['check', '--open-runs'],
]

describe('without a database', () => {
  test('no command that reads or decides makes one: it says where it looked and how to name another', async () => {
    const folder = await folderWith({ 'package.json': '{"name":"shop"}', 'toolwright.config.ts': 'export default { tools: [] }' })
    const data = join(folder, 'data')
    const env = { XDG_DATA_HOME: data, TOOLWRIGHT_HOME: '', DATABASE_URL: '' }
    // Two at a time: each is a process.
    for (let at = 0; at < COMMANDS.length; at += 2) {
      const some = COMMANDS.slice(at, at + 2)
      const told = await Promise.all(some.map((words) => runCli(words, { cwd: folder, env })))
      for (const [index, { code, stderr }] of told.entries()) {
        const { [index]: words } = some
        expect({ words, code, stderr }).toMatchObject({
          words,
          code: 1,
          stderr: expect.stringContaining(`There is no database in ${data}`),
        })
        expect(stderr).toContain(`the home of the project ${folder}`)
        expect(stderr).toMatch(/--config <file>, --home <folder>, --database-url <url>, or the variables TOOLWRIGHT_HOME/)
      }
    }
    expect(existsSync(data)).toBe(false)
  }, 120_000)

  test('the place that was named is told with its name, and nothing is made there', async () => {
    const folder = await folderWith({
      'package.json': '{"name":"shop"}',
      'toolwright.config.ts': "export default { database: { home: 'kept' } }",
    })
    const env = { TOOLWRIGHT_HOME: '', DATABASE_URL: '' }
    const [flag, configured, variable] = await Promise.all([
      runCli(['runs', '--home', 'mine', '--json'], { cwd: folder, env }),
      runCli(['runs'], { cwd: folder, env }),
      runCli(['approvals', '--config', join(folder, 'toolwright.config.ts')], { env: { ...env, TOOLWRIGHT_HOME: join(folder, 'theirs') } }),
    ])
    expect(JSON.parse(flag.stdout)).toMatchObject({ ok: false, error: { code: 'no_database', message: expect.stringContaining('--home') } })
    expect(flag.stdout).toContain(join(folder, 'mine'))
    expect(configured.stderr).toContain(`There is no database in ${join(folder, 'kept')}, which toolwright.config.ts names`)
    expect(variable.stderr).toContain(join(folder, 'kept'))
    for (const name of ['mine', 'kept', 'theirs']) expect(existsSync(join(folder, name))).toBe(false)
  }, 60_000)
})
