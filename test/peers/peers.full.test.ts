import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installFolder, versionsIn } from '../../scripts/install-folder.ts'
import { root, runProgram } from '../../scripts/run-program.ts'
import { inRange } from '../../src/cli/in-range.ts'
import { startPostgres, type StartedPostgres } from '../fixtures/postgres/start-postgres.ts'
import { type InstalledPackage, installPackage, succeeded } from '../package/installed-package.ts'
import { DURABLE_PRINTED, DURABLE_RUN } from '../package/user-programs.ts'

const TELEMETRY = `import { tool } from 'toolwright'
import { startTelemetry } from 'toolwright/telemetry'
const spans = []
const traces = {
  export: (batch, done) => { spans.push(...batch); done({ code: 0 }) },
  forceFlush: async () => {},
  shutdown: async () => {},
}
const telemetry = await startTelemetry({ prometheus: { port: 0 }, traces, serviceName: 'peers' })
const greet = tool({ name: 'greet', description: 'Greets.', effect: 'read', execute: (who) => 'Hello, ' + who + '!' })
await greet.call('Ada', { on: telemetry.observer })
const metrics = await (await fetch(telemetry.metricsUrl)).text()
await telemetry.shutdown()
console.log(metrics.split('\\n').some((line) => !line.startsWith('#') && line.includes('"greet"')))
console.log(spans.map(({ name }) => name).join())
`

interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest
const OLDEST = versionsIn(import.meta.dirname)

let installed: InstalledPackage
let postgres: StartedPostgres
let url: string

beforeAll(async () => {
  const problem = await installFolder(import.meta.dirname, 'the oldest peers')
  if (problem !== undefined) throw new Error(problem)
  installed = await installPackage()
  postgres = await startPostgres({ tcp: true })
  const { user, password = '', host, port, database } = postgres.config
  url = `postgres://${user}:${password}@${host}:${port}/${database}`
}, 600_000)
afterAll(async () => {
  await postgres.stop()
  await rm(installed.folder, { recursive: true, force: true })
})

test.each(Object.entries(OLDEST))(
  'the range of %s begins with the version that is tried, and holds the one of the other tests',
  (name, oldest) => {
    const range = manifest.peerDependencies[name] ?? ''
    expect(/^(?:>=|\^)(\d+\.\d+\.\d+)/.exec(range)?.[1]).toBe(oldest)
    expect(inRange(oldest, range)).toBe(true)
    expect(inRange(manifest.devDependencies[name] ?? '', range)).toBe(true)
  },
)

const ENDS = [
  { end: 'oldest', packages: join(import.meta.dirname, 'node_modules') },
  { end: 'newest', packages: join(root, 'node_modules') },
]

describe.each(ENDS)('with the $end peers', ({ end, packages }) => {
  let app: string

  beforeAll(async () => {
    app = join(installed.folder, end)
    await cp(installed.app, app, { recursive: true, verbatimSymlinks: true })
    for (const name of Object.keys(OLDEST)) {
      await mkdir(join(app, 'node_modules', name, '..'), { recursive: true })
      await symlink(join(packages, name), join(app, 'node_modules', name))
    }
  })

  const run = async (program: string): Promise<string> => {
    await writeFile(join(app, 'program.js'), program)
    return succeeded(await runProgram('node', ['program.js'], { cwd: app, env: { DATABASE_URL: url } })).stdout
  }

  test('durable runs run', async () => {
    expect(await run(DURABLE_RUN)).toBe(DURABLE_PRINTED)
  }, 60_000)

  test('metrics and spans are reported', async () => {
    expect(await run(TELEMETRY)).toBe('true\nexecute_tool greet\n')
  }, 60_000)
})
