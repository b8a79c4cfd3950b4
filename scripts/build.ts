import { readFile, rm } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { rolldown } from 'rolldown'
import { root, runProgram } from './run-program.ts'

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

/** Declarations file by file from tsc, so that editors find their way; code as one chunk for each entry and one for what they share, since every file costs at import. */
await rm(join(root, 'dist'), { recursive: true, force: true })
const { code } = await runProgram('tsc', ['--project', 'tsconfig.build.json'], { show: true })
if (code === 0) await bundle(await entries())
process.exitCode = code

async function bundle(input: Readonly<Record<string, string>>): Promise<void> {
  const build = await rolldown({ cwd: root, input, platform: 'node', external: (id) => !id.startsWith('.') && !isAbsolute(id) })
  await build.write({ dir: 'dist', format: 'esm', sourcemap: true, chunkFileNames: 'shared/[name]-[hash].js' })
  await build.close()
}

/** The sources behind the exports of package.json, by the name of the file that they become. */
async function entries(): Promise<Readonly<Record<string, string>>> {
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest
  const sources = Object.values(exports).flatMap((each) => (typeof each === 'string' ? [] : [each['toolwright-source'] ?? '']))
  return Object.fromEntries(sources.map((source) => [source.replace('./src/', '').replace('.ts', ''), source]))
}
