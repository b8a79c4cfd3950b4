import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type Comment, parseSync, type ParseResult } from 'oxc-parser'
import { subpaths } from '../../../test/package/subpaths.ts'
import { root } from '../../run-program.ts'
import { type JsDoc, parseJsDoc } from './jsdoc.ts'
import { type ApiKind, declarationOf, kindOf, makes, signatureOf, type SourceText } from './signature.ts'

/** One public name. */
export interface ApiEntry extends JsDoc {
  readonly name: string
  readonly kind: ApiKind
  /** Overloads, or a value and a type of one name, one after another. */
  readonly signature: string
  /** Where it is declared, from the root of the repository. */
  readonly file: string
  readonly line: number
}

/** The public names of one subpath of the package, values first. */
export interface ApiModule {
  /** As it is imported, such as `toolwright/mcp`. */
  readonly name: string
  readonly entries: readonly ApiEntry[]
}

interface Source extends SourceText {
  readonly file: string
  readonly parsed: ParseResult
}

/** Every public name of every subpath that package.json exports, read from the sources. */
export function readApi(): readonly ApiModule[] {
  const read = sourceReader()
  return subpaths().map(({ name, source }) => ({ name, entries: entriesOf(read(source), read) }))
}

/** Types exist for the compiler only. */
export function isType({ kind }: ApiEntry): boolean {
  return kind === 'interface' || kind === 'type'
}

function entriesOf(index: Source, read: (file: string) => Source): readonly ApiEntry[] {
  const names = index.parsed.module.staticExports.flatMap(({ entries }) => entries.map(({ exportName }) => exportName.name ?? ''))
  const entries = names.map((name) => entryOf(name, name, index, read))
  return entries.toSorted((a, b) => Number(isType(a)) - Number(isType(b)) || (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
}

function entryOf(name: string, local: string, source: Source, read: (file: string) => Source): ApiEntry {
  const found = source.parsed.program.body.flatMap((statement) => {
    const declaration = declarationOf(statement)
    return declaration !== undefined && makes(declaration, local) ? [{ statement, declaration }] : []
  })
  const [first] = found
  if (first === undefined) {
    const elsewhere = originOf(local, source)
    if (elsewhere === undefined) throw new Error(`The reference does not find '${local}' in ${source.file}.`)
    return entryOf(name, elsewhere.name, read(elsewhere.file), read)
  }
  // The body of an overloaded function is no signature.
  const overloaded = found.filter(({ declaration }) => declaration.type === 'TSDeclareFunction')
  const signatures = overloaded.length > 0 ? overloaded : found
  const comments = found.flatMap(({ statement }) => source.commentBefore(statement.start) ?? [])
  return {
    ...parseJsDoc(comments[0] ?? ''),
    name,
    kind: kindOf(first.declaration),
    signature: signatures.map(({ declaration }) => signatureOf(declaration, local, source)).join('\n'),
    file: relative(root, source.file),
    line: source.text.slice(0, first.statement.start).split('\n').length,
  }
}

/** The file from which a module has a name that it exports and does not declare. */
function originOf(name: string, { file, parsed }: Source): { readonly file: string; readonly name: string } | undefined {
  const passed = parsed.module.staticExports
    .flatMap(({ entries }) => entries)
    .find(({ exportName, moduleRequest }) => exportName.name === name && moduleRequest !== null)
  if (passed?.moduleRequest) return { file: join(dirname(file), passed.moduleRequest.value), name: passed.importName.name ?? name }
  for (const { moduleRequest, entries } of parsed.module.staticImports) {
    const imported = entries.find(({ localName }) => localName.value === name)
    if (imported !== undefined) return { file: join(dirname(file), moduleRequest.value), name: imported.importName.name ?? name }
  }
  return undefined
}

function sourceReader(): (file: string) => Source {
  const sources = new Map<string, Source>()
  return (file) => {
    const known = sources.get(file)
    if (known !== undefined) return known
    const text = readFileSync(file, 'utf8')
    const parsed = parseSync(file, text)
    const source = { file, text, parsed, commentBefore: commentsOf(parsed.comments, text) }
    sources.set(file, source)
    return source
  }
}

function commentsOf(comments: readonly Comment[], text: string): SourceText['commentBefore'] {
  const documenting = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
  return (place) => {
    const comment = documenting.find(({ end }) => end <= place && text.slice(end, place).trim() === '')
    return comment === undefined ? undefined : text.slice(comment.start, comment.end)
  }
}
