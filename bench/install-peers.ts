import { join } from 'node:path'
import { installFolder, versionsIn } from '../scripts/install-folder.ts'
import { root } from '../scripts/run-program.ts'

const folder = join(root, 'bench', 'peers')

/** The exact versions of the packages that the peers are measured with. */
export function peerVersions(): Readonly<Record<string, string>> {
  return versionsIn(folder)
}

/** Installs the peers into a folder of their own unless they are there in their versions. Gives what went wrong, if anything. */
export function installPeers(): Promise<string | undefined> {
  return installFolder(folder, 'the peers, about 300 MB,', '--ignore-scripts')
}
