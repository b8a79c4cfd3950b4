import { mkdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type ProgramRun, root, runProgram } from '../../scripts/run-program.ts'
import type { TemplateName } from '../../src/cli/init/template-names.ts'
import { succeeded } from './installed-package.ts'

/** A project that `toolwright init` of an installed package has written. */
export interface NewProject {
  readonly folder: string
  readonly npm: (words: readonly string[], env?: Readonly<Record<string, string>>) => Promise<ProgramRun>
}

/** Writes a project beside an app that has installed the package, with the program of that app. */
export async function initProject(app: string, template: TemplateName, name: string = template): Promise<NewProject> {
  const folder = join(dirname(app), name)
  const program = join(app, 'node_modules', '.bin', 'toolwright')
  succeeded(await runProgram(program, ['init', folder, '--template', template], { cwd: dirname(app) }))
  return { folder, npm: (words, env = {}) => runProgram('npm', [...words, '--silent'], { cwd: folder, env }) }
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/** The packages of a new project, with their versions. */
export async function packagesOf({ folder }: NewProject): Promise<Readonly<Record<string, string>>> {
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
  return { ...dependencies, ...devDependencies }
}

/** Gives an app the packages of this repository, in place of an installation. */
export async function linkPackages(app: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const link = join(app, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(root, 'node_modules', name), link)
  }
}
