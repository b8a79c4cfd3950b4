import { chmod, copyFile, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { compactCode } from './compact-code.ts'
import { root, runProgram } from './run-program.ts'
import { writeSbom } from './write-sbom.ts'

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly bin: Readonly<Record<string, string>>
}

/** By the id of each module, those that it imports at once. */
const imports = new Map<string, readonly string[]>()

const importsOfModules: Plugin = { name: 'imports-of-modules', moduleParsed: ({ id, importedIds }) => void imports.set(id, importedIds) }

const reached = new Map<string, ReadonlySet<string>>()

/** Whether a subpath of the package imports a module at once, in whatever number of steps. */
function isOf(subpath: string, id: string): boolean {
  let all = reached.get(subpath)
  if (all === undefined) reached.set(subpath, (all = reachedFrom(join(root, 'src', subpath, 'index.ts'))))
  return all.has(id)
}

const isOfRoot = (id: string): boolean => isOf('.', id)

function reachedFrom(start: string): ReadonlySet<string> {
  const found = new Set([start])
  for (const id of found) for (const each of imports.get(id) ?? []) found.add(each)
  return found
}

/**
 * What entries share, in few files: left to itself, the bundler makes one for each set of entries that share something. The root reads the text
 * of every file that it needs a part of, so that a module of durable runs that it needs lies in a file of its own. So does `toolwright/select`, which
 * needs the database and little of durable runs.
 */
const SHARED = [
  { name: 'tool', test: (id: string) => isOfRoot(id) && /\/src\/(schema|tool)\//.test(id) },
  { name: 'database', test: (id: string) => !isOfRoot(id) && isOf('select', id) && /\/src\/(tool|run|store)\//.test(id) },
  { name: 'dialects', test: (id: string) => !isOfRoot(id) && /\/src\/(schema\/dialects|tool)\//.test(id) },
  { name: 'library', test: (id: string) => isOfRoot(id) && /\/src\/(policies|combinators|plan|review)\//.test(id) },
  { name: 'reviews', test: (id: string) => !isOfRoot(id) && /\/src\/(policies|combinators|plan|review)\//.test(id) },
  { name: 'trace', test: /\/src\/telemetry\/(draw-timeline|one-line|timeline-row|trace)\.ts$/ },
  { name: 'runtime', test: (id: string) => isOfRoot(id) && /\/src\/(run|runtime|store|kits)\//.test(id) },
  { name: 'runs', test: (id: string) => !isOfRoot(id) && /\/src\/(run|store)\/(?!index\.ts|idle-watcher\.ts)/.test(id) },
  { name: 'help', test: /\/src\/cli\/(exit-code|guard-output|help-text|node-problem)\.ts$/ },
]

/** Programs that the package itself starts. */
const STARTED = ['./src/store/idle-watcher.ts', './src/kits/web/scrape/page-worker.ts']

/** A chunk of nothing but data: its map is five times as large, and leads nobody anywhere. */
const DATA = 'shared/word-vectors-data-*.js'

/** Comes along in the code of the command line, since every module that is looked for in node_modules costs at the start. */
const INLINED = 'commander'

/**
 * An `import` of one of Node's own modules makes a namespace and reads all that is in it: standard input and output are opened for `node:process`, and
 * `node:util` alone costs a fifth of the import of the package. What is built asks for them by name instead.
 */
const builtinsByName: Plugin = {
  name: 'builtins-by-name',
  transform: (source, id) => {
    // The bundler's own runtime stays as it is: it is left out where nothing needs it.
    if (id.startsWith('\0')) return undefined
    if (id.includes('/node_modules/') && !id.includes(`/node_modules/${INLINED}/`)) return undefined
    const changed = source.replaceAll(
      /^import (?!type )(?:\* as )?(\w+|\{[^}]+\}) from '(node:[\w/]+)';?$/gm,
      (_statement, names: string, module: string) => `const ${valuesAmong(names)} = globalThis.process.getBuiltinModule('${module}');`,
    )
    return { code: changed, map: null }
  },
}

/** Stands for a CommonJS module until it is known from where it is imported. */
const COPIED = 'copied:'

/** CommonJS modules are copied as they are: their literal calls of `require` are for the bundlers of users, and for the tracers of deployments. */
const copiedModules: Plugin = {
  name: 'copied-modules',
  resolveId: (source, importer) => {
    if (!source.endsWith('.cjs') || importer === undefined || !source.startsWith('.')) return undefined
    return { id: `${COPIED}${relative(join(root, 'src'), join(dirname(importer), source))}`, external: true }
  },
  // Lines stay, so that source maps stay right.
  generateBundle: (_options, chunks) => {
    for (const chunk of Object.values(chunks)) {
      if (chunk.type !== 'chunk') continue
      const from = dirname(chunk.fileName)
      chunk.code = chunk.code.replaceAll(/"copied:([^"]+)"/g, (_text, path: string) => JSON.stringify(importPath(from, path)))
    }
  },
}

function importPath(from: string, to: string): string {
  const path = relative(from, to)
  return path.startsWith('.') ? path : `./${path}`
}

async function copyModules(): Promise<void> {
  for await (const file of glob('**/*.cjs', { cwd: join(root, 'src') })) {
    await mkdir(join(root, 'dist', dirname(file)), { recursive: true })
    await copyFile(join(root, 'src', file), join(root, 'dist', file))
  }
}

/** The names of an import as a pattern, without those of types. */
function valuesAmong(names: string): string {
  return names.replaceAll(/\btype \w+( as \w+)?,?/g, '').replaceAll(' as ', ': ')
}

/** Declarations file by file from tsc, so that editors find their way; code as one chunk for each entry and one for what they share, since every file costs at import. */
await rm(join(root, 'dist'), { recursive: true, force: true })
const { code } = await runProgram('tsc', ['--project', 'tsconfig.build.json'], { show: true })
if (code === 0) {
  await bundle(await entries())
  await dropMapsOfData()
  await copyModules()
  await finishPrograms()
  await writeSbom()
}
process.exitCode = code

async function bundle(input: Readonly<Record<string, string>>): Promise<void> {
  const external = (id: string): boolean => !id.startsWith('.') && !isAbsolute(id) && id !== INLINED
  const build = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    checks: { bundlerTimings: false },
    resolve: { symlinks: false },
    external,
    plugins: [importsOfModules, copiedModules, builtinsByName, ...compactCode],
  })
  await build.write({
    dir: 'dist',
    format: 'esm',
    sourcemap: true,
    // The sources are in the package, once.
    sourcemapExcludeSources: true,
    chunkFileNames: 'shared/[name]-[hash].js',
    codeSplitting: { groups: SHARED },
    comments: { jsdoc: false },
    // `compactCode` has done it, and what comes after would print it anew.
    minify: false,
  })
  await build.close()
}

async function dropMapsOfData(): Promise<void> {
  for await (const file of glob(DATA, { cwd: join(root, 'dist') })) {
    const path = join(root, 'dist', file)
    await writeFile(path, (await readFile(path, 'utf8')).replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n'))
    await rm(`${path}.map`)
  }
}

/** A shell can start the programs, and the licence of what they contain lies beside them. */
async function finishPrograms(): Promise<void> {
  for (const file of Object.values((await manifest()).bin)) await chmod(join(root, file), 0o755)
  await copyFile(join(root, 'node_modules', INLINED, 'LICENSE'), join(root, 'dist', 'cli', `${INLINED}-license.txt`))
}

async function manifest(): Promise<Manifest> {
  return JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest
}

/** The sources behind the exports and the programs of package.json, by the name of the file that they become. */
async function entries(): Promise<Readonly<Record<string, string>>> {
  const { exports, bin } = await manifest()
  const exported = Object.values(exports).flatMap((each) => (typeof each === 'string' ? [] : [each['toolwright-source'] ?? '']))
  const programs = [...Object.values(bin).map((file) => file.replace('./dist/', './src/').replace('.js', '.ts')), ...STARTED]
  return Object.fromEntries([...exported, ...programs].map((source) => [source.replace('./src/', '').replace('.ts', ''), source]))
}
