import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ProgramRun, root, runProgram } from '../../scripts/run-program.ts'

export interface Module {
  readonly name: string
  readonly code: string
}

/**
 * Writes modules into .cache/<folder>, with the strict options of the repository for them. They lie inside the package, so that
 * `import 'toolwright'` is this very source.
 */
export async function writeModules(folder: string, modules: readonly Module[]): Promise<string> {
  const home = join(root, '.cache', folder)
  await mkdir(home, { recursive: true })
  await Promise.all(modules.map(({ name, code }) => writeFile(join(home, `${name}.ts`), code)))
  const config = { extends: '../../tsconfig.json', files: modules.map(({ name }) => `${name}.ts`), include: [], exclude: [] }
  await writeFile(join(home, 'tsconfig.json'), JSON.stringify(config, undefined, 2))
  return home
}

/** Type-checks what `writeModules` wrote, all in one go. */
export function compileModules(home: string, flags: readonly string[] = []): Promise<ProgramRun> {
  return runProgram('tsc', ['--project', join(home, 'tsconfig.json'), '--pretty', 'false', ...flags])
}
