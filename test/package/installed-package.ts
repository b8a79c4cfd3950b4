import { cp, mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ProgramRun, root, runProgram } from '../../scripts/run-program.ts'
import { packageFolder } from '../fixtures/prepared.ts'

/** The package as users get it. */
export interface InstalledPackage {
  /** Holds all the rest. */
  readonly folder: string
  readonly tarball: string
  /** A project of a user in which npm has installed the tarball, and nothing else. */
  readonly app: string
}

const QUIET = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']

/** What a build and a package are made of. */
const SOURCES = [
  ...['src', 'scripts', 'docs', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'],
  ...['LICENSE', 'README.md', 'llms.txt'],
]

/** The package, installed into an empty project. `npm test` packs and installs it once, before the tests; each test file gets a copy of its own. */
export async function installPackage(): Promise<InstalledPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-package-'))
  if (packageFolder === undefined) return packInto(folder, await buildIn(join(folder, 'stage')))
  await cp(packageFolder, folder, { recursive: true, verbatimSymlinks: true })
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'))
  if (tarball === undefined) throw new Error(`No tarball was prepared in ${packageFolder}.`)
  return { folder, tarball: join(folder, tarball), app: join(folder, 'app') }
}

/** Packs a built package into a folder, and installs it into an empty project there. */
export async function packInto(folder: string, source: string): Promise<InstalledPackage> {
  const packed = succeeded(await runProgram('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', folder], { cwd: source }))
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }]
  const tarball = join(folder, filename)
  const app = join(folder, 'app')
  await mkdir(app)
  await writeFile(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }))
  await npmInstall(app, tarball)
  return { folder, tarball, app }
}

/** A build beside the working copy, whose own `dist` may be in use. */
async function buildIn(stage: string): Promise<string> {
  for (const part of SOURCES) await cp(join(root, part), join(stage, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(stage, 'node_modules'))
  succeeded(await runProgram('node', ['scripts/build.ts'], { cwd: stage }))
  return stage
}

/** Installs packages from the registry, or from npm's cache. */
export async function npmInstall(folder: string, ...packages: readonly string[]): Promise<void> {
  succeeded(await runProgram('npm', ['install', ...packages, '--prefer-offline', ...QUIET], { cwd: folder }))
}

export function succeeded(run: ProgramRun): ProgramRun {
  if (!run.ok) throw new Error(`A program ended with ${run.code}:\n${run.stdout}\n${run.stderr}`)
  return run
}
