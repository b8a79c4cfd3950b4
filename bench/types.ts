import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root, runProgram } from '../scripts/run-program.ts'
import { builtPackage } from './built-package.ts'
import type { Benchmark, Figure } from './figure.ts'
import { quartilesOf } from './quartiles.ts'

/** 4,600 were measured when this was set; the rest is head room. */
const MOST_INSTANTIATIONS = 5750

const ZOD_ALONE = new URL('types/zod-alone.ts', import.meta.url)
const README_EXAMPLE = new URL('types/readme-example.ts', import.meta.url)

interface Diagnostics {
  readonly instantiations: number
  readonly checkMs: number
}

/** What the compiler does for a user of the published declarations, beside what it does for zod alone. */
const readmeExample: Benchmark = {
  name: 'types',
  run: async ({ processes }) => {
    const declarations = join(await builtPackage(), 'index.d.ts')
    const bare: Diagnostics[] = []
    const example: Diagnostics[] = []
    for (let round = 0; round < processes; round++) {
      bare.push(await diagnose(ZOD_ALONE, declarations))
      example.push(await diagnose(README_EXAMPLE, declarations))
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

interface Chain extends Pick<Figure, 'name' | 'budget' | 'about'> {
  readonly byHand: URL
  readonly composed: URL
}

/** Zod's own types are most of what there is to do, by hand as well: what is left is the chain. Every run counts the same. */
function chain({ byHand, composed, ...figure }: Chain): Benchmark {
  return {
    name: figure.name,
    run: async () => {
      const declarations = join(await builtPackage(), 'index.d.ts')
      const { instantiations: baseline } = await diagnose(byHand, declarations)
      const { instantiations: subject } = await diagnose(composed, declarations)
      return [{ ...figure, unit: 'instantiations', compares: 'ratio', baseline, subject, quartiles: quartilesOf([subject / baseline]) }]
    },
  }
}

/** What the compiler has to do for a user. The budgets of the chains are what was measured when they were set, and a quarter more. */
export const typesBenchmarks: readonly Benchmark[] = [
  readmeExample,
  chain({
    name: 'types-builder',
    byHand: new URL('types/twenty-by-hand.ts', import.meta.url),
    composed: new URL('types/builder-chain.ts', import.meta.url),
    budget: 1.2,
    about: 'type instantiations of a builder chain of twenty, beside twenty awaits',
  }),
  chain({
    name: 'types-pipe',
    byHand: new URL('types/ten-by-hand.ts', import.meta.url),
    composed: new URL('types/pipe-of-ten.ts', import.meta.url),
    budget: 1.3,
    about: 'type instantiations of a pipe of ten, beside ten awaits',
  }),
]

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
async function diagnose(file: URL, declarations: string): Promise<Diagnostics> {
  const folder = join(root, '.cache', 'bench')
  mkdirSync(folder, { recursive: true })
  const project = join(folder, 'tsconfig.json')
  const compilerOptions = { customConditions: [], paths: { toolwright: [declarations] } }
  const files = [fileURLToPath(file)]
  writeFileSync(project, JSON.stringify({ extends: '../../tsconfig.json', compilerOptions, files, include: [], exclude: [] }))
  const { ok, stdout } = await runProgram('tsc', ['--project', project, '--extendedDiagnostics'])
  if (!ok) throw new Error(`${file.pathname} does not compile:\n${stdout}`)
  return { instantiations: numberAfter('Instantiations', stdout), checkMs: numberAfter('Check time', stdout) * 1000 }
}

function numberAfter(label: string, text: string): number {
  const found = new RegExp(`^${label}:\\s+([\\d.]+)`, 'm').exec(text)?.[1]
  if (found === undefined) throw new Error(`The compiler says nothing about '${label}'.`)
  return Number(found)
}
