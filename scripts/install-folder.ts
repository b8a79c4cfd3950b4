import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root, runProgram } from './run-program.ts'

interface Manifest {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** The exact versions of the packages that a folder asks for, by the name that they have there. */
export function versionsIn(folder: string): Readonly<Record<string, string>> {
  const { dependencies = {} } = manifestIn(folder) ?? {}
  return Object.fromEntries(Object.entries(dependencies).map(([name, wanted]) => [name, wanted.replace(/^npm:.+@/, '')]))
}

/** Installs the packages of a folder that has a lock of its own, unless they are there in their versions. Gives what went wrong, if anything. */
export async function installFolder(folder: string, about: string, ...flags: readonly string[]): Promise<string | undefined> {
  if (areInstalled(folder)) return undefined
  const place = relative(root, folder)
  console.error(`Installing ${about} into ${place}/node_modules. This is done once.`)
  const { ok, stdout, stderr } = await runProgram('npm', ['ci', '--fetch-retries=1', '--loglevel=error', ...flags], { cwd: folder })
  if (ok && areInstalled(folder)) return undefined
  return `The packages could not be installed by 'npm ci --prefix ${place}'. It needs the npm registry.\n${stderr}${stdout}`.trim()
}

function areInstalled(folder: string): boolean {
  return Object.entries(versionsIn(folder)).every(([name, version]) => manifestIn(join(folder, 'node_modules', name))?.version === version)
}

function manifestIn(place: string): Manifest | undefined {
  const file = join(place, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : undefined
}
