import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { root } from '../../scripts/run-program.ts'
import { type ExportedName, exportedNames } from '../package/exported-names.ts'
import { subpaths } from '../package/subpaths.ts'

/** An `@example` of a JSDoc comment, made into a module that can run. */
export interface JsDocExample {
  /** The source file and the line of the tag. */
  readonly place: string
  readonly name: string
  readonly code: string
  /** What it prints, from the comments behind `console.log(...)`. `// such as 7` is a sample and promises nothing. */
  readonly prints: readonly string[]
}

interface Source {
  readonly specifier: string
  readonly names: readonly ExportedName[]
}

/** Where the names come from that an example uses without declaring them. The first that knows a name gives it. */
const SOURCES: readonly Source[] = [
  ...subpaths().map(({ name, source }) => ({ specifier: name, names: exportedNames(source) })),
  { specifier: 'zod', names: [{ name: 'z', type: false }] },
  { specifier: '../../test/docs/scene.ts', names: exportedNames(join(import.meta.dirname, 'scene.ts')) },
]

/** Every `@example` under src. */
export function jsDocExamples(): readonly JsDocExample[] {
  const files = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', '**/*.test-d.ts'] }).toSorted()
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return parseSync(file, text)
      .comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
      .flatMap(({ start, end }) => examplesIn(text.slice(start, end), text.slice(0, start).split('\n').length))
      .map(({ line, code }, index) => ({
        place: `${file}:${line}`,
        name: `${file.replace(/\.ts$/, '').replaceAll(/[^\w-]/g, '-')}-${index + 1}`,
        code: moduleOf(code),
        prints: Array.from(code.matchAll(/console\.log\(.*\) \/\/ (?!such as )(.*)$/gm), ([, printed = '']) => printed),
      }))
  })
}

function examplesIn(comment: string, firstLine: number): readonly { readonly line: number; readonly code: string }[] {
  const lines = comment
    .replace(/\*\/$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\/?\*+ ?/, ''))
  return lines.flatMap((tag, index) => {
    if (!tag.startsWith('@example')) return []
    const rest = lines.slice(index + 1)
    const end = rest.findIndex((line) => line.startsWith('@'))
    const code = rest.slice(0, end === -1 ? undefined : end).join('\n')
    return [{ line: firstLine + index, code: code.replaceAll('\\@', '@').trim() }]
  })
}

/** An example may be the inside of a function: it may return, and it may end in `throw new ToolError(...)`. Its own names shadow imported ones. */
function moduleOf(code: string): string {
  const imports = SOURCES.flatMap(({ specifier, names }, rank) => {
    const used = names.filter(({ name }) => mentions(code, name) && !SOURCES.slice(0, rank).some((earlier) => knows(earlier, name)))
    if (used.length === 0) return []
    return [`import { ${used.map(({ name, type }) => (type ? `type ${name}` : name)).join(', ')} } from '${specifier}'`]
  })
  const end = /^throw /m.test(code)
    ? "await example().catch((error: Error) => { if (error.name !== 'ToolError') throw error })"
    : 'await example()'
  return `${imports.join('\n')}\nexport async function example() {\n${code}\n}\n${end}\n`
}

function mentions(code: string, name: string): boolean {
  return new RegExp(`(?<![\\w$.'"])${name}(?![\\w$'"])`).test(code)
}

function knows(source: Source, name: string): boolean {
  return source.names.some((each) => each.name === name)
}
