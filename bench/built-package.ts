import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root, runProgram } from '../scripts/run-program.ts'

let built: Promise<string> | undefined

/** The folder of the package as it is published, JavaScript and declarations; built first where it is missing or older than the sources. */
export function builtPackage(): Promise<string> {
  return (built ??= upToDate())
}

async function upToDate(): Promise<string> {
  const folder = join(root, 'dist')
  if (isOlderThanSources(join(folder, 'index.js'))) {
    const { ok, stdout, stderr } = await runProgram(process.execPath, [join(root, 'scripts', 'build.ts')])
    if (!ok) throw new Error(`The package could not be built:\n${stdout}${stderr}`)
  }
  return folder
}

function isOlderThanSources(file: string): boolean {
  if (!existsSync(file)) return true
  const builtAt = statSync(file).mtimeMs
  return globSync('src/**/*.ts', { cwd: root }).some((source) => statSync(join(root, source)).mtimeMs > builtAt)
}
