import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../../scripts/run-program.ts'
import { schemasOf } from '../../src/store/app.ts'
import { durableRuns } from '../fixtures/run/durable-runs.ts'
import { temporaryHome } from '../fixtures/store/temporary-home.ts'
import { tool } from '../../src/tool/tool.ts'
import { cliCommand, folderWith, runCli } from './run-cli.ts'

const database = durableRuns()
const data = temporaryHome()
const cwd = join(root, 'test', 'fixtures', 'cli-runs')
const pay = tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: (input: string) => input })

test('commands see the runs of one app; the others are named, and listed by --all-apps', async () => {
  const env = { TOOLWRIGHT_HOME: database.home, DATABASE_URL: '', TOOLWRIGHT_APP: '' }
  const start = async (app: string): Promise<string> =>
    (await (await database.open([pay], { app, worker: false })).start(pay, 'x', { key: 'k' })).id
  const [production, staging] = [await start('orders:production'), await start('orders:staging')]
  const cli = (...flags: string[]) => runCli(flags, { cwd, env })
  const [one, other, all, none, both, cancelled, foreign, doctor] = await Promise.all([
    cli('runs', '--app', 'orders:production', '--json'),
    runCli(['runs', '--json'], { cwd, env: { ...env, TOOLWRIGHT_APP: 'orders:staging' } }),
    cli('runs', '--all-apps'),
    cli('runs', '--app', 'desk:production'),
    cli('runs', '--app', 'orders', '--all-apps'),
    cli('cancel', staging, '--app', 'orders:staging'),
    cli('cancel', production, '--app', 'orders:staging'),
    cli('doctor', '--app', 'orders:production'),
  ])
  expect(JSON.parse(one.stdout)).toMatchObject({ runs: [{ id: production, key: 'k' }] })
  expect(JSON.parse(other.stdout)).toMatchObject({ runs: [{ id: staging, key: 'k' }] })
  expect(all.stdout).toMatch(new RegExp(`^${production.slice(0, 8)} .* orders:production`, 'm'))
  expect(all.stdout).toMatch(new RegExp(`^${staging.slice(0, 8)} .* orders:staging`, 'm'))
  expect(none.stderr).toMatch(
    /no such runs of the app desk:production, in the database of .+\.\nOther apps of this database: .*orders:production, orders:staging.*--app/,
  )
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('exclude each other') })
  expect(cancelled.code).toBe(0)
  expect(foreign).toMatchObject({ code: 2, stderr: expect.stringContaining(`no run '${production}'`) })
  const { tables } = schemasOf({ name: 'orders', environment: 'production' })
  expect(doctor.stdout).toMatch(
    new RegExp(`^ok +app +orders:production, in the schema ${tables}\\. Other apps of the database: .*orders:staging`, 'm'),
  )
})

test('the database of a project is its own: doctor prints it, and names the one that all projects shared', async () => {
  const env = { TOOLWRIGHT_HOME: '', XDG_DATA_HOME: data, DATABASE_URL: '', TOOLWRIGHT_APP: '', NODE_ENV: '' }
  const project = await folderWith({ 'package.json': '{"name":"@acme/orders"}' })
  const before = await runCli(['doctor'], { cwd: project, env })
  expect(before.stdout).toMatch(new RegExp(`^ok +database +embedded in ${data}/toolwright/acme-orders-[0-9a-f]{8}, is started`, 'm'))
  expect(before.stdout).toMatch(/^ok +app +@acme\/orders:development, in the schema toolwright_acme_orders_/m)
  const former = join(data, 'toolwright', 'postgres', 'data')
  await mkdir(former, { recursive: true })
  await writeFile(join(former, 'PG_VERSION'), '18\n')
  const after = await runCli(['doctor'], { cwd: project, env })
  expect(after.stdout).toContain(`TOOLWRIGHT_HOME=${join(data, 'toolwright')} uses that one`)
})

const durable = (place: string): string => `import { tool } from 'toolwright'
const pay = tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: (input) => input })
export default { tools: [pay], database: ${place} }`

/** A project of that name with a durable tool, which has this very package installed. */
async function projectNamed(name: string, place = '{}'): Promise<string> {
  const manifest = JSON.stringify({ name, type: 'module' })
  const project = await folderWith({ 'package.json': manifest, 'toolwright.config.ts': durable(place) })
  await mkdir(join(project, 'node_modules'))
  await symlink(root, join(project, 'node_modules', 'toolwright'))
  return project
}

test('packages and a relative home are those of the configuration file, from every working directory', async () => {
  const env = { TOOLWRIGHT_HOME: '', XDG_DATA_HOME: data, DATABASE_URL: '', TOOLWRIGHT_APP: '', NODE_ENV: '' }
  const project = await projectNamed('@acme/orders', "{ home: './data' }")
  const other = await folderWith({ 'package.json': '{"name":"other"}' })
  for (const [folder, version] of [
    [project, '9.8.7'],
    [other, '1.2.3'],
  ] as const) {
    await mkdir(join(folder, 'node_modules', 'pino'), { recursive: true })
    await writeFile(join(folder, 'node_modules', 'pino', 'package.json'), JSON.stringify({ name: 'pino', version }))
  }
  const config = join(project, 'toolwright.config.ts')
  const [inside, elsewhere, flagged] = await Promise.all([
    runCli(['doctor'], { cwd: project, env }),
    runCli(['doctor', '--config', config], { cwd: other, env }),
    runCli(['doctor', '--config', config, '--home', './mine'], { cwd: other, env }),
  ])
  for (const { stdout } of [inside, elsewhere]) {
    expect(stdout).toMatch(/^ok +pino +9\.8\.7$/m)
    expect(stdout).toContain(`embedded in ${join(project, 'data')},`)
  }
  // The paths of a command line are those of its user.
  expect(flagged.stdout).toContain(`embedded in ${join(other, 'mine')},`)
})

test('the project is that of the configuration file, from every working directory', async () => {
  const env = { TOOLWRIGHT_HOME: '', XDG_DATA_HOME: data, DATABASE_URL: '', TOOLWRIGHT_APP: '', NODE_ENV: '' }
  const project = await projectNamed('@acme/orders')
  const config = join(project, 'toolwright.config.ts')
  await mkdir(join(project, 'part'))
  await writeFile(join(project, 'part', 'package.json'), '{"name":"part"}')
  const [inside, elsewhere, below, environment, named, without] = await Promise.all([
    runCli(['doctor'], { cwd: project, env }),
    runCli(['doctor', '--config', config], { cwd: tmpdir(), env }),
    runCli(['doctor'], { cwd: join(project, 'part'), env }),
    runCli(['doctor', '--config', config, '--app', ':production'], { cwd: tmpdir(), env }),
    runCli(['doctor', '--config', config], { cwd: tmpdir(), env: { ...env, TOOLWRIGHT_APP: 'desk', TOOLWRIGHT_HOME: '/srv/desk' } }),
    runCli(['doctor'], { cwd: tmpdir(), env }),
  ])
  const place = (stdout: string): readonly string[] => stdout.split('\n').filter((line) => /^ok +(database|app) /.test(line))
  expect(place(inside.stdout)).toEqual([expect.stringContaining('/acme-orders-'), expect.stringContaining(' @acme/orders:development,')])
  expect(place(elsewhere.stdout)).toEqual(place(inside.stdout))
  expect(place(below.stdout)).toEqual(place(inside.stdout))
  expect(place(environment.stdout)[1]).toContain(' @acme/orders:production,')
  expect(place(named.stdout)).toEqual([expect.stringContaining('embedded in /srv/desk,'), expect.stringContaining(' desk:development,')])
  expect(place(without.stdout)).toEqual([
    expect.stringContaining(`embedded in ${join(data, 'toolwright')},`),
    expect.stringContaining(' default:development,'),
  ])
})

test('a server that was started elsewhere by --config keeps its runs where the commands in the project find them', async () => {
  const env = { TOOLWRIGHT_HOME: database.home, DATABASE_URL: '', TOOLWRIGHT_APP: '', NODE_ENV: '' }
  const project = await projectNamed('served')
  const config = join(project, 'toolwright.config.ts')
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ ...cliCommand(['serve', '--config', config], env), cwd: tmpdir(), stderr: 'ignore' }))
  onTestFinished(() => client.close())
  expect(await client.callTool({ name: 'pay', arguments: { input: 'x' } })).toMatchObject({ content: [{ type: 'text', text: 'x' }] })
  const started = await runCli(['run', 'pay', '--input', '"y"', '--detach', '--config', config], { cwd: tmpdir(), env })
  const [listed, unknown] = await Promise.all([
    runCli(['runs', '--json'], { cwd: project, env }),
    runCli(['approve', 'ffffffff', '--config', config], { cwd: tmpdir(), env }),
  ])
  const { runs } = JSON.parse(listed.stdout) as { readonly runs: readonly { readonly id: string }[] }
  expect(runs).toHaveLength(2)
  expect(runs.map(({ id }) => id)).toContain(started.stdout.trim())
  expect(unknown).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("There is no request 'ffffffff' in the app 'served:development'."),
  })
})
