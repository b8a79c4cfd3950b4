import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root, runProgram } from '../scripts/run-program.ts'
import { builtPackage } from './built-package.ts'
import type { Benchmark, Figure } from './figure.ts'
import { quartilesOf } from './quartiles.ts'

/** 4,600 were measured when this was set; the rest is head room. */
const MOST_INSTANTIATIONS = 5750

const EXAMPLE = fileURLToPath(new URL('types/readme-example.ts', import.meta.url))
const ZOD_ALONE = fileURLToPath(new URL('types/zod-alone.ts', import.meta.url))

interface Diagnostics {
  readonly instantiations: number
  readonly checkMs: number
}

/** What the compiler does for a user of the published declarations, beside what it does for zod alone. */
export const types: Benchmark = {
  name: 'types',
  run: async ({ processes }) => {
    const declarations = join(await builtPackage(), 'index.d.ts')
    const bare: Diagnostics[] = []
    const example: Diagnostics[] = []
    for (let round = 0; round < processes; round++) {
      bare.push(await diagnose(ZOD_ALONE, declarations))
      example.push(await diagnose(EXAMPLE, declarations))
    }
    return [
      difference(bare, example, {
        name: 'types',
        unit: 'instantiations',
        read: (each) => each.instantiations,
        budget: MOST_INSTANTIATIONS,
        about: 'type instantiations of the README example, beside an import of zod',
      }),
      difference(bare, example, {
        name: 'types-check-time',
        unit: 'ms',
        read: (each) => each.checkMs,
        about: 'time to check the same',
      }),
    ]
  },
}

interface Reading extends Pick<Figure, 'name' | 'unit' | 'budget' | 'about'> {
  readonly read: (diagnostics: Diagnostics) => number
}

function difference(bare: readonly Diagnostics[], example: readonly Diagnostics[], { read, ...figure }: Reading): Figure {
  const baseline = quartilesOf(bare.map(read)).median
  return {
    ...figure,
    compares: 'difference',
    baseline,
    subject: quartilesOf(example.map(read)).median,
    quartiles: quartilesOf(example.map((each) => read(each) - baseline)),
  }
}

/** The compiler sees the declarations and not the sources, as it does for a user. */
async function diagnose(file: string, declarations: string): Promise<Diagnostics> {
  const folder = join(root, '.cache', 'bench')
  mkdirSync(folder, { recursive: true })
  const project = join(folder, 'tsconfig.json')
  const compilerOptions = { customConditions: [], paths: { toolwright: [declarations] } }
  writeFileSync(project, JSON.stringify({ extends: '../../tsconfig.json', compilerOptions, files: [file], include: [], exclude: [] }))
  const { ok, stdout } = await runProgram('tsc', ['--project', project, '--extendedDiagnostics'])
  if (!ok) throw new Error(`${file} does not compile:\n${stdout}`)
  return { instantiations: numberAfter('Instantiations', stdout), checkMs: numberAfter('Check time', stdout) * 1000 }
}

function numberAfter(label: string, text: string): number {
  const found = new RegExp(`^${label}:\\s+([\\d.]+)`, 'm').exec(text)?.[1]
  if (found === undefined) throw new Error(`The compiler says nothing about '${label}'.`)
  return Number(found)
}
