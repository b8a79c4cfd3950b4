import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root, runProgram } from '../../scripts/run-program.ts'
import { startPostgres, type StartedPostgres } from '../fixtures/postgres/start-postgres.ts'
import { type InstalledPackage, installPackage, succeeded } from './installed-package.ts'
import { DURABLE_PRINTED, DURABLE_RUN, FIRST_LINES, FIRST_PRINTED } from './user-programs.ts'
import { isFull } from '../fixtures/is-full.ts'

let installed: InstalledPackage
let postgres: StartedPostgres
let url: string

beforeAll(async () => {
  installed = await installPackage()
  await symlink(join(root, 'node_modules', 'zod'), join(installed.app, 'node_modules', 'zod'))
  postgres = await startPostgres({ tcp: true })
  const { user, password = '', host, port, database } = postgres.config
  url = `postgres://${user}:${password}@${host}:${port}/${database}`
}, 120_000)
afterAll(async () => {
  await postgres.stop()
  await rm(installed.folder, { recursive: true, force: true })
})

/** Bundles a program of the user, and runs the bundle where there are no packages. */
async function bundled(bundler: string, program: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const name = `${bundler}-${program === FIRST_LINES ? 'plain' : 'durable'}`
  const entry = join(installed.app, `${name}.js`)
  await writeFile(entry, program)
  const folder = join(installed.folder, 'deployed', name)
  await mkdir(folder, { recursive: true })
  succeeded(await runProgram('node', [join(import.meta.dirname, 'bundle.ts'), bundler, entry, folder]))
  return succeeded(await runProgram('node', ['main.mjs'], { cwd: folder, env })).stdout
}

const ALL = ['esbuild', 'rolldown', 'vite', 'webpack']
/** Webpack is slow, and its durable program needs all that the other one needs. */
const USUAL = isFull ? { plain: ALL, durable: ALL } : { plain: ['esbuild'], durable: ['esbuild', 'webpack'] }

test.each(USUAL.plain)(
  'a program that is bundled with %s runs without its packages, though the optional ones were never installed',
  async (bundler) => {
    expect(await bundled(bundler, FIRST_LINES)).toBe(FIRST_PRINTED)
  },
  60_000,
)

test.each(USUAL.durable)(
  'a program that is bundled with %s says which package a durable run needs, and has it on board once it is installed',
  async (bundler) => {
    const optional = ['pg', 'pg-boss'].map((name) => ({
      from: join(root, 'node_modules', name),
      to: join(installed.app, 'node_modules', name),
    }))
    expect(await bundled(bundler, DURABLE_RUN, { DATABASE_URL: url })).toBe('missing_package\n')
    for (const { from, to } of optional) await symlink(from, to)
    try {
      expect(await bundled(bundler, DURABLE_RUN, { DATABASE_URL: url })).toBe(DURABLE_PRINTED)
    } finally {
      for (const { to } of optional) await rm(to)
    }
  },
  120_000,
)
