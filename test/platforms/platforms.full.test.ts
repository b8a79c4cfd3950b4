import { spawn } from 'node:child_process'
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installFolder, versionsIn } from '../../scripts/install-folder.ts'
import { root, runProgram } from '../../scripts/run-program.ts'
import { freePort } from '../fixtures/free-port.ts'
import { startPostgres, type StartedPostgres } from '../fixtures/postgres/start-postgres.ts'
import { type InstalledPackage, installPackage, npmInstall, succeeded } from '../package/installed-package.ts'
import { DURABLE_PRINTED, DURABLE_RUN, FIRST_LINES, FIRST_PRINTED } from '../package/user-programs.ts'

const PACKAGES = join(import.meta.dirname, 'node_modules')
const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { devDependencies: Record<string, string> }
const versionOf = (name: string): string => `${name}@${devDependencies[name]}`

let installed: InstalledPackage
let postgres: StartedPostgres
let url: string

beforeAll(async () => {
  const problem = await installFolder(import.meta.dirname, 'runtimes, compilers and bundlers, about 1.2 GB,')
  if (problem !== undefined) throw new Error(problem)
  installed = await installPackage()
  await npmInstall(installed.app, ...['zod', 'pg', 'pg-boss', '@types/node'].map(versionOf))
  await writeFile(join(installed.app, 'first.js'), FIRST_LINES)
  await writeFile(join(installed.app, 'durable.js'), DURABLE_RUN)
  postgres = await startPostgres({ tcp: true })
  const { user, password = '', host, port, database } = postgres.config
  url = `postgres://${user}:${password}@${host}:${port}/${database}`
}, 900_000)
afterAll(async () => {
  await postgres.stop()
  await rm(installed.folder, { recursive: true, force: true })
})

const RUNTIMES = [
  { runtime: 'Node 22', program: join(PACKAGES, 'node-22', 'bin', 'node'), flags: [] },
  { runtime: 'Node 24', program: join(PACKAGES, 'node-24', 'bin', 'node'), flags: [] },
  { runtime: 'Node 26', program: join(PACKAGES, 'node-26', 'bin', 'node'), flags: [] },
  { runtime: 'Bun', program: join(PACKAGES, '.bin', 'bun'), flags: ['run'] },
  { runtime: 'Deno', program: join(PACKAGES, '.bin', 'deno'), flags: ['run', '--allow-all', '--no-lock'] },
]

describe.each(RUNTIMES)('on $runtime', ({ program, flags }) => {
  const run = (file: string) => runProgram(program, [...flags, file], { cwd: installed.app, env: { DATABASE_URL: url } })

  test('tools run', async () => {
    expect(succeeded(await run('first.js')).stdout).toBe(FIRST_PRINTED)
  }, 60_000)

  test('durable runs run [O8]', async () => {
    expect(succeeded(await run('durable.js')).stdout).toBe(DURABLE_PRINTED)
  }, 60_000)
})

const TYPED = `import { pipe, tool, type ToolResult } from 'toolwright'
import { createMcpServer } from 'toolwright/mcp'
import { memoryRuns } from 'toolwright/testing'
import { z } from 'zod'
const greet = tool({ name: 'greet', description: 'Greets.', inputSchema: z.object({ name: z.string() }), execute: ({ name }) => ({ text: name, length: name.length }) })
const count = tool({ name: 'count', description: 'Counts.', inputSchema: z.object({ length: z.number() }), execute: ({ length }) => length })
export const result: ToolResult<number> = await pipe(greet, count).call({ name: 'Ada' })
export const wrong = () => greet.call({
  // @ts-expect-error: the types of the package are seen, and are not 'any'
  name: 1,
})
export { createMcpServer, memoryRuns }
`

const COMPILERS = [
  { compiler: 'TypeScript 5.9', program: join(PACKAGES, 'typescript-5', 'bin', 'tsc') },
  { compiler: 'TypeScript 6', program: join(PACKAGES, 'typescript-6', 'bin', 'tsc') },
  { compiler: 'TypeScript 7', program: join(root, 'node_modules', '.bin', 'tsc') },
]

describe.each(COMPILERS)('under $compiler', ({ compiler, program }) => {
  test.each([
    { resolution: 'nodenext', options: { module: 'nodenext' } },
    { resolution: 'bundler', options: { module: 'esnext' } },
  ])(
    'the declarations type-check with moduleResolution $resolution, library checks on',
    async ({ resolution, options }) => {
      const name = `${compiler.replaceAll(/\W/g, '-')}-${resolution}`
      await npmInstall(installed.app, versionOf('@modelcontextprotocol/server'))
      await writeFile(join(installed.app, `${name}.ts`), TYPED)
      const compilerOptions = {
        ...options,
        moduleResolution: resolution,
        types: ['node'],
        lib: ['es2024', 'esnext.disposable'],
        target: 'es2024',
      }
      const config = { compilerOptions: { ...compilerOptions, strict: true, skipLibCheck: false, noEmit: true }, files: [`${name}.ts`] }
      await writeFile(join(installed.app, `${name}.json`), JSON.stringify(config))
      succeeded(await runProgram(program, ['--project', `${name}.json`], { cwd: installed.app }))
    },
    120_000,
  )
})

/** Runs a program where no package can be found. */
async function deployed(folder: string, file: string): Promise<string> {
  const { app } = installed
  await rename(join(app, 'node_modules'), join(app, 'moved-away'))
  try {
    return succeeded(await runProgram('node', [file], { cwd: folder, env: { DATABASE_URL: url } })).stdout
  } finally {
    await rename(join(app, 'moved-away'), join(app, 'node_modules'))
  }
}

const CASES = [
  { file: 'first.js', printed: FIRST_PRINTED },
  { file: 'durable.js', printed: DURABLE_PRINTED },
]

test.each(CASES)(
  'a bundle of $file by Rollup runs without packages',
  async ({ file, printed }) => {
    const folder = join(installed.folder, 'rollup', file)
    const bundle = join(import.meta.dirname, 'bundle-with-rollup.ts')
    succeeded(await runProgram('node', [bundle, join(installed.app, file), folder]))
    expect(await deployed(folder, file)).toBe(printed)
  },
  120_000,
)

test.each(CASES)(
  'a bundle of $file by Bun runs without packages',
  async ({ file, printed }) => {
    const folder = join(installed.folder, 'bun')
    const flags = ['build', file, '--target=node', '--outdir', folder]
    succeeded(await runProgram(join(PACKAGES, '.bin', 'bun'), flags, { cwd: installed.app }))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    expect(await deployed(folder, file)).toBe(printed)
  },
  120_000,
)

test.each(CASES)(
  'a copy of what a tracer finds of $file runs without packages',
  async ({ file, printed }) => {
    const folder = join(installed.folder, 'traced')
    const { nodeFileTrace } = (await import(join(PACKAGES, '@vercel', 'nft', 'out', 'index.js'))) as {
      readonly nodeFileTrace: (files: readonly string[], options: object) => Promise<{ readonly fileList: ReadonlySet<string> }>
    }
    const { fileList } = await nodeFileTrace([join(installed.app, file)], { base: installed.app })
    for (const each of fileList) {
      await mkdir(dirname(join(folder, each)), { recursive: true })
      await cp(join(installed.app, each), join(folder, each))
    }
    expect(await deployed(folder, file)).toBe(printed)
  },
  120_000,
)

test('a standalone build of Next serves a durable run without the packages of the project', async () => {
  const project = join(installed.folder, 'next')
  await cp(join(import.meta.dirname, 'next-app'), project, { recursive: true })
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'next-app', private: true }))
  const beside = ['next', 'react', 'react-dom'].map((name) => `${name}@${versionsIn(import.meta.dirname)[name]}`)
  await npmInstall(project, installed.tarball, ...['pg', 'pg-boss'].map(versionOf), ...beside)
  succeeded(
    await runProgram(join(project, 'node_modules', '.bin', 'next'), ['build'], { cwd: project, env: { NEXT_TELEMETRY_DISABLED: '1' } }),
  )
  const folder = join(installed.folder, 'standalone')
  await rename(join(project, '.next', 'standalone'), folder)
  await rm(project, { recursive: true })
  const port = String(await freePort())
  const server = spawn(process.execPath, ['server.js'], {
    cwd: folder,
    env: { ...process.env, PORT: port, HOSTNAME: '127.0.0.1', DATABASE_URL: url },
    stdio: 'ignore',
  })
  try {
    const answer = (): Promise<string> => fetch(`http://127.0.0.1:${port}/run`).then((reply) => reply.text(), String)
    await expect.poll(answer, { timeout: 60_000, interval: 200 }).toBe(DURABLE_PRINTED.trim())
  } finally {
    server.kill('SIGKILL')
  }
}, 600_000)
