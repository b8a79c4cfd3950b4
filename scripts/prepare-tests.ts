import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { packInto } from '../test/package/installed-package.ts'
import { root, runProgram } from './run-program.ts'

/**
 * Builds, packs and installs the package and makes the data of an embedded database, which many tests would otherwise do for themselves.
 * Returns the environment that tells the tests of it; test/fixtures/prepared.ts reads it.
 */
export async function prepareTests(folder: string): Promise<Readonly<Record<string, string>>> {
  await run(['scripts/build.ts'])
  const home = join(folder, 'home')
  // If this is root, the server runs as another user, who enters the folder.
  await chmod(folder, 0o755)
  const packed = join(folder, 'package')
  await mkdir(packed)
  await Promise.all([run(['--conditions=toolwright-source', 'test/fixtures/store/make-data.ts', home]), packInto(packed, root)])
  return { TOOLWRIGHT_TESTS_BUILT: 'yes', TOOLWRIGHT_TESTS_DATA: join(home, 'postgres', 'data'), TOOLWRIGHT_TESTS_PACKAGE: packed }
}

async function run(flags: readonly string[]): Promise<void> {
  const { ok, stdout, stderr } = await runProgram('node', flags)
  if (!ok) throw new Error(`The tests could not be prepared. node ${flags.join(' ')} printed:\n${stdout}${stderr}`)
}
