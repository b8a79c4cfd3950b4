import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize, sep } from 'node:path'
import { parseSync } from 'oxc-parser'
import { comparedAmong } from './compared-kinds.ts'
import { importCycles } from './import-cycles.ts'
import { machineCalls } from './machine-calls.ts'
import { root } from './run-program.ts'

/** Which folders of src a folder may import from, besides itself. Files that lie in src itself stand above all folders. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  schema: [],
  tool: ['schema'],
  json: ['schema', 'tool'],
  files: ['schema', 'tool'],
  policies: ['schema', 'tool'],
  combinators: ['schema', 'tool', 'policies'],
  plan: ['schema', 'tool', 'policies', 'combinators'],
  review: ['schema', 'tool'],
  telemetry: ['schema', 'tool'],
  store: ['schema', 'tool'],
  run: ['schema', 'tool', 'policies', 'combinators', 'plan', 'review', 'telemetry', 'store'],
  runtime: ['schema', 'tool', 'policies', 'combinators', 'plan', 'review', 'telemetry', 'store', 'run'],
  context: ['schema', 'tool', 'json', 'store', 'run', 'runtime'],
  select: ['schema', 'tool', 'policies', 'store', 'run', 'context'],
  agent: ['schema', 'tool', 'json', 'policies', 'combinators', 'plan', 'telemetry', 'context', 'runtime', 'select'],
  kits: ['schema', 'tool', 'json', 'files', 'policies', 'combinators', 'plan', 'review'],
  bridges: ['schema', 'tool', 'policies', 'combinators', 'plan', 'review', 'telemetry', 'runtime', 'context', 'select'],
  cli: [
    'schema',
    'tool',
    'policies',
    'combinators',
    'plan',
    'review',
    'telemetry',
    'store',
    'run',
    'runtime',
    'bridges',
    'kits',
    'context',
    'select',
    'agent',
  ],
  testing: ['schema', 'tool', 'policies', 'combinators', 'plan', 'review', 'telemetry', 'run', 'runtime'],
}

/**
 * Walls inside a folder: who stands on a floor does not look below it. Combinators and kits stand on the seam; only the seam looks behind the
 * context that a combinator is given; the engine knows neither the seam nor a combinator.
 */
const WALLS: readonly Wall[] = [
  { from: /^src\/(combinators|kits)\//, to: /^src\/tool\/(engine\/|seam\/call-of\.ts)/, instead: 'Use the verbs of tool/seam.' },
  { from: /^src\/tool\/engine\//, to: /^src\/tool\/seam\//, instead: 'The engine lies below the seam.' },
  { from: /^src\/tool\/result\//, to: /^src\/tool\/(engine|seam)\//, instead: 'Results lie below the engine.' },
]

interface Wall {
  readonly from: RegExp
  readonly to: RegExp
  readonly instead: string
}

/** In these folders each sub-folder is a thing of its own, which the others do not know. A file beside the sub-folders is for all of them. */
const SIBLINGS_APART = ['combinators', 'kits', 'bridges']

const VAGUE_WORDS = ['manager', 'helper', 'helpers', 'util', 'utils', 'base', 'impl']

/** What the sources under `<folder>/src` do against the rules that the linter cannot express, one line each. */
export function houseRuleFindings(folder: string): string[] {
  const files = globSync('src/**/*.ts', { cwd: folder }).toSorted()
  const combinators = globSync('src/combinators/*/', { cwd: folder }).map((each) => basename(each))
  const found = files.flatMap((file) => {
    const findings = nameFindings(folder, file)
    if (!isTest(file))
      findings.push(
        ...importFindings(folder, file),
        ...kindFindings(folder, file, combinators),
        ...machineFindings(folder, file),
        ...databaseFindings(folder, file),
      )
    return findings.map((finding) => `${file}: ${finding}`)
  })
  return [...found, ...cycleFindings(folder, files)]
}

/**
 * So many files may need one another, imports of types included: a tool, its context and its plan; a call, its root and the behaviour of its
 * tool. The linter refuses cycles of values.
 */
const LARGEST_CYCLE = 3

function cycleFindings(folder: string, files: readonly string[]): string[] {
  const sources = files.filter((file) => !isTest(file))
  const imports = new Map(
    sources.map((file) => [
      file,
      importsOf(folder, file).flatMap((each) => (each.startsWith('.') ? [normalize(join(dirname(file), each))] : [])),
    ]),
  )
  const large = importCycles(imports).filter(({ length }) => length > LARGEST_CYCLE)
  return large.map(
    (cycle) =>
      `${cycle[0]}: is one of ${cycle.length} files that import each other: ${cycle.join(', ')}. ` +
      `${LARGEST_CYCLE} are the most: move what they share to a file below them.`,
  )
}

function isTest(file: string): boolean {
  return /\.test(-d)?\.ts$/.test(file)
}

function nameFindings(folder: string, file: string): string[] {
  const findings: string[] = []
  const vague = basename(file, '.ts')
    .split(/[-.]/)
    .find((word) => VAGUE_WORDS.includes(word))
  if (vague !== undefined) findings.push(`'${vague}' says nothing. Name the file after the one thing that it exports.`)
  if (basename(file) === 'index.ts' && !isSubpath(folder, file)) {
    findings.push('an inner barrel. Import from the files themselves; an index.ts is for a subpath of the package only.')
  }
  return findings
}

function isSubpath(folder: string, file: string): boolean {
  return readFileSync(join(folder, 'package.json'), 'utf8').includes(`"./${file.split(sep).join('/')}"`)
}

function importFindings(folder: string, file: string): string[] {
  const from = placeOf(file)
  const allowed = from.folder === '' ? undefined : MAY_IMPORT[from.folder]
  if (from.folder !== '' && allowed === undefined) {
    return [`the folder '${from.folder}' has no row in the table of scripts/house-rules.ts. Say there what it may import.`]
  }
  return importsOf(folder, file).flatMap((specifier) => {
    if (/^toolwright(\/|$)/.test(specifier)) return [`imports '${specifier}'. Inside the package, import the file itself.`]
    if (!specifier.startsWith('.')) return []
    const target = normalize(join(dirname(file), specifier))
    if (!target.startsWith(`src${sep}`)) return [`imports '${specifier}', which lies outside src and is not published.`]
    const wall = WALLS.find((each) => each.from.test(posix(file)) && each.to.test(posix(target)))
    if (wall !== undefined) return [`imports '${specifier}'. ${wall.instead}`]
    const to = placeOf(target)
    if (from.folder === to.folder) {
      const apart = SIBLINGS_APART.includes(from.folder) && from.part !== to.part && !to.part.endsWith('.ts')
      return apart ? [`imports '${specifier}'. Siblings in ${from.folder}/ do not know each other.`] : []
    }
    if (allowed === undefined || allowed.includes(to.folder)) return []
    return [`imports '${specifier}'. ${from.folder}/ may import ${allowed.join(', ') || 'no other folder'}.`]
  })
}

function posix(path: string): string {
  return path.split(sep).join('/')
}

/** In these files the same words name something else: kinds of schemas, and of recorded values. */
const OTHER_WORDS = ['zod-excess.ts', 'makes-new-values.ts', 'codec.ts']

/** Shared code asks a plan what it declares, never which combinator made it. A combinator knows its own name, and the mark of its records. */
function kindFindings(folder: string, file: string, combinators: readonly string[]): string[] {
  const from = placeOf(file)
  if (OTHER_WORDS.includes(basename(file))) return []
  const own = from.folder === 'combinators' ? [from.part, `:${from.part}`] : []
  const texts = new Set(combinators.flatMap((name) => [name, `:${name}`]))
  const compared = comparedAmong(texts, file, readFileSync(join(folder, file), 'utf8')).filter((text) => !own.includes(text))
  return compared.map((text) => `compares with '${text}', the kind of a combinator. Ask what the plan or the record declares instead.`)
}

/** In these folders time, timers and random numbers come from the clock and the options of a call, or from the clock of a store. */
const GIVEN_TIME = ['tool', 'policies', 'combinators', 'run']

/** The files there that may ask the machine, and for what. The queue of a database goes by the clock of the machine. */
const MACHINE_FILES: Readonly<Record<string, readonly string[]>> = {
  'tool/ports/clock.ts': ['setTimeout', 'setImmediate', 'Date.now', 'performance.now', 'node:perf_hooks'],
  'tool/ports/randomness.ts': ['Math.random', 'crypto.randomUUID'],
  'tool/engine/root-call.ts': ['systemClock'],
  'tool/engine/deadline-pool.ts': ['systemClock'],
  'combinators/idempotent/memory-idempotency.ts': ['systemClock'],
  'tool/errors/retry-after.ts': ['systemClock'],
  'run/host.ts': ['setTimeout', 'randomUUID', 'randomBytes'],
  'run/journal/values.ts': ['randomBytes'],
  'run/view/run-timeline.ts': ['systemClock'],
}

function machineFindings(folder: string, file: string): string[] {
  const place = posix(file).slice('src/'.length)
  if (!GIVEN_TIME.some((each) => place.startsWith(`${each}/`))) return []
  const allowed = place.startsWith('run/postgres/') ? ['systemClock'] : (MACHINE_FILES[place] ?? [])
  const asked = machineCalls(file, readFileSync(join(folder, file), 'utf8')).filter((each) => !allowed.includes(each))
  return asked.map(
    (each) => `takes ${each} from the machine. Use the clock that it is given, src/tool/ports/randomness.ts or src/run/host.ts.`,
  )
}

/** The engine of runs knows no database: it goes by the port. */
function databaseFindings(folder: string, file: string): string[] {
  const place = posix(file)
  if (!place.startsWith('src/run/') || place.startsWith('src/run/postgres/') || place === 'src/run/open-runs.ts') return []
  const database = importsOf(folder, file).filter((specifier) => /^pg(-boss)?$|(^|\/)postgres\//.test(specifier))
  return database.map((each) => `imports '${each}'. Only src/run/postgres knows the database: ask the RunStore.`)
}

/** The folder of src that a file lies in ('' for src itself), and the sub-folder or file there. */
function placeOf(file: string): { readonly folder: string; readonly part: string } {
  const [, first = '', second] = file.split(sep)
  return second === undefined ? { folder: '', part: first } : { folder: first, part: second }
}

/** All specifiers that a file names: imports, re-exports, `import()` and types of the form `import('...')`. */
function importsOf(folder: string, file: string): string[] {
  const source = readFileSync(join(folder, file), 'utf8')
  const { module } = parseSync(file, source)
  const named = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ...Array.from(source.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g), ([, specifier = '']) => specifier),
  ]
  return [...new Set(named)]
}

if (import.meta.main) {
  const findings = houseRuleFindings(root)
  for (const finding of findings) console.log(finding)
  process.exitCode = findings.length === 0 ? 0 : 1
}
