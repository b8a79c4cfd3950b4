import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, runProgram } from '../scripts/run-program.ts'

const folder = join(root, 'bench', 'peers')

interface Manifest {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** The exact versions of the packages that the peers are measured with. */
export function peerVersions(): Readonly<Record<string, string>> {
  return manifestIn(folder)?.dependencies ?? {}
}

/** Installs the peers into a folder of their own unless they are there in their versions. Gives what went wrong, if anything. */
export async function installPeers(): Promise<string | undefined> {
  if (areInstalled()) return undefined
  console.error('Installing the peers into bench/peers/node_modules, about 300 MB. This is done once.')
  const flags = ['ci', '--prefix', folder, '--ignore-scripts', '--fetch-retries=1', '--loglevel=error']
  const { ok, stdout, stderr } = await runProgram('npm', flags, { cwd: folder })
  if (ok && areInstalled()) return undefined
  return `The peers could not be installed by 'npm ci --prefix bench/peers'. It needs the npm registry.\n${stderr}${stdout}`.trim()
}

function areInstalled(): boolean {
  return Object.entries(peerVersions()).every(([name, version]) => manifestIn(join(folder, 'node_modules', name))?.version === version)
}

function manifestIn(place: string): Manifest | undefined {
  const file = join(place, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : undefined
}
