import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type InstalledPackage, installedByUsers, type LockFile, PROJECT } from './installed-by-users.ts'
import { root } from './run-program.ts'

/** The bill of materials of the package in CycloneDX 1.6, the same for the same lock file. Optional peers are the user's choice and are not in it. */
export function billOfMaterials(lock: LockFile): object {
  const project = lock.packages[PROJECT]
  if (project?.name === undefined) throw new Error('package-lock.json does not name the project.')
  const installed = installedByUsers(lock, { peers: false })
  const references = new Map(installed.map((each) => [each.folder, addressOf(each.name, each.locked.version)]))
  const reference = addressOf(project.name, project.version)
  const direct = Object.keys(project.dependencies ?? {}).map((name) => `node_modules/${name}`)
  const referencesOf = (folders: readonly string[]): readonly string[] =>
    folders.flatMap((folder) => references.get(folder) ?? []).toSorted()
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'library', 'bom-ref': reference, name: project.name, version: project.version, purl: reference } },
    components: installed.map(componentOf),
    dependencies: [
      { ref: reference, dependsOn: referencesOf(direct) },
      ...installed.map(({ folder, needs }) => ({ ref: references.get(folder), dependsOn: referencesOf(needs) })),
    ],
  }
}

function componentOf({ name, locked: { version, license, integrity } }: InstalledPackage): object {
  const address = addressOf(name, version)
  const [algorithm, digest] = integrity?.split('-', 2) ?? []
  return {
    type: 'library',
    'bom-ref': address,
    name,
    version,
    purl: address,
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    ...(algorithm === 'sha512' && digest !== undefined
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
  }
}

/** The address of a package in all registries (purl). */
function addressOf(name: string, version = ''): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

/** Writes it beside the code, so that the tarball carries it. */
export async function writeSbom(): Promise<void> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as LockFile
  await writeFile(join(root, 'dist', 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(lock), undefined, 2)}\n`)
}
